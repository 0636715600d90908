import { type Outcome, whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { placeText } from '../../../src/base/text';
import { findFewerNodes } from '../../../src/diff/fewer-nodes';
import type { ServingDuringChange } from '../../../src/diff/serving-during-change';
import type { ReplicaChange } from '../../../src/plan/replica-moves';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { aCluster, aDeployment, aMember } from '../../api/build';
import { change, state } from '../../diff/build';
import { made, q, scaledDown, single, site, small } from '../../diff/lost-nodes-build';
import { scenarioOf } from './build';
import { edited } from './edit';

const halves = (replicas: number): Resource =>
  aDeployment('ml/halves', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }] });
const LESS = ['add-nodes us/h100=-1'];
const MAY_RESTART = 'may restart: the cloud chooses which nodes go';

interface Row {
  /** What the fleet was locked as before. Absent: it is new. */
  former?: Resource[];
  resources: Resource[];
  steps: string[];

  /** The lines on deployments and the total. */
  want: string[];
}

const rows: Record<string, Row> = {
  'a replica that stays may restart, and how many serve is said': {
    resources: [made('EKS'), site('EKS'), q()],
    steps: LESS,
    want: [
      '  ml/q   2 replicas; at least 1 serves during rollout',
      `    ~ us/0   ${MAY_RESTART}`,
      'Total: 1 may restart, 1 keeps its place.',
    ],
  },
  'the only replica of a deployment may not serve': {
    resources: [made('GKE'), site('GKE'), q(), single],
    steps: LESS,
    want: [
      '  ml/q   2 replicas; at least 1 serves during rollout',
      `    ~ us/0   ${MAY_RESTART}`,
      '  ml/single   1 replica; at least 0 serve during rollout',
      `    ~ us/0   ${MAY_RESTART}`,
      'Total: 2 may restart, 1 keeps its place.',
    ],
  },
  'replicas on one node may restart together': {
    resources: [made('EKS'), site('EKS'), small()],
    steps: LESS,
    want: [
      '  ml/q   2 replicas; at least 0 serve during rollout',
      `    ~ us/0   ${MAY_RESTART}`,
      `    ~ us/1   ${MAY_RESTART}`,
      'Total: 2 may restart.',
    ],
  },
  'a replica that leaves a smaller pool is down with its node, and others may be': {
    resources: [made('EKS'), scaledDown('EKS', 2, 1), q({ replicas: 3 })],
    steps: ['add-nodes us/new=1', ...LESS],
    want: [
      '  ml/q   3 replicas; at least 1 serves during rollout',
      '    > us/1   pool new: 1 whole node (8 gpu)   from us/1, with downtime: pool h100: needs 8 gpu on one node; all its 8 devices are in use, down because its nodes are deleted first',
      `    ~ us/0   ${MAY_RESTART}`,
      'Total: 1 moved, 1 may restart, 1 keeps its place.',
    ],
  },
  'replicas on a removed pool are down with it': {
    resources: [made('GKE'), scaledDown('GKE', 2, 0), q()],
    steps: ['add-nodes us/new=2', 'remove-pool us/h100'],
    want: [
      '  ml/q   2 replicas; at least 0 serve during rollout',
      '    > us/0   pool new: 1 whole node (8 gpu)   from us/0, with downtime: pool h100 is removed, down because its nodes are deleted first',
      '    > us/1   pool new: 1 whole node (8 gpu)   from us/1, with downtime: pool h100 is removed, down because its nodes are deleted first',
      'Total: 2 moved.',
    ],
  },
  'copies that the same scenario adds do not serve while nodes go': {
    resources: [made('EKS'), site('EKS'), halves(1)],
    steps: [...LESS, 'scale-engine ml/halves/main=2'],
    want: [
      '  ml/halves   1 replica; at least 0 serve during rollout',
      `    ~ us/0   ${MAY_RESTART}`,
      'Total: 1 may restart.',
    ],
  },
  'of a pool that no cloud runs, it is said which nodes to remove': {
    resources: [made('GKE'), aCluster('us', { pools: { h100: 4 } }), halves(3)],
    steps: LESS,
    want: ['Total: 3 keep their places.'],
  },
  'a replica that drains already may restart': {
    former: [made('EKS'), site('EKS'), aCluster('eu', { pools: { h100: 0 } }), single],
    resources: [
      made('EKS'),
      site('EKS', {}, { taints: [{ key: 'maintenance', effect: 'NoExecute' }] }),
      aCluster('eu', { pools: { h100: 1 } }),
      single,
    ],
    steps: LESS,
    want: [
      '  ml/single   1 replica; at least 1 serves during rollout',
      `    ~ us/0   ${MAY_RESTART}`,
      'Total: 1 may restart, 1 keeps its place.',
    ],
  },
  'a pool that loses no nodes adds nothing': {
    resources: [made('GKE'), site('GKE'), q()],
    steps: ['scale ml/q=1'],
    want: [
      '  ml/q   1 replica',
      '    - us/1   the deployment has fewer replicas',
      'Total: 1 removed, 1 keeps its place.',
    ],
  },
};

test.each(Object.entries(rows))('%s', (_, row) => {
  const { steps, want } = row;
  const earlier = stateOf(row);
  const { decision } = earlier;
  const [outcome] = whatIf(decision, [scenarioOf(decision, ...steps)]);
  const lines = terminalLines(formatOutcomes([outcome!], decision.fleet));
  expect(lines.filter((line) => /^ {2,4}(?!prices)\S|^Total/.test(line))).toEqual(want);
});

const shrinking = Object.entries(rows).filter(([, { steps }]) => steps.some((step) => !step.startsWith('scale ')));

function stateOf({ former, resources }: Row): ReturnType<typeof state> {
  if (!former) return state('main', resources);
  const before = state('former', former);
  return state('main', resources, before.decision.lock, before);
}

/** What happens to the nodes of replicas. */
const listNodes = (all: readonly { readonly changes: readonly ReplicaChange[] }[]) =>
  all.flatMap(({ changes }) =>
    changes.flatMap(({ from, cluster, index, nodes, mayStay, ifDrained }) =>
      nodes ? [{ place: placeText(from ?? { cluster, index }), nodes, mayStay, ifDrained }] : [],
    ),
  );

const listServing = (all: readonly { readonly deployment: string; readonly serving?: ServingDuringChange }[]) =>
  all.map(({ deployment, serving }) => ({ deployment, serving }));

test.each(shrinking)('a plan of the same edit says the same: %s', (_, row) => {
  const { resources, steps } = row;
  const earlier = stateOf(row);
  const { decision } = earlier;
  const scenario = scenarioOf(decision, ...steps);
  const [{ deployments, warnings = [] }] = whatIf(decision, [scenario]) as [Outcome];
  const { later, diff } = change(earlier, scenario.steps.reduce(edited, resources));
  expect(listServing(deployments)).toEqual(listServing(diff.deployments));
  const lost = deployments.map(({ onLostNodes: changes = [] }) => ({ changes }));
  expect(listNodes(lost)).toEqual(listNodes(diff.deployments));
  const said = findFewerNodes(diff, { before: decision, after: later.decision, at: 'what-if' });
  expect(warnings).toEqual(said.map((one) => ({ ...one, at: 'what-if' })));
});
