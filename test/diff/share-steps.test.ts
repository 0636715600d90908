import type { Resource } from '../../src/api/kinds';
import { aSplit, to } from '../routing/build';
import { canary, findings, split, sql, sqlFiles, stable } from './gate-fleet';

const BEFORE = [stable(), canary(), split([95, 5])];

const THREE = (weight: number): Resource =>
  aSplit(
    'ml/chat',
    [to({ track: 'stable' }, { weight }), to({ track: 'canary' }), to({ track: 'canary', other: 'a' })],
    { maxShareChange: 15 },
  );

const cases: Record<string, { before?: Resource[]; after: Resource[]; want: string[] }> = {
  'refuses a step above maxShareChange of a deployment, where an entry with the same share selects others': {
    before: [stable(), canary(), aSplit('ml/chat', [to({ track: 'stable' })], { maxShareChange: 10 })],
    after: [stable(), canary(), aSplit('ml/chat', [to({ track: 'canary' })], { maxShareChange: 10 })],
    want: [expect.stringContaining('ml/chat gets 0 % instead of 100 % of the requests, a larger step than')],
  },
  'refuses labels of two entries that are swapped, as a step above maxShareChange': {
    before: [stable(), canary(), split([95, 5], { maxShareChange: 10 })],
    after: [
      stable(),
      canary(),
      aSplit('ml/chat', [to({ track: 'canary' }, { weight: 95 }), to({ track: 'stable' }, { weight: 5 })], {
        maxShareChange: 10,
      }),
    ],
    want: [
      "ModelService ml/chat: the entry track=canary gets 95 % instead of 5 % of the requests and the entry track=stable 5 % instead of 95 % of the requests, larger steps than maxShareChange: 10. In this change, send at most 15 % to the entry track=canary, or raise 'maxShareChange'",
    ],
  },
  'refuses a step above maxShareChange': {
    before: [stable(), canary(), split([95, 5], { maxShareChange: 10 })],
    after: [stable(), canary(), split([80, 20], { maxShareChange: 10 })],
    want: [
      "ModelService ml/chat: the entry track=stable gets 80 % instead of 95 % of the requests and the entry track=canary 20 % instead of 5 % of the requests, larger steps than maxShareChange: 10. In this change, set 'weight: 14' of the entry track=canary, which is 15 %, or raise 'maxShareChange'",
    ],
  },
  'names the weight of the only entry that is edited': {
    before: [stable(), canary(), split([19, 1], { maxShareChange: 15 })],
    after: [stable(), canary(), split([3, 1], { maxShareChange: 15 })],
    want: [
      expect.stringContaining("In this change, set 'weight: 4' of the entry track=stable, which is 80 %, or raise"),
    ],
  },
  'names no weight of entries of which others take a part': {
    before: [stable(), canary(), THREE(19)],
    after: [stable(), canary(), THREE(3)],
    want: [expect.stringContaining('send at most 20 % to the entry track=canary, or raise')],
  },
  'passes the weight that it names': {
    before: [stable(), canary(), split([19, 1], { maxShareChange: 15 })],
    after: [stable(), canary(), split([4, 1], { maxShareChange: 15 })],
    want: [],
  },
  'passes a step of exactly maxShareChange': {
    after: [stable(), canary(), split([85, 15], { maxShareChange: 10 })],
    want: [],
  },
  'compares entries by their selector, wherever they are in the list': {
    after: [
      stable(),
      canary(),
      aSplit('ml/chat', [to({ track: 'canary' }, { weight: 5 }), to({ track: 'stable' }, { weight: 95 })], {
        maxShareChange: 1,
      }),
    ],
    want: [],
  },
  'passes a change of weights, where no step is declared': {
    after: [stable(), canary(), split([1, 99])],
    want: [],
  },
};

describe('the gate, for shares of entries and deployments,', () => {
  test.each(Object.entries(cases))('%s', (_, { before = BEFORE, after, want }) => {
    expect(findings(before, after)).toEqual(want);
  });
});

test('the gate asks to keep an adapter that no other replaces, and not its name next to a new one', () => {
  expect(findings([sqlFiles, sql('sql')], [sqlFiles, sql()])).toEqual([
    expect.stringContaining("the model 'sql' is no longer served. Keep the adapter until no client requests it; "),
  ]);
});
