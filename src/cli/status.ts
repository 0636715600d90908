import { join } from 'node:path';
import type { InferenceCluster } from '../api/inference-cluster';
import { FleetwrightError } from '../errors';
import { makeFolder } from '../files/make-folder';
import { writeFileAtomic } from '../files/write-file';
import { type Access, accessTo } from '../live/access';
import type { Kubeconfig } from '../live/kubeconfig';
import { objectsIn } from '../live/live-object';
import { formatSnapshot } from '../live/snapshot-text';
import {
  clusterStatus,
  type LockedCluster,
  type RunningCluster,
  unreachableCluster,
} from '../live/status/cluster-status';
import { formatStatus } from '../live/status/status-text';
import { clusterManifests, manifestsIn } from '../render/cluster';
import { type CommonFlags, type Decided, decideFleet } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readLock } from './inputs';
import { findKubeconfig } from '../kubernetes/find-kubeconfig';
import { inParallel } from '../kubernetes/in-parallel';
import { readRunning } from '../kubernetes/read-running';
import { timeLimit } from './time-limit';
import { Unreachable } from '../kubernetes/unreachable';
import { withApiServer } from '../kubernetes/with-api-server';
import { staleLock } from './lock';
import type { StatusDocument } from './live-documents';
import { type Io, print } from './output';
import { clusterNamed, contextsIn, type ReachFlags } from './reach-flags';
import { refuseOthersManifests } from './synth';

export interface StatusFlags extends CommonFlags, ReachFlags {
  /** Pairs `CLUSTER=CONTEXT`. */
  readonly context?: readonly string[];

  /** Only these. Default: all. */
  readonly cluster?: readonly string[];

  /** A folder for what was recorded, a file for each cluster. Default: nothing is written. */
  readonly snapshot?: string;
}

/** Clusters that are asked at once. */
const MOST_AT_ONCE = 8;

/**
 * `fleetwright status`: compares what runs with the lock. Changes nothing on clusters. Exits with 4 where something is
 * amiss, or a cluster gives no answer.
 *
 * @throws FleetwrightError when the lock is stale: nobody knows then what should run
 */
export async function status(target: string, flags: StatusFlags, io: Io): Promise<ExitCode> {
  const decided = decideFleet(target, flags, io, readLock);
  if (decided.stale) throw staleLock(target, flags);
  refuseOthersManifests(target, decided);
  const { fleet } = decided;
  const clusters = flags.cluster?.map((name) => clusterNamed(name, fleet)) ?? fleet.clusters;
  const contexts = { named: contextsIn(flags.context ?? [], fleet), ownFile: flags.kubeconfig !== undefined };
  const config = findKubeconfig(flags.kubeconfig, io);
  const options = { timeout: timeLimit(flags), env: io.env };
  const seen = await inParallel(MOST_AT_ONCE, clusters, async (cluster) => {
    const access = reachable(cluster, config, contexts);
    const locked = lockedOn(cluster, decided);
    const running =
      access instanceof Unreachable
        ? access
        : await withApiServer(access, options, (api) => readRunning(api, locked.manifests));
    return { cluster, locked, running };
  });
  const statuses = seen.map(({ locked, running }) =>
    running instanceof Unreachable
      ? unreachableCluster(locked, running.message)
      : clusterStatus(locked, running),
  );
  if (flags.snapshot !== undefined) record(flags.snapshot, seen);
  const { quiet = false } = flags;
  print<StatusDocument>('Status', { clusters: statuses }, (style) => formatStatus(statuses, style, quiet), {
    flags,
    io,
  });
  return statuses.some(({ totals }) => totals.failure > 0) ? EXIT.refused : EXIT.ok;
}

/** A cluster without a context is one that gives no answer: the others are asked all the same. */
function reachable(
  cluster: InferenceCluster,
  config: Kubeconfig,
  contexts: Parameters<typeof accessTo>[2],
): Access | Unreachable {
  try {
    return accessTo(cluster, config, contexts);
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    const [problem] = error.problems;
    return new Unreachable(`${problem?.what}. ${problem?.hint}`);
  }
}

function lockedOn(cluster: InferenceCluster, { fleet, locate, replicas, routing }: Decided): LockedCluster {
  const own = replicas.filter((replica) => replica.cluster === cluster);
  const parts = clusterManifests(cluster, own, { fleet, routing });
  return { cluster, fleet, locate, replicas: own, parts, manifests: manifestsIn(parts) };
}

interface Seen {
  readonly cluster: InferenceCluster;
  readonly running: RunningCluster | Unreachable;
}

/** Writes a snapshot of each cluster that showed its nodes. */
function record(folder: string, seen: readonly Seen[]): void {
  makeFolder(folder);
  for (const { cluster, running } of seen) {
    if (running instanceof Unreachable || 'missing' in running.lists.nodes) continue;
    const { nodes, pods, slices } = running.lists;
    const text = formatSnapshot([nodes, pods, slices].flatMap(objectsIn));
    writeFileAtomic(join(folder, `${cluster.metadata.name}.yaml`), text);
  }
}
