import { cacheReferencesOf } from '../api/cache/cache-references';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import { poolKeyOf } from '../cost/pool-prices';
import { startupSecondsOf } from '../engine/startup-and-shutdown';
import { BUILT_IN_MODELS } from '../fleet/models/model-book';
import { locationKeyOf, type ReplicaChange, stopsBeforeMove } from '../plan/replica-moves';
import type { PlacedFleet } from '../plan/decision';
import { findRefusedDownloads } from '../plan/warnings/gated-models';
import { modelSizeOf } from '../replicas/mounted-caches';
import type { ComputedReplica } from '../replicas/replica';
import { type ReplicaStart, replicaStartOf, type StartPlace } from '../replicas/start-time';
import { CONTROL_PLANE_KINDS } from '../provision/cloud-resources';
import type { CacheChange } from './cache-changes';
import type { CloudChange } from './cloud-changes';
import { losesItsPlace } from './pool-disruption';
import { areNodesFirst, listRestartingTwice } from './repeated-restarts';
import { type Cause, movesToPool } from './replica-causes';
import { type ApplyMode, restartsWithNodes } from './serving-during-change';

/**
 * How long each replica that stops during a change does not serve, in minutes: from the start of its new pods to their
 * first response. The least and the most of several replicas.
 */
export interface Downtime extends ReplicaStart {
  /** What its pods wait for before they start, which takes a time that is not known and not counted. Absent: nothing. */
  readonly waits?: readonly StartWait[];

  /** Whether Argo CD stages the cache that they wait for before it stops any of them. Absent: no tool does, or they wait for none. */
  readonly stagesFirst?: true;

  /**
   * The most copies that are replaced one after the other. It takes up to that many times `most` until all copies are
   * replaced; with more than one, the replica serves. Absent: one.
   */
  readonly copies?: number;

  /**
   * Which restart comes first where replicas stop twice: when their nodes are recreated, and when manifests change their
   * pods. New nodes are waited for in that of the nodes alone. Absent: they stop once.
   */
  readonly twice?: 'nodes-first' | 'manifests-first';
}

/** What does not exist yet, in the order in which it is made. */
const START_WAITS = ['cluster', 'nodes', 'cache'] as const;

export type StartWait = (typeof START_WAITS)[number];

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
  readonly changes: readonly (ReplicaChange & { readonly causes: readonly Cause[] })[];
  readonly serving: { readonly before: number };
}

/** The nodes that a change makes. */
interface ChangedNodes {
  /** What a cloud makes and recreates. */
  readonly cloud: readonly CloudChange[];

  /** Pools of which people add a new node before they drain the old one: nothing waits for it. Default: none. */
  readonly declaredNodes?: readonly CloudChange[] | undefined;
}

type TimedReplicas<T> = T & {
  readonly downtime?: Downtime;
  readonly start?: Downtime;
  readonly cachedStart?: CachedStart;
};

/**
 * Adds to the changes of deployments how long replicas that stop are down, and how long the first ones take to serve. Not
 * where that is not known: for those that have no place any more, and for those that cannot download what they load.
 */
export function addDowntimes<T extends ChangingReplicas>(
  all: readonly T[],
  { before, after }: Readonly<Record<'before' | 'after', PlacedFleet>>,
  caches: readonly CacheChange[],
  { cloud, declaredNodes = [] }: ChangedNodes,
): TimedReplicas<T>[] {
  const timed = all.filter((one) => isFirst(one) || one.changes.some(stopsServing));
  const ids = new Set(timed.map(({ deployment }) => deployment));
  const [was, is] = [indexReplicas(before, ids), indexReplicas(after, ids)];
  const waitsOf = createWaitFinder(caches, [...cloud, ...declaredNodes]);
  const added = new Set(declaredNodes.map(({ cluster, name }) => poolKeyOf(cluster, name)));
  const models = after.fleet.models ?? BUILT_IN_MODELS;
  const replicas = all.flatMap(({ changes }) => changes);
  return all.map((diff) => {
    const { deployment, changes } = diff;
    const former = changes.filter(stopsServing).flatMap((one) => was.get(keyOf(deployment, one.from ?? one)) ?? []);
    const cachedStart = cachedStartOf(former);
    const startOf = (change: ChangingReplicas['changes'][number]): Downtime | undefined => {
      const [old, now] = [was.get(keyOf(deployment, change.from ?? change)), is.get(keyOf(deployment, change))];
      if (!now || (!old && change.action !== 'place') || losesItsPlace(change)) return undefined;
      if (findRefusedDownloads(now.deployment, after).length > 0) return undefined;
      const found = waitsOf(change, now);
      const start = replicaStartOf(now, startPlaceOf({ change, old, now, waits: found }), models);
      const waits = isOnPools(now, added) ? found.filter((wait) => wait !== 'nodes') : found;
      const { copiesInTurn: copies } = change;
      const twice = orderOf(change, replicas);
      return {
        ...start,
        ...(waits.length > 0 && { waits }),
        ...(stagesFirst(change, waits) && { stagesFirst: true as const }),
        ...(copies !== undefined && { copies }),
        ...(twice && { twice }),
      };
    };
    const downtime = combineDowntimes(changes.filter(stopsServing).map(startOf));
    const placed = isFirst(diff) ? changes.filter(({ action }) => action === 'place') : [];
    const start = combineDowntimes(placed.map(startOf));
    return { ...diff, ...(downtime && { downtime }), ...(start && { start }), ...(cachedStart && { cachedStart }) };
  });
}

