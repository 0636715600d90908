import { createInput } from './input';
import { judge, type Judged } from './judge';
import { CANARY } from './secrets';

const GOOD: Judged = {
  ran: { code: 0, out: '3 resources in fleet: all valid.\n', err: '', seconds: 0.1 },
  command: 'validate fleet',
  before: { 'fleet/fleet.yaml': 'a: 1\n' },
  after: { 'fleet/fleet.yaml': 'a: 1\n' },
  mayWrite: () => false,
  showsDeclarations: false,
};

function ran(fields: Partial<Judged['ran']>): Partial<Judged> {
  return { ran: { ...GOOD.ran, ...fields } };
}

const PLACED = 'fleet.yaml:1:1: this is wrong. Mend it.\n';

const runs: Record<string, { run: Partial<Judged>; want: string[] }> = {
  'a good run breaks nothing': { run: {}, want: [] },
  'an error with a place breaks nothing': { run: ran({ code: 1, out: '', err: PLACED }), want: [] },
  'the exit code of a bug': { run: ran({ code: 70 }), want: ['the exit code is one of the documented ones'] },
  'a stack trace': {
    run: ran({ err: 'x\n    at f (/a/b.ts:1:2)\n' }),
    want: ['no stack trace is shown'],
  },
  'too much processor time': { run: ran({ seconds: 11 }), want: ['at most ten seconds of processor time'] },
  'an error without a place': { run: ran({ code: 1, err: 'no\n' }), want: ['every error has a place'] },
  'a report of two megabytes': {
    run: ran({ code: 1, err: PLACED.repeat(60_000) }),
    want: ['a report is at most a megabyte'],
  },
  'a lock that a failed run changed': {
    run: { ...ran({ code: 3 }), command: 'lock fleet', mayWrite: () => true, after: {} },
    want: ['a run that fails writes nothing'],
  },
  'a file that no flag names': {
    run: { after: { ...GOOD.after, 'fleet/new.yaml': '' } },
    want: ['a run writes nothing but its output'],
  },
  'a snapshot that lost its nodes': {
    run: {
      before: { 'fleet/snapshots/us.yaml': 'kind: Node' },
      after: { 'fleet/snapshots/us.yaml': '' },
      mayWrite: () => true,
    },
    want: ['a snapshot keeps its nodes'],
  },
  'a credential in base64': {
    run: ran({ err: Buffer.from(CANARY.token).toString('base64') }),
    want: ['no credential of the environment is shown'],
  },
  'a key of a manifest in a report': {
    run: { after: { ...GOOD.after, 'map.html': CANARY.literal }, mayWrite: () => true },
    want: ['no key in a manifest is shown'],
  },
  'a mark of direction': { run: ran({ out: 'a\u202Eb' }), want: ['text for people has no invisible characters'] },
  'a command to a CI': { run: ran({ out: 'a\n::error::b' }), want: ['no line is a command to a CI'] },
};

test.each(Object.entries(runs))('the attack judges: %s', (_, { run, want }) => {
  expect(judge({ ...GOOD, ...run }).map(({ rule }) => rule)).toEqual(want);
});

test('an input follows from its seed and number', () => {
  const fleet = {
    name: 'every-kind',
    files: { 'fleet/fleet.yaml': 'a: { b: [1, 2] }\n', 'kubeconfig.yaml': 'a: 1\n' },
  };
  const inputs = (seed: number) =>
    Array.from({ length: 40 }, (_, number) => {
      const { command, edits, files } = createInput([fleet], { seed, number, without: [] });
      return JSON.stringify({ command, edits, files });
    });
  expect(inputs(1)).toEqual(inputs(1));
  expect(inputs(1)).not.toEqual(inputs(2));
});
