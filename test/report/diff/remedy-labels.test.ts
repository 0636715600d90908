import { labelNodes, labelOnly } from '../../../src/report/diff/remedy-labels';
import type { UnplacedFinding } from '../../../src/report/diff/unplaced-findings';
import type { Remedy } from '../../../src/scheduler/remedy';

const nodes: Remedy = { kind: 'nodes', cluster: 'us', pool: 'l4', nodes: 2, gpus: 8 };
const move = (more: object = {}): Remedy => ({ kind: 'move', moves: [], ...more });
const short = (remedies: Remedy[], missing: number): UnplacedFinding['deployments'] =>
  [{ id: 'ml/q', missing, shortfall: { missing, remedies } }] as unknown as UnplacedFinding['deployments'];

test.each<[string, Remedy[], number, string | undefined]>([
  ['the cheapest where it is the first', [nodes, move()], 1, 'cheapest'],
  ['the cheapest for all where the first is for some', [move({ helps: 1 }), nodes], 2, 'cheapest for both replicas'],
  ['nothing where the first is not advised', [move(), nodes], 1, undefined],
])('the only remedy is %s', (_, remedies, missing, want) => {
  expect(labelOnly(nodes, short(remedies, missing), undefined)).toBe(want);
});

test.each<[string, Remedy, string]>([
  ['the cheapest where others help some', move({ helps: 1 }), 'cheapest for both replicas'],
  ['not the cheapest where a move may help all', move(), 'for both replicas'],
])('nodes for all replicas are %s', (_, remedy, want) => {
  expect(labelNodes([remedy], short([remedy], 2))).toBe(want);
});
