import { decide } from '../../src/plan/decide';
import { listChangedDeployments, listReplicasAfter } from '../../src/plan/deployment-plans';
import type { DeploymentPlan } from '../../src/plan/plan';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { cluster, deployment, fleetOf, nodeClass } from '../scheduler/build';

const H100 = nodeClass('h100');
const US = cluster('us', { a: 'h100 x 4' });

type Counts = readonly [a: number, b: number];

/** Deployments `ml/a` and `ml/b` with so many replicas are locked, then ask for others. */
function between(before: Counts, after: Counts): readonly DeploymentPlan[] {
  const fleet = ([a, b]: Counts) =>
    fleetOf(H100, US, deployment('ml/a', { replicas: a }), deployment('ml/b', { replicas: b }));
  const { lock } = decide(fleet(before), () => '', EMPTY_LOCK);
  return decide(fleet(after), () => '', lock).plan.deployments;
}

const described = (all: readonly DeploymentPlan[]): unknown[] =>
  all.map(({ deployment, staying, changes, shortfall }) => ({
    deployment,
    staying: staying?.length,
    actions: changes.map(({ action }) => action),
    missing: shortfall?.missing,
  }));

test('replicas that stay are apart from what changes, and are not what changes', () => {
  const deployments = between([1, 1], [2, 1]);
  expect(described(deployments)).toEqual([
    { deployment: 'ml/a', staying: 1, actions: ['place'] },
    { deployment: 'ml/b', staying: 1, actions: [] },
  ]);
  expect(described(listChangedDeployments(deployments))).toEqual([{ deployment: 'ml/a', actions: ['place'] }]);
});

test('a deployment that lacks a place is reported, though nothing happens to it', () => {
  const changed = listChangedDeployments(between([3, 1], [4, 1]));
  expect(described(changed)).toEqual([{ deployment: 'ml/a', actions: [], missing: 1 }]);
});

test('replicas after a plan are those that stay and those that come', () => {
  const [a] = between([1, 1], [2, 1]);
  expect(a && listReplicasAfter(a).map(({ placement }) => placement.index)).toEqual([0, 1]);
});
