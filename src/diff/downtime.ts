import { cacheReferencesOf } from '../api/cache/cache-references';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import { poolKeyOf } from '../cost/pool-prices';
import { startupSecondsOf } from '../engine/startup-and-shutdown';
import { BUILT_IN_MODELS } from '../fleet/models/model-book';
import { locationKeyOf, type ReplicaChange } from '../plan/replica-moves';
import type { PlacedFleet } from '../plan/decision';
import { findRefusedDownloads } from '../plan/warnings/gated-models';
import { modelSizeOf } from '../replicas/mounted-caches';
import type { ComputedReplica } from '../replicas/replica';
import { type ReplicaStart, replicaStartOf, type StartPlace } from '../replicas/start-time';
import type { CacheChange } from './cache-changes';
import { movesToPool } from './replica-causes';

/**
 * How long each replica that stops during a change does not serve, in minutes: from the start of its new pods to their
 * first response. The least and the most of several replicas.
 */
export interface Downtime extends ReplicaStart {}

/** What the startup probes of replicas that stop followed from before a change: the size of their cache. */
export interface CachedStart {
  /** The startup budget, in minutes. Absent: engines have several. */
  readonly budget?: number;

  /** Whether a pod has its cache on a disk of its own, which is as large as the cache. */
  readonly ownDisk: boolean;
}

/** The changes of a deployment. */
interface ChangingReplicas {
  readonly deployment: string;
  readonly changes: readonly ReplicaChange[];
}

/**
 * Adds to the changes of deployments how long replicas that stop are down. Not where that is not known: for replicas
 * whose nodes go, are recreated or are in a new pool, for those that wait until a cache is staged, and for those that
 * cannot download what they load.
 */
export function addDowntimes<T extends ChangingReplicas>(
  all: readonly T[],
  { before, after }: Readonly<Record<'before' | 'after', PlacedFleet>>,
  caches: readonly CacheChange[],
): (T & { readonly downtime?: Downtime; readonly cachedStart?: CachedStart })[] {
  const stopped = all.filter(({ changes }) => changes.some(stopsServing));
  const ids = new Set(stopped.map(({ deployment }) => deployment));
  const [was, is] = [indexReplicas(before, ids), indexReplicas(after, ids)];
  const staged = new Set(
    caches.flatMap(({ action, cache, cluster }) => (action === 'drop' ? [] : [`${cache} ${cluster}`])),
  );
  // Nodes of a new pool take as long as their cloud does.
  const known = new Set(
    before.fleet.clusters.flatMap(({ metadata, spec }) => {
      return spec.nodePools.map(({ name }) => poolKeyOf(metadata.name, name));
    }),
  );
  const models = after.fleet.models ?? BUILT_IN_MODELS;
  return all.map((diff) => {
    const { deployment, changes } = diff;
    const former = changes.filter(stopsServing).flatMap((one) => was.get(keyOf(deployment, one.from ?? one)) ?? []);
    const cachedStart = cachedStartOf(former);
    const starts = changes.filter(stopsServing).map((change): ReplicaStart | undefined => {
      const [old, now] = [was.get(keyOf(deployment, change.from ?? change)), is.get(keyOf(deployment, change))];
      if (!old || !now || change.nodes !== undefined || waitsForFiles(now, staged)) return undefined;
      if (findRefusedDownloads(now.deployment, after).length > 0) return undefined;
      if (!now.engines.every(({ pool }) => known.has(poolKeyOf(now.cluster.metadata.name, pool.name))))
        return undefined;
      return replicaStartOf(now, startPlaceOf(change, old, now), models);
    });
    const downtime = combineDowntimes(starts);
    return { ...diff, ...(downtime && { downtime }), ...(cachedStart && { cachedStart }) };
  });
}

/** Undefined: no startup budget follows from the size of a cache. */
function cachedStartOf(former: readonly ComputedReplica[]): CachedStart | undefined {
  const budgets = former.flatMap(({ engines, caches }) => {
    const size = modelSizeOf(caches);
    const derived = size === undefined ? [] : engines.filter(({ engine }) => engine.startup.budget === undefined);
    return derived.map(({ engine }) => startupSecondsOf(engine, size) / 60);
  });
  const [budget, ...others] = new Set(budgets);
  if (budget === undefined) return undefined;
  const ownDisk = former.some(({ caches }) => caches.some(({ stagedInPod }) => stagedInPod !== undefined));
  return { ...(others.length === 0 && { budget }), ownDisk };
}

/** Whether a replica stops, and serves again when other pods do. */
function stopsServing({ action, surgeFirst, down, nodes }: ReplicaChange): boolean {
  if (action === 'move') return surgeFirst !== true;
  return action === 'roll' && (down === true || nodes !== undefined);
}

function startPlaceOf(change: ReplicaChange, old: ComputedReplica, now: ComputedReplica): StartPlace {
  if (change.action === 'move' || movesToPool(change)) return 'other-nodes';
  return imagesOf(old) === imagesOf(now) ? 'same-nodes' : 'same-nodes-new-image';
}

/** The images of the engines of a replica: a text that is the same for the same images. */
function imagesOf({ engines }: ComputedReplica): string {
  const pods = engines.flatMap(({ members }) => members.map(({ member }) => member.template.spec));
  return sortUnique(pods.flatMap(({ containers }) => containers.map(({ image }) => image ?? ''))).join('\n');
}

function waitsForFiles({ deployment, cluster }: ComputedReplica, staged: ReadonlySet<string>): boolean {
  const { namespace } = deployment.metadata;
  return cacheReferencesOf(deployment).some(({ name }) => staged.has(`${namespace}/${name} ${cluster.metadata.name}`));
}

/** The least and the most of several. Undefined where one of them is not known, or there is none. */
export function combineDowntimes(starts: readonly (ReplicaStart | undefined)[]): Downtime | undefined {
  const known = starts.flatMap((start) => start ?? []);
  if (known.length === 0 || known.length < starts.length) return undefined;
  const least = known.flatMap((start) => start.least ?? []);
  return {
    ...(least.length === known.length && { least: Math.min(...least) }),
    most: Math.max(...known.map(({ most }) => most)),
    budget: Math.max(...known.map(({ budget }) => budget)),
  };
}

/** The replicas of some deployments. */
function indexReplicas({ replicas }: PlacedFleet, ids: ReadonlySet<string>): ReadonlyMap<string, ComputedReplica> {
  if (ids.size === 0) return new Map();
  return new Map(
    replicas.flatMap((replica): [string, ComputedReplica][] => {
      const id = qualifiedNameOf(replica.deployment);
      const place = { cluster: replica.cluster.metadata.name, index: replica.index };
      return ids.has(id) ? [[keyOf(id, place), replica]] : [];
    }),
  );
}

function keyOf(deployment: string, place: Parameters<typeof locationKeyOf>[0]): string {
  return `${deployment} ${locationKeyOf(place)}`;
}
