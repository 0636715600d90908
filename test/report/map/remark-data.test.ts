import { type Diagnostic, errorAt, warningAt } from '../../../src/base/diagnostic';
import { decide } from '../../../src/plan/decide';
import type { Plan } from '../../../src/plan/plan';
import { buildPlanMessages } from '../../../src/report/map/build-message-data';
import type { PlanMessageData } from '../../../src/report/map/map-data';
import { countMessages } from '../../../src/report/map/page/fleet-figures';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { fleetOf } from '../../scheduler/build';

const messagesOf = (part: Partial<Plan>): PlanMessageData[] =>
  buildPlanMessages({ ...decide(fleetOf(), byPath, EMPTY_LOCK).plan, ...part });

const met = (at: string) => ({ rule: 'r', ...errorAt('denied', at, 'it is not met', 'Meet it') });

/** A warning that replicas stop, at a line of a file. */
const stops = (line: number, id: string): Diagnostic =>
  warningAt('room-lost', `a.yaml:${line}:1`, `0 replicas of ${id} serve`, 'Set a surge');

test('what a plan says as well comes with the gravest first', () => {
  const remarks = messagesOf({
    notes: ['A note.'],
    drains: [{ cluster: 'us', replicas: 1, stuck: [], staying: [] }],
    warnings: [warningAt('unpinned-revision', 'a.yaml:1:1', 'the model may not last', 'Pin it')],
    policies: [{ rule: 'r', ...warningAt('warned', 'p.yaml:1:1', 'it is not met', 'Meet it') }, met('p.yaml:1:1')],
  });
  expect(remarks.map(({ kind, rule }) => [kind, rule])).toEqual([
    ['denied', 'r'],
    ['warning', 'r'],
    ['warning', undefined],
    ['drain', undefined],
    ['note', undefined],
  ]);
  const text = { text: 'The model may not last.', hint: 'Pin it.', at: ['a.yaml:1:1'] };
  expect(remarks[2]).toEqual({ kind: 'warning', ...text });
});

test('many warnings of a kind are one entry, with the others behind it, and each counts', () => {
  const remarks = messagesOf({ warnings: [stops(1, 'ml/a'), stops(2, 'ml/b'), stops(3, 'ml/c'), stops(9, 'ml/c')] });
  expect(remarks).toEqual([
    {
      kind: 'warning',
      text: '0 replicas of ml/a serve.',
      hint: 'Set a surge.',
      at: ['a.yaml:1:1'],
      more: '2 more of this kind: ml/b, ml/c',
      others: [
        { text: '0 replicas of ml/b serve.', at: ['a.yaml:2:1'] },
        { text: '0 replicas of ml/c serve.', at: ['a.yaml:3:1', 'a.yaml:9:1'] },
      ],
    },
  ]);
  expect(countMessages(remarks)).toBe(4);
});

test('two warnings of a kind are two entries, and those that say the same are one with both positions', () => {
  const remarks = messagesOf({ warnings: [stops(1, 'ml/a'), stops(2, 'ml/b'), stops(3, 'ml/b')] });
  expect(remarks.map(({ at, more }) => [at, more])).toEqual([
    [['a.yaml:1:1'], undefined],
    [['a.yaml:2:1', 'a.yaml:3:1'], undefined],
  ]);
});

test('an excerpt of an expression is part of its warning, and findings of a rule are grouped by the rule', () => {
  const excerpt = { line: 'device.x', column: 8, width: 1 };
  const found = { ...stops(1, 'ml/a'), excerpt };
  const policies = ['a', 'b'].flatMap((rule) => [1, 2, 3].map((i) => ({ ...met(`${rule}.yaml:${i}:1`), rule })));
  const each = policies.map((one, i) => ({ ...one, message: `model ${i} is not met` }));
  const remarks = messagesOf({ warnings: [found], policies: each });
  expect(remarks.map(({ rule, more }) => [rule, more])).toEqual([
    ['a', '2 more of this kind'],
    ['b', '2 more of this kind'],
    [undefined, undefined],
  ]);
  expect(remarks.at(-1)?.excerpt).toBe('    device.x\n           ^');
});

test('warnings that an earlier state has too come after those that are new', () => {
  const [old, now] = [stops(1, 'ml/a'), stops(2, 'ml/b')];
  const { plan } = decide(fleetOf(), byPath, EMPTY_LOCK);
  const remarks = buildPlanMessages({ ...plan, warnings: [old, now] }, [old]);
  expect(remarks.map(({ kind, at }) => [kind, at])).toEqual([
    ['warning', ['a.yaml:2:1']],
    ['known', ['a.yaml:1:1']],
  ]);
});
