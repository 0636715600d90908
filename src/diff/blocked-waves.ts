import type { InferenceCluster } from '../api/inference-cluster';
import { CLUSTER_LABEL } from '../api/labels';
import { valueAt } from '../base/json';
import { groupBy, sortUnique } from '../base/order';
import { joinNames, pluralize } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { readCopyBounds } from '../manifest/kubernetes/copy-bounds';
import type { LiveObject } from '../manifest/kubernetes/live-object';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { shortenName } from '../manifest/kubernetes/object-names';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import type { Pool } from '../scheduler/compiled-fleet';
import { PodMatcher } from '../scheduler/devices/match-pod';
import { Ledger } from '../scheduler/ledger';
import { listPoolUsage, type PoolUsage, usesMore, workloadKeyOf } from './pool-usage';

/** A cluster and its rendered manifests. */
export interface PlannedCluster {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
  readonly manifests: readonly Manifest[];

  /**
   * The deployments that have waves, as `namespace/name`. Of these, waves wait for replicas that run already.
   *
   * @default - waves wait for all workloads
   */
  readonly inWaves?: ReadonlySet<string>;
}

/** A pool on which waves never complete. */
export interface BlockedPool {
  readonly pool: string;

  /** The nodes that it has. */
  readonly nodes: number;

  /** The nodes that it lacks for what comes next to what goes. */
  readonly lacking: number;

  /** The pods that wait, and those that are removed last, by deployment. */
  readonly coming: readonly DeploymentPods[];
  readonly going: readonly DeploymentPods[];
}

/** The pods of a deployment on a pool. */
export interface DeploymentPods {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly pods: number;

  /** Their workloads: `Deployment ml/chat-0`. */
  readonly workloads: readonly string[];
}

/**
 * Finds waves that can never complete: a workload that they wait for grows on a pool, and needs devices that a
 * workload holds which the same change removes. Removals come last, after all waves are ready. The capacity of a pool is
 * the same as for placement: declared nodes, less those that a snapshot shows as lost, with a guaranteed place for
 * every new pod.
 *
 * @param running workloads and claim templates on the cluster. Objects that belong to others are ignored
 */
export function findBlockedWaves(
  { cluster, fleet, manifests, inWaves }: PlannedCluster,
  running: readonly LiveObject[],
): BlockedPool[] {
  const [compiled] = compileClusters({ ...fleet, clusters: [cluster] });
  const pools = compiled?.pools ?? [];
  const reading = { pools, poolLabel: cluster.spec.poolLabel, matcher: new PodMatcher() };
  const planned = listPoolUsage(withCopies(manifests, running), reading);
  const live = listPoolUsage(running.filter(isManagedOn(cluster)), reading);
  const before = new Map(live.map((one) => [one.id, one]));
  const after = new Set(planned.map(({ id }) => id));
  const awaited = planned.filter(({ id, deployment }) => !inWaves || (before.has(id) && inWaves.has(deployment)));
  const coming = awaited.filter((one) => usesMore(one, before.get(one.id)));
  // Workloads that are replaced in place free their devices first, on any pool.
  const going = live.filter(({ id }) => !after.has(id));
  return pools.flatMap((pool) => {
    const on = (all: readonly PoolUsage[]): readonly PoolUsage[] => all.filter((one) => one.pool === pool);
    const change = { planned: on(planned), coming: on(coming), going: on(going) };
    const lacking = countMissingNodes(pool, change);
    if (lacking <= 0) return [];
    const [comes, goes] = [change.coming, change.going].map(countByDeployment);
    return [{ pool: pool.name, nodes: pool.nodes - pool.lost, lacking, coming: comes ?? [], going: goes ?? [] }];
  });
}

/** Manifests in which workloads that an autoscaler sizes have the fewest copies that it keeps. */
export function withLeastCopies(manifests: readonly Manifest[]): Manifest[] {
  return withCopies(manifests, []);
}

/** Manifests in which workloads that an autoscaler sizes have as many copies as they run with, or start with. */
function withCopies(manifests: readonly Manifest[], running: readonly LiveObject[]): Manifest[] {
  const live = new Map(running.map((one) => [workloadKeyOf(one), valueAt(one, ['spec', 'replicas'])]));
  return manifests.map((one) => {
    const bounds = readCopyBounds(one);
    if (!bounds) return one;
    const copies = live.get(workloadKeyOf(one));
    return { ...one, spec: { ...one.spec, replicas: typeof copies === 'number' ? copies : bounds.min } };
  });
}

/** The workloads of one pool that a change affects. */
interface PoolChange {
  readonly planned: readonly PoolUsage[];
  readonly coming: readonly PoolUsage[];
  readonly going: readonly PoolUsage[];
}

/** The number of nodes that a pool lacks for added workloads only because removed workloads still hold devices. */
function countMissingNodes(pool: Pool, { planned, coming, going }: PoolChange): number {
  const ledger = new Ledger();
  for (const { pods, surge } of planned) ledger.add([...pods, ...surge]);
  const come = coming.flatMap(({ pods }) => pods);
  const missingWithoutGoing = ledger.missingFor(pool, come);
  for (const { pods } of going) ledger.add(pods);
  return ledger.missingFor(pool, come) - missingWithoutGoing;
}

/** Whether an object belongs to this cluster of the fleet and is not being deleted. */
function isManagedOn({ metadata: { name } }: InferenceCluster): (object: LiveObject) => boolean {
  return ({ metadata }) =>
    metadata.labels?.[CLUSTER_LABEL] === shortenName(name) && metadata['deletionTimestamp'] === undefined;
}

function countByDeployment(all: readonly PoolUsage[]): DeploymentPods[] {
  const byDeployment = [...groupBy(all, ({ deployment }) => deployment)];
  return byDeployment.map(([deployment, own]) => {
    return { deployment, pods: countPods(own), workloads: sortUnique(own.map(({ workload }) => workload)) };
  });
}

function countPods(all: readonly PoolUsage[]): number {
  return all.flatMap(({ pods }) => pods).reduce((sum, one) => sum + one.pods, 0);
}

/** Formats deployments with their pods on a pool: `ml/chat (2 pods), ml/code (1 pod)`. */
export function formatDeploymentPods(all: readonly DeploymentPods[]): string {
  return joinNames(all.map(({ deployment, pods }) => `${deployment} (${pluralize(pods, 'pod')})`));
}
