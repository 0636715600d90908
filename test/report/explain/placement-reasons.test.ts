import { decide } from '../../../src/plan/decide';
import { formatExplanation, formatPlacementReason } from '../../../src/report/explain/deployment-explanation';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { explainDeployment } from '../../../src/scheduler/explain-deployment';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { createReasonLookup, type PlacedModel } from '../../../src/scheduler/placement-reasons';
import { schedule } from '../../../src/scheduler/schedule';
import { anEngine, byPath } from '../../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../../routing/build';
import { cluster, deployment as declared, fleetOf, modelAfter, modelOf, nodeClass } from '../../scheduler/build';

interface Row {
  /** The `placement` of the deployment. */
  placement?: Record<string, unknown>;
  replicas?: number;
  /** Another deployment, of this many GPUs a replica. */
  other?: number;
  /** The GPUs of a replica when the plan is locked and made again. Absent: it is made once. */
  later?: number;
  /** The text after the pool, by replica. */
  want: Record<string, string>;
}

const cases: Record<string, Row> = {
  'the line of the lock': { later: 4, want: { 'eu/0': 'locked' } },
  'Spread, with its ties': {
    want: {
      'eu/0':
        'new: Spread, the cluster with the fewest replicas of the deployment, then with the most free devices for it',
    },
  },
  'a domain before the policy': {
    placement: { spreadBy: 'zone' },
    want: {
      'eu/0':
        'new: Spread, the domain with the fewest replicas (zone a), then the cluster with the fewest replicas of the deployment, then with the most free devices for it',
    },
  },
  Pack: {
    placement: { policy: 'Pack' },
    want: { 'eu/0': 'new: Pack, the fullest cluster with room, then the first by name' },
  },
  Cheapest: {
    placement: { policy: 'Cheapest' },
    want: { 'eu/0': 'new: Cheapest, the cluster with room at the lowest price, then the first by name' },
  },
  'the selector that a preferred cluster matches, and that another matches none': {
    placement: { policy: 'Preferred', preferred: [{ matchLabels: { zone: 'b' } }] },
    replicas: 3,
    want: {
      'eu/0':
        'new: Preferred, the cluster with room of the earliest selector (it matches no selector), then the first by name',
      'us/0':
        'new: Preferred, the cluster with room of the earliest selector (it matches selector 1 of 1), then the first by name',
      'us/1':
        'new: Preferred, the cluster with room of the earliest selector (it matches selector 1 of 1), then the first by name',
    },
  },
  'the cluster of the replica that it replaces': {
    later: 2,
    want: {
      'eu/0':
        'replaces eu/0: its engines changed, and their earlier declaration is unknown; new: on the cluster of the replica that it replaces',
    },
  },
  'a place that another new replica needs to fit': {
    replicas: 2,
    other: 8,
    want: {
      'us/0':
        'new: Spread, the cluster with the fewest replicas of the deployment, then with the most free devices for it',
      'us/1': 'new: arranged with other new replicas, so that more of them fit',
    },
  },
};

const declare = (gpus: number) => [
  nodeClass('h100'),
  cluster('eu', { h100: 'h100 x 1' }),
  declared('ml/q', { replicas: 1, gpus }),
];

test('a replica that is placed in the room of earlier engines says so', () => {
  const { placements } = schedule(modelOf(...declare(8)));
  const model = modelAfter(declare(8), declare(7));
  expect(reasonsOf({ model, schedule: schedule(model, placements), given: placements })).toEqual([
    'new: in the room of replicas with earlier engines',
  ]);
});

test('the reason for a cluster that no gateway reaches is that no other has room', () => {
  const engines = [anEngine('main', { gpus: 8 })];
  const chat = aModel('ml/q', { replicas: 5, engines, replicaLabels: { app: 'chat' } });
  const unreached = aSite('east', { gateway: { reach: 'Cluster' } });
  const route = aSplit('ml/chat', [to({ app: 'chat' })]);
  const model = modelOf(H100, unreached, aSite('west'), aDoor(['west']), chat, route);
  const policy =
    'new: Spread, the cluster with the fewest replicas of the deployment, then with the most free devices for it';
  expect(reasonsOf({ model, schedule: schedule(model), given: [] })).toEqual([
    `${policy}; no ingress gateway reaches the cluster, and no other has room`,
    ...[1, 2, 3, 4].map(() => policy.replace('Spread, ', 'Spread, a cluster that an ingress gateway reaches, then ')),
  ]);
});

