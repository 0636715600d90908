import { compareText, createCachedGroupBy, type Groups } from '../base/order';
import type { BackendType } from '../catalog/backends';
import type { CompiledCluster, CompiledDeployment, DemandVariant, Pool, ReplicaDemand } from './compiled-fleet';

/** One replica on one cluster: a line of the lock. Its identity is deployment, cluster and index; it never moves. */
export interface Placement {
  /** `namespace/name` of the deployment. */
  readonly deployment: string;
  readonly cluster: string;
  /** The lowest number that no other replica of the deployment has on the cluster. */
  readonly index: number;
  /** The pool of each engine, by engine name. */
  readonly pools: Readonly<Record<string, string>>;
  /** Eight hexadecimal digits over what the replica is made of: engines, copies, members, device counts. */
  readonly shape: string;
  /** What turns its objects into pods. Absent: Kubernetes alone. */
  readonly backend?: PlacedBackend;
  /** It is being replaced: still charged and serving, and dropped by `fleetwright lock --finalize`. */
  readonly draining?: true;
  /** Its cluster is declared lost: it does not serve. The lock has no such field, because the cluster says it. */
  readonly lost?: true;
}

/** Software that turns objects into pods, in addition to Kubernetes. */
export type PlacedBackend = Exclude<BackendType, 'Native'>;

/** The identity of a replica. */
export type ReplicaId = Pick<Placement, 'deployment' | 'cluster' | 'index'>;

/** The identity of a replica, as a key: `ml/qwen us-east/0`. */
export function placementKeyOf({ deployment, cluster, index }: ReplicaId): string {
  return `${deployment} ${cluster}/${index}`;
}

/** Whether two placements are equal, and so have the same line in a lock. */
export function isSamePlacement(a: Placement, b: Placement | undefined): boolean {
  if (a === b) return true;
  return (
    a.deployment === b?.deployment &&
    a.cluster === b.cluster &&
    a.index === b.index &&
    a.shape === b.shape &&
    a.backend === b.backend &&
    a.draining === b.draining &&
    haveSamePools(a.pools, b.pools)
  );
}

/** Whether two replicas have their engines on pools of the same names. */
export function haveSamePools(a: Placement['pools'], b: Placement['pools']): boolean {
  if (a === b) return true;
  const engines = Object.keys(a);
  return engines.length === Object.keys(b).length && engines.every((engine) => a[engine] === b[engine]);
}

/**
 * The demand of a replica, whether it runs the declared engines or earlier ones. Nothing if the earlier engines are
 * unknown.
 */
export function demandOf(
  { shape, demand, variants, previousRevisions }: CompiledDeployment,
  placement: Pick<Placement, 'shape'>,
): ReplicaDemand | undefined {
  if (placement.shape === shape) return demand;
  const variant = variants?.find((one) => one.shape === placement.shape);
  return variant?.demand ?? previousRevisions.get(placement.shape);
}

/** The demands that replicas of a deployment can have, of all layouts and earlier revisions. */
export function demandsOf({ demand, variants = [], previousRevisions }: CompiledDeployment): ReplicaDemand[] {
  return [...new Set([demand, ...variants.map((one) => one.demand), ...previousRevisions.values()])];
}

/** Whether replicas of a shape run what is declared now, in any of its layouts. */
export function isDeclaredShape({ shape, variants }: CompiledDeployment, other: string): boolean {
  return shape === other || variants?.some((one) => one.shape === other) === true;
}

/** The layouts that a replica of a deployment can have, the preferred first. */
export function variantsOf(deployment: CompiledDeployment): readonly DemandVariant[] {
  return deployment.variants ?? [deployment];
}

/** Why a replica does not run on what its cluster now declares. Undefined if it does. */
export function findBackendChange(
  { backend = 'Native' }: { readonly backend?: BackendType },
  cluster: Pick<CompiledCluster, 'backend'>,
): { readonly from: BackendType; readonly to: BackendType } | undefined {
  const to = cluster.backend?.type ?? 'Native';
  return backend === to ? undefined : { from: backend, to };
}

/** The pool of an engine of a replica on its cluster. Nothing if the cluster has no pool of that name. */
export function poolOf(
  { pools }: CompiledCluster,
  placement: Pick<Placement, 'pools'>,
  engine: string,
): Pool | undefined {
  const name = placement.pools[engine];
  // This runs for every replica of a fleet: unlike `find`, a loop allocates nothing.
  for (const pool of pools) if (pool.name === name) return pool;
  return undefined;
}

/** Caches of the sorted and the grouped form of each list. A list never changes after it is made. */
const SORTED_LISTS = new WeakMap<readonly Placement[], readonly Placement[]>();
const GROUPED_LISTS = new WeakMap<readonly Placement[], Groups<string, Placement>>();

/** The placements of each deployment, in the order of the list. */
export const groupByDeployment = createCachedGroupBy(({ deployment }: Placement) => deployment, GROUPED_LISTS);

/** Sorts placements by deployment, cluster and index, as in a lock. */
export function sortPlacements(placements: readonly Placement[]): readonly Placement[] {
  const known = SORTED_LISTS.get(placements);
  if (known) return known;
  const sorted = sortByIdentity(placements, (placement) => placement);
  SORTED_LISTS.set(placements, sorted).set(sorted, sorted);
  return sorted;
}

/**
 * Joins the placements of deployments into one sorted list.
 *
 * @param byDeployment the sorted placements of each deployment
 */
export function joinPlacements(
  byDeployment: readonly (readonly [string, readonly Placement[]])[],
): readonly Placement[] {
  const present = byDeployment.filter(([, lines]) => lines.length > 0);
  const groups = new Map(present.sort(([a], [b]) => compareText(a, b)));
  const joined: Placement[] = [];
  // This is many times faster than `flat`.
  for (const lines of groups.values()) for (const line of lines) joined.push(line);
  SORTED_LISTS.set(joined, joined);
  GROUPED_LISTS.set(joined, groups);
  return joined;
}

/** Compares placements by deployment, cluster, and index as a number. */
export function comparePlacements(a: ReplicaId, b: ReplicaId): number {
  return compareText(a.deployment, b.deployment) || compareText(a.cluster, b.cluster) || a.index - b.index;
}

/**
 * The last draining replicas of a deployment, as many as it lacks. Placed replicas replace the first draining ones, and
 * those of lost clusters last.
 */
export function selectLastDraining(placements: readonly Placement[], missing: number): Placement[] {
  const isLost = ({ lost }: Placement): number => Number(lost === true);
  const draining = placements
    .filter((placement) => placement.draining)
    .sort((a, b) => isLost(a) - isLost(b) || comparePlacements(a, b));
  return draining.slice(Math.max(0, draining.length - missing));
}

/**
 * Sorts items by their placement identity. Returns the list itself if it is sorted already, as the output of the
 * scheduler is.
 */
export function sortByIdentity<T>(items: readonly T[], identity: (item: T) => ReplicaId): readonly T[] {
  const sorted = (b: T, i: number): boolean => {
    const a = i > 0 ? items[i - 1] : undefined;
    return a === undefined || comparePlacements(identity(a), identity(b)) <= 0;
  };
  return items.every(sorted) ? items : [...items].sort((a, b) => comparePlacements(identity(a), identity(b)));
}
