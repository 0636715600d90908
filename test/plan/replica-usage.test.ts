import { decide } from '../../src/plan/decide';
import type { DeploymentPlan, Usage } from '../../src/plan/plan';
import { computeCostOfPlacements } from '../../src/plan/plan-cost';
import { createUsageLookup } from '../../src/plan/replica-usage';
import { formatUsage } from '../../src/report/plan/deployments-text';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass } from '../scheduler/build';
import { formerly } from '../scheduler/lock/build';

const H100 = nodeClass('h100');

/** What the first replica of `ml/q` takes, as data. */
function usageOf(options: Parameters<typeof deployment>[1]): readonly Usage[] {
  const fleet = fleetOf(H100, cluster('eu', { a: 'h100 x 9' }), deployment('ml/q', options));
  const [change] = decide(fleet, () => '', EMPTY_LOCK).plan.deployments[0]!.changes;
  return change && 'replica' in change ? change.replica.usage : [];
}

const cases: Record<string, { options: Parameters<typeof deployment>[1]; want: Usage; text: string }> = {
  'nodes that no other can use, and devices': {
    options: { engines: [engine('main', [ask('gpu', 8)], { copies: 2 })] },
    want: { pool: 'a', nodes: 2, devices: { gpu: 16 }, share: 2 },
    text: 'pool a: 2 whole nodes (16 gpu)',
  },
  'whole nodes and parts of others, with the devices of all': {
    options: { engines: [engine('main', [ask('gpu', 8)]), engine('draft', [ask('gpu', 2)])] },
    want: { pool: 'a', nodes: 1, devices: { gpu: 10 }, share: 1.25 },
    text: 'pool a: 1 whole node, 10 gpu',
  },
  'what is kept for rollouts is in all of it, and named': {
    options: {
      engines: [engine('main', [ask('gpu', 8)], { copies: 2 })],
      spec: { rollout: { surge: 1 } },
    },
    want: { pool: 'a', nodes: 3, devices: { gpu: 24 }, surge: { gpu: 8 }, share: 2, surgeShare: 1 },
    text: 'pool a: 3 whole nodes (24 gpu, 8 gpu of it for rollouts)',
  },
  'a group of a gang counts with all its pods': {
    options: {
      engines: [engine('main', [ask('gpu', 2)], { workers: 3 })],
      spec: { rollout: { surge: 1 } },
    },
    want: { pool: 'a', nodes: 0, devices: { gpu: 16 }, surge: { gpu: 8 }, share: 1, surgeShare: 1 },
    text: 'pool a: 16 gpu (8 gpu of it for rollouts)',
  },
};

test.each(Object.entries(cases))('usage: %s', (_, { options, want, text }) => {
  const usage = usageOf(options);
  expect(usage).toEqual([want]);
  expect(usage.map(formatUsage)).toEqual([text]);
});

/** The devices that the replicas of a deployment take of their first pools. */
function devicesTaken({ changes }: DeploymentPlan) {
  return changes.map((change) => 'replica' in change && change.replica.usage[0]?.devices);
}

const pods = (copies: number) => ({ engines: [engine('main', [ask('gpu', 8)], { copies })] });

test('what two pods and one with a surge take is distinguished', () => {
  const fleet = fleetOf(
    H100,
    cluster('eu', { a: 'h100 x 9' }),
    deployment('ml/p', pods(2)),
    deployment('ml/q', { ...pods(1), spec: { rollout: { surge: 1 } } }),
  );
  const { deployments } = decide(fleet, () => '', EMPTY_LOCK).plan;
  const surges = deployments.flatMap(({ changes }) =>
    changes.map((change) => 'replica' in change && change.replica.usage[0]!.surge),
  );
  expect(surges).toEqual([undefined, { gpu: 8 }]);
});

test('deployments of one shape take what each of them keeps for rollouts', () => {
  const fleet = fleetOf(
    H100,
    cluster('eu', { a: 'h100 x 9' }),
    deployment('ml/p', pods(1)),
    deployment('ml/q', { ...pods(1), spec: { rollout: { surge: 1 } } }),
  );
  const { plan, schedule } = decide(fleet, () => '', EMPTY_LOCK);
  const [p, q] = schedule.placements;
  expect(p!.shape).toBe(q!.shape);
  expect(plan.deployments.map(devicesTaken)).toEqual([[{ gpu: 8 }], [{ gpu: 16 }]]);
});