/** Whether all nodes of a replica are of some pools. */
function isOnPools({ cluster, engines }: ComputedReplica, pools: ReadonlySet<string>): boolean {
  return engines.every(({ pool }) => pools.has(poolKeyOf(cluster.metadata.name, pool.name)));
}

/** Which restart of a replica comes first. Undefined: it stops once. */
function orderOf(change: ReplicaChange, all: readonly ReplicaChange[]): Downtime['twice'] {
  const { action, down, nodes, cluster, pools } = change;
  if (action !== 'roll' || !down || nodes !== 'roll' || restartsWithNodes(change)) return undefined;
  const twice = Object.values(pools).flatMap((name) => listRestartingTwice({ cluster, name }, all));
  return areNodesFirst(twice) ? 'nodes-first' : 'manifests-first';
}

/** Whether replicas are the first of their deployment. */
function isFirst({ serving, changes }: Pick<ChangingReplicas, 'serving' | 'changes'>): boolean {
  return serving.before === 0 && changes.some(({ action }) => action === 'place');
}

/** Creates a function that lists what the pods of a replica wait for before they start. */
function createWaitFinder(
  caches: readonly CacheChange[],
  cloud: readonly CloudChange[],
): (change: ReplicaChange, now: ComputedReplica) => StartWait[] {
  const staged = new Set(
    caches.flatMap(({ action, cache, cluster }) => (action === 'drop' ? [] : [`${cache} ${cluster}`])),
  );
  const made = cloud.filter(({ action }) => action === 'create' || action === 'replace');
  const clusters = new Set(made.flatMap(({ kind, cluster }) => (CONTROL_PLANE_KINDS.has(kind) ? [cluster] : [])));
  const pools = new Set(
    made.flatMap(({ machine, cluster, name }) => (machine === undefined ? [] : [poolKeyOf(cluster, name)])),
  );
  return (change, now) => {
    const { name } = now.cluster.metadata;
    const isMoved = change.action === 'move' || movesToPool(change);
    const isNewPool = now.engines.some(({ pool }) => pools.has(poolKeyOf(name, pool.name)));
    const isWaiting: Readonly<Record<StartWait, boolean>> = {
      cluster: clusters.has(name),
      nodes: isNewPool || (!isMoved && change.nodes !== undefined && !change.mayStay),
      cache: waitsForFiles(now, staged),
    };
    const waits = START_WAITS.filter((wait) => isWaiting[wait]);
    // A cluster has its nodes when it is there.
    return waits.includes('cluster') ? waits.filter((wait) => wait !== 'nodes') : waits;
  };
}

/** Whether the files of a replica are staged on the cluster that it stays on: the Job has an earlier sync wave than its pods. */
function stagesFirst({ action }: ReplicaChange, waits: readonly StartWait[]): boolean {
  return action === 'roll' && waits.includes('cache') && !waits.includes('cluster');
}

/** A downtime with the tool that applies a change: Argo CD stages files before it restarts what needs them. */
export function downtimeAsApplied({ waits = [], ...downtime }: Downtime, applied: ApplyMode | undefined): Downtime {
  const known = applied === 'perCluster' && downtime.stagesFirst ? waits.filter((wait) => wait !== 'cache') : waits;
  return { ...downtime, ...(known.length > 0 && { waits: known }) };
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
function stopsServing(change: ReplicaChange): boolean {
  const { action, down, nodes } = change;
  if (action === 'move') return stopsBeforeMove(change);
  return action === 'roll' && (down === true || nodes !== undefined);
}

interface StartingReplica {
  readonly change: ReplicaChange;

  /** Absent: it replaces none. */
  readonly old: ComputedReplica | undefined;
  readonly now: ComputedReplica;
  readonly waits: readonly StartWait[];
}

function startPlaceOf({ change, old, now, waits }: StartingReplica): StartPlace {
  // Nodes that it waits for are there when it starts, without its image.
  if (waits.some((wait) => wait !== 'cache')) return 'same-nodes-new-image';
  // One that loses its node restarts on another one of its pool.
  if (!old || change.action === 'move' || change.mayStay || movesToPool(change)) return 'other-nodes';
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
export function combineDowntimes(starts: readonly (Downtime | undefined)[]): Downtime | undefined {
  const known = starts.flatMap((start) => start ?? []);
  if (known.length === 0 || known.length < starts.length) return undefined;
  const least = known.flatMap((start) => start.least ?? []);
  const waits = START_WAITS.filter((wait) => known.some((one) => one.waits?.includes(wait)));
  const waiting = known.filter((one) => one.waits?.includes('cache'));
  const copies = Math.max(...known.map((one) => one.copies ?? 1));
  const twice = known.find((one) => one.twice)?.twice;
  return {
    ...(least.length === known.length && { least: Math.min(...least) }),
    most: Math.max(...known.map(({ most }) => most)),
    budget: Math.max(...known.map(({ budget }) => budget)),
    ...(waits.length > 0 && { waits }),
    ...(waiting.length > 0 && waiting.every((one) => one.stagesFirst) && { stagesFirst: true as const }),
    ...(copies > 1 && { copies }),
    ...(twice && { twice }),
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
