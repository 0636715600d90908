import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import { idText } from '../base/text';
import { poolKeyOf } from '../cost/pool-prices';
import { isWorkload } from '../manifest/kubernetes/workload-kinds';
import type { PlacedFleet } from '../plan/decision';
import { type DeploymentPods, findBlockedWaves, withLeastCopies } from './blocked-waves';
import type { FleetDiff, ObjectChangeWithCauses } from './fleet-diff';
import { createClusterRenderer } from './object-changes';
import { type Cause, dedupeCauses } from './replica-causes';
import { toLabelId } from './rolled-replicas';
import type { ApplyMode } from './serving-during-change';

/** New pods for which a tool waits without end, because they need devices of pods that it removes last. */
export interface BlockedPods {
  readonly applied: ApplyMode;

  /** Where: `cluster/pool`. */
  readonly pools: readonly string[];

  /** The deployments of the new pods, and of those that are removed: `namespace/name`. */
  readonly coming: readonly string[];
  readonly going: readonly string[];

  /** The edits by which pods come, and those by which pods go. */
  readonly comesBy: readonly Cause[];
  readonly goesBy: readonly Cause[];
}

interface BlockedContext {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;
  readonly applied: ApplyMode;
}

/**
 * Finds pods for which waves of a change wait without end, those of the same deployments together. Argo CD waits for all
 * workloads and prunes last (`PruneLast=true`). A Pulumi stack waits for replicas that run already, and deletes last.
 * Earlier manifests stand for what runs, with as few copies as an autoscaler keeps.
 */
export function findBlockedPods(
  diff: Pick<FleetDiff, 'objects' | 'lostClusters'>,
  context: BlockedContext,
): BlockedPods[] {
  if (context.applied === 'atOnce') return [];
  const blocked = listReplacing(diff).flatMap((workloads) => findBlockedOn(workloads, context));
  const byDeployments = groupBy(blocked, ({ coming, going }) => `${coming.join()} ${going.join()}`);
  return [...byDeployments.values()].flatMap((all) =>
    all.slice(0, 1).map((first) => ({
      ...first,
      pools: all.flatMap(({ pools }) => pools),
      comesBy: dedupeCauses(all.flatMap(({ comesBy }) => comesBy)),
      goesBy: dedupeCauses(all.flatMap(({ goesBy }) => goesBy)),
    })),
  );
}

/** The changed workloads of each cluster on which some go and others come or change. */
function listReplacing({
  objects,
  lostClusters = [],
}: Pick<FleetDiff, 'objects' | 'lostClusters'>): (readonly ObjectChangeWithCauses[])[] {
  const lost = new Set(lostClusters);
  const byCluster = groupBy(objects.filter(isWorkload), ({ cluster }) => cluster);
  return [...byCluster].flatMap(([cluster, all]) => {
    const removed = all.filter(isRemoved).length;
    return lost.has(cluster) || removed === 0 || removed === all.length ? [] : [all];
  });
}

function findBlockedOn(
  workloads: readonly ObjectChangeWithCauses[],
  { before, after, applied }: BlockedContext,
): BlockedPods[] {
  const cluster = after.fleet.clusters.find(({ metadata: { name } }) => name === workloads[0]?.cluster);
  if (!cluster) return [];
  const affected = { cluster: cluster.metadata.name };
  const [running, manifests] = [before, after].map((one) => withLeastCopies(createClusterRenderer(one)(affected)));
  const inWaves = applied === 'withWaves' ? { inWaves: listSeveral(after) } : {};
  const planned = { cluster, fleet: after.fleet, manifests: manifests ?? [], ...inWaves };
  return findBlockedWaves(planned, running ?? []).map(({ pool, coming, going }) => ({
    applied,
    pools: [poolKeyOf(affected.cluster, pool)],
    coming: coming.map(({ deployment }) => deployment),
    going: going.map(({ deployment }) => deployment),
    comesBy: causesOf(workloads, coming),
    goesBy: causesOf(workloads, going),
  }));
}

function isRemoved({ action }: ObjectChangeWithCauses): boolean {
  return action === 'delete';
}

/** The deployments with more than one replica: a stack replaces these in waves. */
function listSeveral({ replicas }: PlacedFleet): Set<string> {
  const byDeployment = groupBy(replicas, ({ deployment }) => toLabelId(qualifiedNameOf(deployment)));
  return new Set([...byDeployment].flatMap(([id, own]) => (own.length > 1 ? [id] : [])));
}

/** The edits that make, change or remove these workloads. */
function causesOf(changes: readonly ObjectChangeWithCauses[], pods: readonly DeploymentPods[]): Cause[] {
  const workloads = new Set(pods.flatMap((one) => one.workloads));
  return dedupeCauses(
    changes.flatMap((one) => (workloads.has(`${one.kind} ${idText(one.namespace, one.name)}`) ? one.causes : [])),
  );
}
