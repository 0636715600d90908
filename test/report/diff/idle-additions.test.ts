import type { FleetDiff } from '../../../src/diff/fleet-diff';
import { CITE_IN_FULL } from '../../../src/report/diff/change-sentences';
import { type Choice, formatChoiceLines } from '../../../src/report/diff/choices';
import type { UnplacedFinding } from '../../../src/report/diff/unplaced-findings';
import { describeUnplaced } from '../../../src/report/diff/unplaced-sentences';
import type { Remedy } from '../../../src/scheduler/remedy';

const edit = (pool: string, after: number, cluster = 'us') => ({
  id: `InferenceCluster ${cluster}`,
  action: 'changed',
  where: `${cluster}.yaml`,
  fields: [
    { field: `spec.nodePools[${pool}].nodeCount`, before: 1, after, path: [], where: `${cluster}.yaml:${pool}` },
  ],
});
const sum = { perMonth: 100, unknown: 0 };
const cost = {
  currency: 'USD',
  delta: { least: sum, most: sum },
  clusters: [{ cluster: 'us', pools: [{ pool: 'a', delta: { least: sum, most: sum } }] }],
};

const nameEdits = (causes: readonly unknown[]): string => (causes.length === 1 ? 'edit 1' : 'edits 1 and 2');

/** What is said of a replica that lacks room on two pools. */
function describeShort(remedies: Remedy[], declarations = [edit('a', 2)], more: object = { cost }) {
  const rejections = ['a', 'b'].map((pool) => ({ cluster: 'us', pool, reason: { filter: 'capacity' } }));
  const one = { id: 'ml/q', missing: 1, of: 1, stopped: 0, left: [], old: [], causes: [], why: '' };
  const shortfall = { missing: 1, accepted: true, rejections, remedies };
  const finding = { deployments: [{ ...one, shortfall }], findings: [] } as unknown as UnplacedFinding;
  const diff = { deployments: [], declarations, ...more } as unknown as FleetDiff;
  const { left, choices = [], hint } = describeUnplaced(finding, { ...CITE_IN_FULL, nameEdits, diff });
  return { left, choices: choices.flatMap((choice: Choice) => formatChoiceLines(choice)), hint };
}

const taints = [{ key: 'x', effect: 'NoSchedule' as const }];
const toleration: Remedy = { kind: 'toleration', cluster: 'eu', taints };
const packing = (pool: string): Remedy => ({ kind: 'packing', cluster: 'us', pool });
const nodes = (pool: string): Remedy => {
  return { kind: 'nodes', cluster: 'us', pool, nodes: 2, gpus: 0, nodeCount: { from: 2, to: 4 } };
};
const move: Remedy = {
  kind: 'move',
  moves: [{ deployment: 'ml/r', from: 'eu', to: 'us', fromPools: ['x'], toPools: ['a'], surgeFirst: true }],
};
const PACK = 'once an administrator has configured the scheduler of us to pack pods.';
const LEFT_OUT = 'leave out edit 1 (saves $100 a month): its node stays idle';

test('what uses added nodes says so, and without that the edit is to be left out', () => {
  expect(describeShort([toleration, packing('a')])).toEqual({
    left: 'The node of edit 1 does not make it fit.',
    choices: [
      '- Tolerate x:NoSchedule on eu.',
      `- Set packing: BinPack on us / a, ${PACK} It uses the node of edit 1.`,
    ],
    hint: `Without one that uses it, ${LEFT_OUT}`,
  });
});

test('where all use them, one of these has to be done', () => {
  const { choices, hint } = describeShort([packing('a'), nodes('a')]);
  expect(choices.at(-1)).toBe("- Add 2 more nodes in us / a, that is 'nodeCount: 4' instead of 2 (edit 1).");
  expect(hint).toBe(`Without one of these, ${LEFT_OUT}`);
});

test('a replica that moves to added nodes uses them', () => {
  expect(describeShort([move]).hint).toMatch(/\. It uses the node of edit 1\. Without that, leave out edit 1 /);
});

test.each<[string, ReturnType<typeof edit>[], object, string]>([
  ['an edit that adds a node', [edit('a', 2)], { cost }, 'Leave out edit 1 (saves $100 a month): its node stays idle.'],
  ['an edit that adds nodes of unknown cost', [edit('a', 3)], {}, 'Leave out edit 1: its nodes stay idle.'],
  [
    'edits, the price of one of which is unknown',
    [edit('a', 2), edit('b', 2)],
    { cost },
    'Leave out edits 1 and 2: their nodes stay idle.',
  ],
  ['nodes of a pool on which nothing lacks room', [edit('c', 2)], { cost }, ''],
])('where nothing uses them, it is to be left out first: %s', (_, declarations, more, want) => {
  expect(describeShort([toleration], declarations, more).left).toBe(want);
});