test('a replica of earlier engines takes what these ask for', () => {
  const former = formerly('ml/q', 2);
  const at = { deployment: 'ml/q', index: 0, pools: { main: 'a' }, shape: former.shape };
  const lock = { placements: [{ ...at, cluster: 'eu' }], unplaced: new Map(), shapes: [former] };
  const fleet = fleetOf(H100, cluster('eu', { a: 'h100 x 2' }), deployment('ml/q', { gpus: 4 }));
  const { model, matcher, schedule } = decide(fleet, () => '', lock);
  const usageAt = createUsageLookup(model, matcher);
  expect(schedule.placements.map((one) => usageAt(one)[0]?.devices)).toEqual([{ gpu: 2 }, { gpu: 4 }]);
});

test('what recreates everything has one wave', () => {
  const rollout = 'Recreate';
  const fleet = fleetOf(H100, cluster('eu', { a: 'h100 x 2' }), deployment('ml/q', { replicas: 2, spec: { rollout } }));
  const { replicas } = decide(fleet, () => '', EMPTY_LOCK);
  expect(replicas.map(({ wave }) => wave.fleet)).toEqual([1, 1]);
});

test('a plan says in which wave each replica is replaced', () => {
  const fleet = fleetOf(
    H100,
    cluster('eu', { a: 'h100 x 2' }),
    cluster('us', { a: 'h100 x 2' }),
    deployment('ml/q', { replicas: 4, spec: { rollout: { parallel: 3 } } }),
  );
  const { plan, replicas } = decide(fleet, () => '', EMPTY_LOCK);
  const waves = plan.deployments[0]!.changes.flatMap((change) => ('replica' in change ? [change.replica.wave] : []));
  expect(waves).toEqual([1, 1, 1, 2]);
  expect(replicas.map(({ wave }) => wave)).toEqual([
    { fleet: 1, cluster: 1 },
    { fleet: 1, cluster: 1 },
    { fleet: 1, cluster: 1 },
    { fleet: 2, cluster: 1 },
  ]);
});

test('what is taken of pools of one name is reported for the nodes of each', () => {
  const fleet = fleetOf(
    H100,
    nodeClass('half', device('gpu', { count: 4 })),
    cluster('eu', { a: 'h100 x 1' }),
    cluster('us', { a: 'half x 1' }),
    deployment('ml/q', { replicas: 2, engines: [engine('main', [ask('gpu', 4)])] }),
  );
  const [plan] = decide(fleet, () => '', EMPTY_LOCK).plan.deployments;
  const taken = plan!.changes.map((change) => 'replica' in change && change.replica.usage[0]);
  expect(taken).toMatchObject([
    { nodes: 0, share: 0.5 },
    { nodes: 1, share: 1 },
  ]);
});

test('what is taken of pools of equal nodes is reported by the name of each', () => {
  const fleet = fleetOf(
    H100,
    cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }),
    deployment('ml/q', { replicas: 2, engines: [engine('main', [ask('gpu', 8)])] }),
  );
  const [plan] = decide(fleet, () => '', EMPTY_LOCK).plan.deployments;
  const pools = plan!.changes.map((change) => 'replica' in change && change.replica.usage[0]!.pool);
  expect(pools).toEqual(['a', 'b']);
});

/** A small engine and one that takes a node: replicas of it are on two pools each. */
const TWO = { engines: [engine('main', [ask('gpu', 1)]), engine('side', [ask('gpu', 8)])], replicas: 2 };
const SITE = cluster('eu', { a: 'h100 x 1', b: 'h100 x 1', c: 'h100 x 1' });

test('each replica takes the pools that its own engines are on', () => {
  const { deployments } = decide(fleetOf(H100, SITE, deployment('ml/q', TWO)), () => '', EMPTY_LOCK).plan;
  const [{ changes } = { changes: [] }] = deployments;
  const pools = changes.map((change) => 'replica' in change && change.replica.placement.pools);
  const taken = changes.map((change) => 'replica' in change && change.replica.usage.map(({ pool }) => pool));
  expect(pools).toEqual([
    { main: 'a', side: 'b' },
    { main: 'a', side: 'c' },
  ]);
  expect(taken).toEqual([
    ['a', 'b'],
    ['a', 'c'],
  ]);
});

test('what replicas cost does not depend on the order in which they are named', () => {
  const { fleet, model, matcher, schedule } = decide(
    fleetOf(H100, SITE, deployment('ml/q', TWO), deployment('ml/p', { gpus: 1 })),
    () => '',
    EMPTY_LOCK,
  );
  const costOf = (placements: typeof schedule.placements) =>
    computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher));
  expect(schedule.placements).toHaveLength(3);
  expect(costOf(schedule.placements.toReversed())).toEqual(costOf(schedule.placements));
});