test('a cluster with room that no gateway reaches is the last choice, and says so', () => {
  const chat = aModel('ml/q', { replicas: 1, replicaLabels: { app: 'chat' } });
  const bare = aSite('east', { gateway: { reach: 'Cluster' } });
  const model = modelOf(H100, bare, aSite('west'), aDoor(['west']), chat, aSplit('ml/chat', [to({ app: 'chat' })]));
  const explanation = explainDeployment({ model, schedule: schedule(model), given: [] }, model.deployments[0]!);
  const lines = terminalLines(formatExplanation(explanation, undefined, 'USD')).map((line) => line.trim());
  expect(lines.slice(lines.indexOf('east'), lines.indexOf('west'))).toEqual([
    'east',
    'room for 32 more replicas   next: pool h100',
    'last choice: no ingress gateway reaches it. See its spec.gateway',
    '',
  ]);
});

test.each([
  ['earlier engines', modelAfter(declare(4), declare(2)), 'its engines changed'],
  [
    'a taint',
    modelOf(
      nodeClass('h100'),
      cluster('eu', { h100: 'h100 x 1' }, { taints: [{ key: 'gone', effect: 'NoExecute' }] }),
      cluster('us', { h100: 'h100 x 1' }),
      declared('ml/q', { replicas: 1, gpus: 4 }),
    ),
    'the taint gone:NoExecute is not tolerated',
  ],
])('a replica that the lock has as draining says what it drains for: %s', (_, model, why) => {
  const first = schedule(modelOf(...declare(4))).placements;
  const given = schedule(model, first).placements;
  const [deployment] = model.deployments;
  const explanation = explainDeployment({ model, schedule: schedule(model, given), given }, deployment!);
  const lines = terminalLines(formatExplanation(explanation, undefined, 'USD')).map((line) => line.trim());
  expect(lines.filter((line) => line.startsWith('~'))).toEqual([`~ eu/0      draining: ${why}`]);
});

/** The reasons for all places, of one deployment. */
function reasonsOf(placed: PlacedModel): string[] {
  const [deployment] = placed.model.deployments;
  if (!deployment) throw new Error('the deployment is not compiled');
  const reasonFor = createReasonLookup(placed, deployment);
  return placed.schedule.placements.map((one) => formatPlacementReason(reasonFor(one)));
}

test.each(Object.entries(cases))('explain gives as the reason for a place %s', (_, row) => {
  const { placement, replicas = 1, later, other, want } = row;
  const large = other === undefined ? [] : [declared('ml/large', { gpus: other })];
  const fleetWith = (each: number) =>
    fleetOf(
      nodeClass('h100'),
      cluster('eu', { h100: 'h100 x 1' }, { labels: { zone: 'a' } }),
      cluster('us', { h100: 'h100 x 1' }, { labels: { zone: 'b' } }),
      declared('ml/q', { replicas, gpus: each, spec: { priority: 1, ...(placement && { placement }) } }),
      ...large,
    );
  const first = decide(fleetWith(4), byPath, EMPTY_LOCK);
  const decided = later === undefined ? first : decide(fleetWith(later), byPath, first.lock);
  const deployment = decided.model.deployments.find(({ id }) => id === 'ml/q');
  if (!deployment) throw new Error('the deployment is not compiled');
  const explanation = explainDeployment({ ...decided, given: decided.given.placements }, deployment);
  const plan = decided.plan.deployments.find((one) => one.deployment === 'ml/q');
  const lines = terminalLines(formatExplanation(explanation, plan, 'USD'));
  const reasons = lines.flatMap((line) => /^ *[=+] (\S+) .*gpu {3}(.*)$/.exec(line)?.slice(1, 3) ?? []);
  expect(reasons).toEqual(Object.entries(want).flat());
});
