import type { MoreNodes } from '../../../src/analyze/survive/more-nodes';
import type { Resource } from '../../../src/api/kinds';
import type { GateFinding } from '../../../src/diff/gate-findings';
import { assemble } from '../../../src/fleet/fleet';
import { formatRefusedLines } from '../../../src/report/diff/gate-text';
import { collectRefusals, describeRefusals } from '../../../src/report/diff/refusals';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../../api/build';
import { comment, compare } from './unplaced-comment';

const model = (id: string, replicas: number, gpus: number, more: Doc = {}): Resource =>
  aDeployment(id, { replicas, engines: [{ name: 'main', members: [aMember({ gpus })] }], ...more });

/** Two deployments of which no further replica has a place, for different reasons. */
const unlike = (replicas: number): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 2 } } }),
  model('ml/of-4', replicas, 4),
  model('ml/of-8', replicas, 8),
];

/** A deployment for which no cluster has the label. */
const ELSEWHERE = aDeployment('ml/elsewhere', { clusterSelector: { matchLabels: { region: 'x' } } });

/** Three more nodes, which help all replicas but one. */
const nodesFor = (replicas: number, stranded: string): MoreNodes => ({
  replicas,
  stranded: [{ deployment: stranded, replicas: 1 }],
  extra: {
    nodes: [{ cluster: 'us', pool: 'h100', nodes: 3, gpus: 24, nodeCount: { from: 2, to: 5 } }],
    total: 3,
    atLeast: 3,
    method: 'exact',
    cost: { perHour: 30, perMonth: 21_900, unknown: 0 },
    sources: [],
    currency: 'USD',
  },
});

/** Replicas that each take half a node, and reserve as much for rollouts. */
const surging = (replicas: number): Resource[] => [
  ...unlike(0).slice(0, 2),
  aDeployment('ml/q', {
    replicas,
    rollout: { surge: 1 },
    engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }],
  }),
];

/** What the gate says of replicas without a place, as if too few others of their deployments served. */
function refusedLines(before: Resource[], after: Resource[], more: MoreNodes): string {
  const { diff, plan } = compare(before, after);
  const findings = plan.deployments.map(({ deployment }) => {
    return { kind: 'too-few-serving', change: { deployment, changes: [] } } as unknown as GateFinding;
  });
  const change = { diff, plan, findings, problems: [], findMoreNodes: () => more };
  const located = { fleet: assemble(after), locate: byPath };
  return describeRefusals(collectRefusals(change), located, change).map(formatRefusedLines).join('');
}

const problemsOf = (text: string): string[] => text.replaceAll('\\', '').split('\n');

test('replicas that no nodes help are named next to the nodes for others, where no problem is about them', () => {
  const lines = problemsOf(comment(unlike(1), unlike(4), undefined, nodesFor(6, 'ml/other')));
  expect(lines.join('\n')).toContain('; +$21,900 a month; more nodes do not help 1 replica of ml/other.');
});

test('they are not named again, where a problem is about them', () => {
  const lines = problemsOf(comment(unlike(1), [...unlike(4), ELSEWHERE], undefined, nodesFor(6, 'ml/elsewhere')));
  expect(lines).toContain(
    '- With 3 more nodes all other 6 missing replicas fit: 3 nodes in us / h100 (24 GPUs); +$21,900 a month.',
  );
});

test('nodes that one of several problems names have no line of their own, nor has what they do not help', () => {
  const [before, after] = [2, 3].map((replicas) => [...unlike(1).slice(0, 2), model('ml/q', replicas, 8)]) as [
    Resource[],
    Resource[],
  ];
  const lines = problemsOf(comment(before, [...after, ELSEWHERE], undefined, nodesFor(1, 'ml/elsewhere')));
  expect(lines.slice(4, 11).filter((line) => line.startsWith('- '))).toEqual([
    '- :x: **The only replica of ml/elsewhere fits nowhere (edit 1).**',
    '- :x: **1 of 3 replicas of ml/q fits nowhere (edit 2).**',
  ]);
});

test('next to the reserve of their own surge, which costs nothing, the nodes for all replicas are a choice', () => {
  const lines = problemsOf(comment(surging(2), surging(4), undefined, { ...nodesFor(2, ''), stranded: [] }));
  const at = lines.indexOf('  Do one of these, cheapest first:');
  expect(lines.slice(at + 1, at + 3)).toEqual([
    '  - Remove rollout.surge ($0; at least 3 of 4 replicas then serve during rollouts in waves).',
    "  - Add 3 more nodes in us / h100 (24 GPUs, +$21,900 a month), that is 'nodeCount: 5' instead of 2.",
  ]);
});

