import type { NodePool } from '../api/node-pool';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { sortUnique } from '../base/order';
import { joinNames, pluralize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import { isManagedCloud, type ManagedCloud } from '../provision/managed-cloud';
import type { FleetDiff } from './fleet-diff';
import { listReducedPools } from './reduced-pools';

type Placed = Pick<PlacedFleet, 'fleet' | 'schedule'>;

interface ChangedPools {
  readonly before: Placed;
  readonly after: Placed;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** The most deployments that a warning names. */
const MAX_NAMED = 3;

/**
 * Finds pools of fixed size that get fewer nodes while replicas stay on them: those on a node that goes restart. Not
 * for pools between bounds, whose autoscaler removes nodes as they become empty, nor where all nodes are recreated.
 */
export function findFewerNodes(diff: FleetDiff, { before, after, at }: ChangedPools): Diagnostic[] {
  return listReducedPools(diff.cloud, { before, after }).map(({ cluster, pool, lost, ids, alone }) => {
    const { name } = cluster.metadata;
    const { source } = cluster.spec.cluster;
    const only = sortUnique(alone.map(({ deployment }) => deployment));
    const size = { id: `${name}/${pool.name}`, lost, nodes: pool.nodeCount + lost };
    const { what, hint } = isManagedCloud(source) ? ofCloud(source, size, ids, only) : ofOperator(size, ids, only);
    return warningAt('fewer-nodes', placeOf(diff, name, pool) ?? at, what, hint);
  });
}

interface PoolLoss {
  /** `us/h100` */
  readonly id: string;

  /** Nodes that go, of those before. */
  readonly lost: number;
  readonly nodes: number;
}

interface WarningText {
  readonly what: string;
  readonly hint: string;
}

/**
 * What deletes drained nodes of a pool, which is then smaller, in order.
 *
 * Sources: the references of gcloud and az, and of TerminateInstanceInAutoScalingGroup, which does not go below the
 * minimum of a group.
 */
const DELETE_NODES: Readonly<Record<ManagedCloud, (them: string, left: number) => string[]>> = {
  GKE: (them) => [`delete ${them} with 'gcloud compute instance-groups managed delete-instances'`],
  EKS: (them, left) => [
    `set minSize of the node group to ${left} with 'aws eks update-nodegroup-config'`,
    `delete ${them} with 'aws autoscaling terminate-instance-in-auto-scaling-group --should-decrement-desired-capacity'`,
  ],
  AKS: (them) => [`delete ${them} with 'az aks nodepool delete-machines'`],
};

function ofCloud(
  cloud: ManagedCloud,
  { id, lost, nodes }: PoolLoss,
  ids: readonly string[],
  alone: readonly string[],
): WarningText {
  const them = lost === 1 ? 'it' : 'them';
  const steps = [`drain ${them} with 'kubectl drain'`, ...DELETE_NODES[cloud](them, nodes - lost)];
  const without = alone.length > 0 ? ` without pods of ${joinNames(alone, MAX_NAMED)}` : '';
  const names = joinNames(ids, MAX_NAMED);
  const what = `${id} loses ${lost} of its ${pluralize(nodes, 'node')}, and the cloud chooses which: replicas of ${names} may restart${describeAlone(ids, alone)}`;
  const hint = `Before you apply this, choose ${pluralize(lost, 'node')}${without}, and in this order: ${steps.map((step, i) => `${i + 1}. ${step}`).join('; ')}`;
  return { what, hint };
}

function ofOperator({ id, lost, nodes }: PoolLoss, ids: readonly string[], alone: readonly string[]): WarningText {
  const names = joinNames(ids, MAX_NAMED);
  const what = `${id} loses ${lost} of its ${pluralize(nodes, 'node')}, and replicas of ${names} stay there${describeAlone(ids, alone)}`;
  return { what, hint: `Remove only nodes without pods of ${names}` };
}

function describeAlone(ids: readonly string[], alone: readonly string[]): string {
  if (alone.length === 0) return '';
  const who = ids.length === 1 ? 'it' : joinNames(alone, MAX_NAMED);
  return `; ${who} ${alone.length === 1 ? 'has' : 'have'} no other replica that stays`;
}

function placeOf({ declarations }: FleetDiff, cluster: string, { name }: NodePool): string | undefined {
  const found = declarations.find(({ id }) => id === `InferenceCluster ${cluster}`);
  return found?.fields.find(({ field }) => field === `spec.nodePools[${name}].nodeCount`)?.where ?? found?.where;
}
