import type { InferenceCluster } from '../../api/inference-cluster';
import { CLUSTER_LABEL } from '../../api/labels';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { valueAt } from '../../base/json';
import { groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { readCopyBounds } from '../../manifest/kubernetes/copy-bounds';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { shortenName } from '../../manifest/kubernetes/object-names';
import { compileClusters } from '../../scheduler/compile/compile-clusters';
import type { Pool } from '../../scheduler/compiled-fleet';
import { PodMatcher } from '../../scheduler/devices/match-pod';
import { Ledger } from '../../scheduler/ledger';
import { type ApiClientOptions, withApiClient } from '../client/api-client';
import type { ClusterAccess } from '../client/cluster-access';
import { readServerVersion } from '../client/list-objects';
import { UnreachableError } from '../client/unreachable-error';
import type { ClusterProblems } from '../finding';
import type { LiveObject } from '../live-object';
import { listPoolUsage, type PoolUsage, usesMore } from './pool-usage';
import { listWorkloadsAndClaims } from './read-workloads';
import { warnUnlisted } from './wave-messages';

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

/**
 * Finds waves that can never complete: a workload that they wait for grows on a pool, and needs devices that a
 * workload holds which the same change removes. Removals come last, after all waves are ready. The capacity of a pool is
 * the same as for placement: declared nodes, less those that a snapshot shows as lost, with a guaranteed place for
 * every new pod.
 *
 * @param running workloads and claim templates on the cluster. Objects that belong to others are ignored
 */
export function findWaveDeadlocks(
  { cluster, fleet, manifests, inWaves }: PlannedCluster,
  running: readonly LiveObject[],
): Diagnostic[] {
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
    return lacking > 0 ? [toDeadlockProblem(cluster, pool, { ...change, lacking })] : [];
  });
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

function workloadKeyOf({ kind, metadata: { namespace = '', name } }: Pick<LiveObject, 'kind' | 'metadata'>): string {
  return `${kind} ${namespace}/${name}`;
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

function toDeadlockProblem(
  { metadata: { name } }: InferenceCluster,
  pool: Pool,
  { coming, going, lacking }: PoolChange & { readonly lacking: number },
): Diagnostic {
  const goes = formatDeployments(going);
  const wait = `${formatDeployments(coming)} would wait for devices of ${goes}, which is removed last`;
  const size = `${pluralize(pool.nodes - pool.lost, 'node')}, and both need ${lacking} more`;
  const what = `waves would block in pool '${pool.name}': ${wait}. It has ${size}`;
  const hint = `Remove ${goes} in one update and add the rest in the next, or turn waves off for this update`;
  return errorAt('blocked-waves', name, what, hint);
}

/** Formats deployments with their pods on a pool: `ml/chat (2 pods), ml/code (1 pod)`. */
function formatDeployments(all: readonly PoolUsage[]): string {
  const byDeployment = [...groupBy(all, ({ deployment }) => deployment)];
  return joinNames(byDeployment.map(([id, workloads]) => `${id} (${pluralize(countPods(workloads), 'pod')})`));
}

function countPods(all: readonly PoolUsage[]): number {
  return all.flatMap(({ pods }) => pods).reduce((sum, one) => sum + one.pods, 0);
}

/** Connects to a cluster and finds waves that can never complete. Returns a warning if its workloads cannot be listed. */
export async function checkWavesOnCluster(
  planned: PlannedCluster,
  access: ClusterAccess,
  options: ApiClientOptions,
): Promise<ClusterProblems> {
  const found = await withApiClient(access, options, async (api) => {
    await readServerVersion(api);
    return listWorkloadsAndClaims(api);
  });
  if ('length' in found) return { problems: findWaveDeadlocks(planned, found), warnings: [] };
  const why = found instanceof UnreachableError ? found.message : found.why;
  return { problems: [], warnings: [warnUnlisted(planned.cluster.metadata.name, why)] };
}
