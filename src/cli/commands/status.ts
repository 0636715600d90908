import { schedulerTypeOf } from '../../api/kubernetes-features';
import type { InferenceCluster } from '../../api/inference-cluster';
import { qualifiedNameOf } from '../../api/resource';
import { mapConcurrently } from '../../base/concurrency';
import { formatDiagnostic } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { withApiClient } from '../../live/client/api-client';
import { type ClusterAccess, resolveClusterAccess } from '../../live/client/cluster-access';
import { type Kubeconfig, loadKubeconfig } from '../../live/client/kubeconfig';
import type { Collection } from '../../live/listing';
import { UnreachableError } from '../../live/client/unreachable-error';
import { judgeCluster, type LockedCluster, reportUnreachableCluster } from '../../live/status/cluster-status';
import { QUEUE_LISTS } from '../../live/status/queue-lists';
import { readRunningCluster } from '../../live/status/read-running-cluster';
import { flattenManifests, renderClusterParts } from '../../render/cluster';
import { formatWarnings } from '../../report/plan/plan-text';
import { formatStatus } from '../../report/status-text';
import { type ConnectionFlags, findCluster, parseContexts, parseTimeout } from '../command-flags';
import { type CommonFlags, createOutOfDateLockError, PLACES } from '../decide-fleet';
import { type ValidDecision, decideValidResources } from '../decide-valid-resources';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { faultExitCodesOf, printFaults, toFaultFields } from '../resource-errors';
import type { StatusDocument } from '../json-documents';
import { type Io, printResult } from '../output';
import { LIVE } from '../read-inputs';
import { type SeenCluster, writeSnapshots } from '../write-snapshots';
import { placementKeyOf } from '../../scheduler/placement';
import { refuseProgramRenderers } from './synth';

export interface StatusFlags extends CommonFlags, ConnectionFlags {
  /** Pairs `CLUSTER=CONTEXT`. */
  readonly context?: readonly string[];

  /** The clusters to check. Default: all. */
  readonly cluster?: readonly string[];
  readonly snapshot?: string;

  /** Whether snapshots are written that show less than the ones that they replace. */
  readonly force?: boolean;
}

/** The maximum number of clusters that are read concurrently. */
const MAX_CONCURRENT_CLUSTERS = 8;

/**
 * `fleetwright status`: compares running clusters with the lock. Changes nothing on clusters. Exits with 6 if
 * something is wrong or unknown, or a cluster does not answer. Resources with errors count as the lock has them. If the
 * lock is out of date, it checks the replicas that the lock and the plan both have, and exits with 5.
 */
export async function runStatus(target: string, flags: StatusFlags, io: Io): Promise<ExitCode> {
  const decided = decideValidResources(target, { ...flags, ...PLACES, ...LIVE }, io);
  refuseProgramRenderers(target, decided);
  const { fleet } = decided;
  const clusters = flags.cluster?.map((name) => findCluster(name, fleet)) ?? fleet.clusters;
  const contexts = { named: parseContexts(flags.context ?? [], fleet), ownFile: flags.kubeconfig !== undefined };
  const config = loadKubeconfig(flags.kubeconfig, io);
  const options = { timeout: parseTimeout(flags), env: io.env, hide: io.hide };
  const results = await mapConcurrently(MAX_CONCURRENT_CLUSTERS, clusters, async (cluster) => {
    const access = resolveAccess(cluster, config, contexts);
    const locked = { ...lockedClusterOf(cluster, decided), kubectlOptions: kubectlOptionsOf(access, flags) };
    const running =
      access instanceof UnreachableError
        ? access
        : await withApiClient(access, options, (api) =>
            readRunningCluster(api, locked.manifests, queueListsOf(cluster, flags)),
          );
    const isUnreachable = running instanceof UnreachableError;
    const status = isUnreachable ? reportUnreachableCluster(locked, running.message) : judgeCluster(locked, running);
    return {
      status,
      seen: isUnreachable
        ? []
        : [{ cluster: cluster.metadata.name, lists: { ...running.lists, queues: running.queues } }],
    };
  });
  const statuses = results.map(({ status }) => status);
  const recorded = recordSnapshots(results, decided, flags);
  const fields = { outOfDate: decided.outOfDate, clusters: statuses, ...toFaultFields(decided) };
  printResult<StatusDocument>('Status', fields, () => formatStatus(statuses, flags.quiet), { flags, io });
  printFaults(decided, flags, io);
  for (const line of recorded.lines) io.err(`${line}\n`);
  if (decided.outOfDate) io.err(`${createOutOfDateLockError(target, flags, decided).message} ${OUT_OF_DATE_STATUS}\n`);
  const isWell = statuses.every(({ totals }) => totals.failure + totals.unknown === 0);
  const isAmiss = !isWell || !recorded.isComplete;
  const outOfDate = decided.outOfDate ? [EXIT.outOfDate] : [];
  return chooseExitCode([...faultExitCodesOf(decided), ...outOfDate, ...(isAmiss ? [EXIT.amiss] : [])]);
}

const OUT_OF_DATE_STATUS =
  'Until then, replicas count that the lock has and that the plan does not remove; other objects show as left over.';

/** Writes the snapshots that a flag asks for. Returns whether all are written, and what to say of them. */
function recordSnapshots(
  results: readonly { readonly seen: readonly SeenCluster[] }[],
  { snapshotPatterns: patterns }: ValidDecision,
  { snapshot: folder, force = false }: StatusFlags,
): { readonly isComplete: boolean; readonly lines: readonly string[] } {
  if (folder === undefined) return { isComplete: true, lines: [] };
  const seen = results.flatMap((one) => one.seen);
  const { unwritten, unread } = writeSnapshots(seen, { folder, force, patterns });
  return { isComplete: unwritten.length === 0, lines: [...unwritten.map(formatDiagnostic), ...formatWarnings(unread)] };
}

/** A cluster without a context counts as unreachable, so that the others are still read. */
function resolveAccess(
  cluster: InferenceCluster,
  config: Kubeconfig,
  contexts: Parameters<typeof resolveClusterAccess>[2],
): ClusterAccess | UnreachableError {
  try {
    return resolveClusterAccess(cluster, config, contexts);
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    const [problem] = error.diagnostics;
    return new UnreachableError(`${problem?.message}. ${problem?.hint}`);
  }
}

function queueListsOf(cluster: InferenceCluster, { snapshot }: StatusFlags): Readonly<Record<string, Collection>> {
  return snapshot === undefined ? {} : (QUEUE_LISTS[schedulerTypeOf(cluster)] ?? {});
}

function kubectlOptionsOf(access: ClusterAccess | UnreachableError, { kubeconfig }: StatusFlags): string[] {
  const file = kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig];
  return access instanceof UnreachableError ? [] : [...file, '--context', access.context];
}

function lockedClusterOf(cluster: InferenceCluster, decided: ValidDecision): LockedCluster {
  const { fleet, locate, replicas, routing } = decided;
  const locked = new Set(decided.given.placements.map(placementKeyOf));
  const clusterReplicas = replicas.filter(
    (one) =>
      one.cluster === cluster &&
      (!decided.outOfDate ||
        locked.has(
          placementKeyOf({ ...one, deployment: qualifiedNameOf(one.deployment), cluster: cluster.metadata.name }),
        )),
  );
  const parts = renderClusterParts(cluster, clusterReplicas, { fleet, routing });
  const unknown = [...decided.aside].flatMap(([id, earlier]) => (earlier === undefined ? [id] : []));
  return { cluster, fleet, locate, replicas: clusterReplicas, parts, manifests: flattenManifests(parts), unknown };
}