test('where others lack places too, choices are for a deployment alone, in a comment and on the terminal', () => {
  const before = [...unlike(0).slice(0, 2), model('ml/q', 1, 8)];
  const after = [...unlike(0).slice(0, 2), model('ml/q', 3, 8)];
  const more = { ...nodesFor(2, ''), stranded: [] };
  const choices =
    /For it alone, do one of these:\n  - Add 1 more node in us . h100 \(8 GPUs\), that is 'nodeCount: 3' instead of 2\.\n  - Set 'replicas: 2' instead of 3/;
  expect(problemsOf(comment(before, after, undefined, more)).join('\n')).toMatch(choices);
  expect(refusedLines(before, after, more)).toMatch(choices);
});

test('so is the only remedy that is named', () => {
  const more = { ...nodesFor(6, 'ml/other'), stranded: [] };
  expect(refusedLines(unlike(1), unlike(4), more)).toContain(' Cheapest for it alone: 1 more node in us / h100 ');
});

/** Two deployments that share a node. */
const halves = (replicas: number): Resource[] => [
  aClass('h100', { price: { perHour: 10 } }),
  aCluster('us', { pools: { h100: { nodeCount: 1 } } }),
  model('ml/p', replicas, 4),
  model('ml/q', replicas, 4),
];

test('nodes that are enough for one replica and for all are named once', () => {
  const { extra } = nodesFor(2, '');
  const nodes = [{ cluster: 'us', pool: 'h100', nodes: 1, gpus: 8, nodeCount: { from: 1, to: 2 } }];
  const cost = { perHour: 10, perMonth: 7300, unknown: 0 };
  const more: MoreNodes = { replicas: 2, stranded: [], ...(extra && { extra: { ...extra, nodes, total: 1, cost } }) };
  const [, , , , , advice] = problemsOf(comment(halves(1), halves(2), undefined, more));
  expect(advice).toBe(
    "  Cheapest for both replicas: 1 more node in us / h100 (8 GPUs, +$7,300 a month), that is 'nodeCount: 2' instead of 1.",
  );
});

test.each<[string, (remedies: readonly object[]) => readonly object[]]>([
  ['nothing but nodes gives any of them a place', (remedies) => remedies],
  ['no remedy is known of each alone', () => []],
])('the line of the nodes for all replicas says what else to do, where %s', (_, known) => {
  const [hardware, small] = [unlike(0).slice(0, 2), (replicas: number) => model('ml/of-4', replicas, 4)];
  const { diff, plan } = compare([...hardware, small(4)], [...hardware, small(5), model('ml/of-8', 1, 8)]);
  const deployments = plan.deployments.map((one) => {
    return {
      ...one,
      ...(one.shortfall && { shortfall: { ...one.shortfall, remedies: known(one.shortfall.remedies) } }),
    };
  }) as typeof plan.deployments;
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [], moreNodes: { ...nodesFor(2, ''), stranded: [] } };
  const lines = problemsOf(formatPullRequestComment(diff, { ...plan, deployments }, context));
  expect(lines.slice(4, 9)).toEqual([
    '- With 3 more nodes all 2 missing replicas fit: 3 nodes in us / h100 (24 GPUs); +$21,900 a month. Or undo edits 1 and 2, or lower spec.replicas.',
    '- :x: **1 of 5 replicas of ml/of-4 fits nowhere (edit 1).**',
    expect.stringMatching(/^ {2}Why: /),
    '- :x: **The only replica of ml/of-8 fits nowhere (edit 2).**',
    expect.stringMatching(/^ {2}Why: /),
  ]);
});

/** Two deployments on one cluster, next to one that has no room. */
const onEu = (taints: object[]): Resource[] => [
  ...unlike(0).slice(0, 2),
  aCluster('eu', { pools: { h100: { nodeCount: 3 } }, taints }),
  model('ml/a', 2, 8, { clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'us' } } }),
  model('ml/of-4', 2, 4),
  model('ml/of-8', 1, 8),
];

test('the line of the nodes for all replicas of a lost cluster does not ask to undo its loss', () => {
  const lost = onEu([{ key: 'lost', effect: 'NoExecute' }]);
  const lines = problemsOf(comment(onEu([]), lost, undefined, { ...nodesFor(3, ''), stranded: [] }));
  expect(lines.filter((line) => line.startsWith('- ')).slice(0, 3)).toEqual([
    expect.stringMatching(/; [+][$]21,900 a month\. Or lower spec\.replicas\.$/),
    expect.stringMatching(/ml.of-4 .*\(edit 1\)/),
    expect.stringMatching(/ml.of-8 .*\(edit 1\)/),
  ]);
});
