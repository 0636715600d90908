import { formatCount } from '../base/figures';
import { clusterLabelsOf } from '../api/cluster-labels';
import type { InferenceCluster } from '../api/inference-cluster';
import { PROVIDER_LABEL } from '../api/labels';
import type { NodePool } from '../api/node-pool';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { joinSteps } from '../base/numbered-steps';
import { joinNames, pluralize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import { isManagedCloud, MANAGED_CLOUDS, type ManagedCloud } from '../provision/managed-cloud';
import type { FleetDiff } from './fleet-diff';
import { listReducedPools, type ReducedPool } from './reduced-pools';

type Placed = Pick<PlacedFleet, 'fleet' | 'schedule' | 'model' | 'matcher'>;

interface ChangedPools {
  readonly before: Placed;
  readonly after: Placed;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

type ChangedResources = Pick<FleetDiff, 'cloud' | 'declarations'> & Partial<Pick<FleetDiff, 'objects'>>;

/** The most deployments that a warning names. */
const MAX_NAMED = 3;

/**
 * Finds pools of fixed size that get fewer nodes while replicas stay on them: those on a node that goes restart. Not
 * for pools between bounds, whose autoscaler removes nodes as they become empty, nor where all nodes are recreated.
 */
export function findFewerNodes(diff: ChangedResources, { before, after, at }: ChangedPools): Diagnostic[] {
  return listReducedPools(diff.cloud, { before, after }).map((reduced) => {
    const { cluster, pool } = reduced;
    const { name } = cluster.metadata;
    const { source } = cluster.spec.cluster;
    const { what, hint } = isManagedCloud(source) ? ofCloud(source, reduced) : ofOperator(reduced, diff);
    return { ...warningAt('fewer-nodes', placeOf(diff, name, pool) ?? at, what, hint), pool: `${name}/${pool.name}` };
  });
}

/** The pools of warnings, which say when their nodes go and how: `us/h100`. */
export function listWarnedPools(warnings: readonly Diagnostic[]): string[] {
  return warnings.flatMap(({ code, pool }) => (code === 'fewer-nodes' && pool !== undefined ? [pool] : []));
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

function ofCloud(cloud: ManagedCloud, reduced: ReducedPool): WarningText {
  const { pool, lost, ids } = reduced;
  const them = lost === 1 ? 'it' : 'them';
  const steps = [`drain ${them} with '${DRAIN}'`, ...DELETE_NODES[cloud](them, pool.nodeCount)];
  const names = joinNames(ids, MAX_NAMED);
  const what = `${describeLoss(reduced)}, and the cloud chooses which: replicas of ${names} may restart${describeCritical(reduced)}`;
  const when = reduced.isLeft ? ' (best when the pods that this change takes off it are gone)' : '';
  const before = `Before the pool is resized${when}, choose ${describeChoice(reduced)}, and in this order`;
  return { what, hint: joinSteps({ before, steps }) };
}

/** Pods of inference have volumes of their own, and each node has pods of DaemonSets: drivers, exporters. */
const DRAIN = 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data';

function ofOperator(reduced: ReducedPool, { objects }: ChangedResources): WarningText {
  const { cluster, pool, lost, ids } = reduced;
  const cloud = cloudOf(cluster);
  const [them, on] = lost === 1 ? ['it', 'on this node'] : ['them', 'on these nodes'];
  const names = joinNames(ids, MAX_NAMED);
  const what = `${describeLoss(reduced)}: pods of ${names} ${on} restart on ${pool.nodeCount === 1 ? 'the node that stays' : 'the nodes that stay'}${describeWait(reduced)}${describeCritical(reduced)}`;
  const remove = cloud ? DELETE_NODES[cloud](them, pool.nodeCount) : [`remove ${them}`];
  const other = lost === 1 ? 'another node' : 'other nodes';
  const steps = [
    `drain ${them} with '${DRAIN}' (one replica of a deployment at a time stops)`,
    ...remove.slice(0, -1),
    `${remove.at(-1)}, not with a lower node count, which may remove ${other}`,
  ];
  const time = objects?.length === 0 ? 'alone' : 'anytime';
  const when = CHOOSE[reduced.isLeft ? 'after' : time];
  const before = `Neither merging nor 'pulumi up' removes nodes of this cluster. ${when} ${describeChoice(reduced)}, and in this order`;
  return { what, hint: joinSteps({ before, steps }) };
}

/** Where the plan has room for these pods only once others have left. */
function describeWait({ isFullUntilLeft }: ReducedPool): string {
  return isFullUntilLeft ? ', which may have no room for them until this change has removed other pods there' : '';
}

const CHOOSE = {
  after: 'Last, when manifests are applied and the pods that they stop are gone, choose',
  anytime: 'Before or after manifests are applied, choose',
  alone: 'Before or after merging, as no manifest changes, choose',
};

/** The cloud of a cluster that no stack creates, if its label names it. */
function cloudOf(cluster: InferenceCluster): ManagedCloud | undefined {
  const provider = clusterLabelsOf(cluster)[PROVIDER_LABEL];
  return MANAGED_CLOUDS.find((cloud) => cloud === provider);
}

/** `2 nodes without pods of ml/one, if there are such`, `1 node with the fewest pods of ml/two`. */
function describeChoice({ lost, ids, critical, hasOtherNodes }: ReducedPool): string {
  const none = hasOtherNodes ? '' : `, if there ${lost === 1 ? 'is one' : 'are such'}`;
  const which =
    critical.length > 0
      ? `without pods of ${joinNames(critical, MAX_NAMED)}${none}`
      : `with the fewest pods of ${joinNames(ids, MAX_NAMED)}`;
  return `${pluralize(lost, 'node')} ${which}`;
}

/** `us/h100 loses 2 of its 3 nodes`. */
function describeLoss({ cluster, pool, lost }: ReducedPool): string {
  const nodes = pluralize(pool.nodeCount + lost, 'node');
  return `${cluster.metadata.name}/${pool.name} loses ${formatCount(lost)} of its ${nodes}`;
}

/** `; ml/one has no replica to spare`. Empty: enough replicas of each serve while one restarts. */
function describeCritical({ ids, critical }: ReducedPool): string {
  if (critical.length === 0) return '';
  const who = ids.length === 1 ? 'it' : joinNames(critical, MAX_NAMED);
  return `; ${who} ${critical.length === 1 ? 'has' : 'have'} no replica to spare`;
}

function placeOf({ declarations }: ChangedResources, cluster: string, { name }: NodePool): string | undefined {
  const found = declarations.find(({ id }) => id === `InferenceCluster ${cluster}`);
  return found?.fields.find(({ field }) => field === `spec.nodePools[${name}].nodeCount`)?.where ?? found?.where;
}
