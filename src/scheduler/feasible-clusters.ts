import { findWeak, getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { sortedNaturally } from '../base/order';
import type { CompiledCluster, CompiledDeployment, DemandVariant, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectNew } from './filters';
import { type Assignment, fitReplica, listPreferredPools } from './fit-replica';
import type { Ledger } from './ledger';
import { variantsOf } from './placement';

/** What decides which clusters may take a replica. */
type Wanted = Pick<CompiledDeployment, 'demand' | 'variants'>;

/**
 * The clusters that may take a replica, in natural order of their names. Room only shrinks while replicas are placed, so a
 * cluster without room is not tried again for any deployment of the same demand, until a replica is removed from it.
 */
export class FeasibleClusters {
  /** By demand. Where a replica can have several layouts, by the list of these. */
  readonly #open = new Map<
    ReplicaDemand | readonly DemandVariant[],
    { wanted: Wanted; clusters: Set<CompiledCluster> }
  >();
  readonly #clusters: readonly CompiledCluster[];

  constructor(
    clusters: readonly CompiledCluster[],
    private readonly matcher: PodMatcher,
  ) {
    this.#clusters = sortedNaturally(clusters, ({ name }) => name);
  }

  of(wanted: Wanted): ReadonlySet<CompiledCluster> {
    return this.#openTo(wanted);
  }

  #openTo(wanted: Wanted): Set<CompiledCluster> {
    const key = wanted.variants ?? wanted.demand;
    let open = this.#open.get(key);
    if (!open) this.#open.set(key, (open = { wanted, clusters: new Set(this.all(wanted)) }));
    return open.clusters;
  }

  /** The clusters that may take a replica, those without room included. */
  all(wanted: Wanted): readonly CompiledCluster[] {
    return this.#clusters.filter((cluster) => mayTake(cluster, wanted, this.matcher));
  }

  /** Makes a cluster feasible again after a replica was removed from it. */
  reopen(cluster: CompiledCluster): void {
    for (const open of this.#open.values()) {
      if (open.clusters.has(cluster) || !mayTake(cluster, open.wanted, this.matcher)) continue;
      open.clusters = new Set(sortedNaturally([...open.clusters, cluster], ({ name }) => name));
    }
  }

  /** Records that a cluster has no room for a replica. */
  close(wanted: Wanted, full: CompiledCluster): void {
    this.#openTo(wanted).delete(full);
  }
}

/** Whether a cluster takes new replicas of a deployment, and its pools suit them in one of their layouts. */
function mayTake(cluster: CompiledCluster, { demand, variants }: Wanted, matcher: PodMatcher): boolean {
  if (!variants) return findWeak(TAKES, demand, cluster) ?? takes(cluster, demand, matcher);
  return !rejectNew(demand, cluster) && variants.some((one) => suits(cluster, one.demand, matcher));
}

/** The same for one demand. Cached, because one fleet is placed many times. */
function takes(cluster: CompiledCluster, demand: ReplicaDemand, matcher: PodMatcher): boolean {
  return getOrComputeWeak(TAKES, demand, cluster, () => !rejectNew(demand, cluster) && suits(cluster, demand, matcher));
}

const TAKES: WeakPairMap<ReplicaDemand, CompiledCluster, boolean> = new WeakMap();

/** Whether each engine fits on a pool of a cluster, whatever else runs there. */
function suits(cluster: CompiledCluster, { engines, poolOrder }: ReplicaDemand, matcher: PodMatcher): boolean {
  return engines.every((engine) => listPreferredPools(engine, cluster, matcher, poolOrder).length > 0);
}

/** A layout of a deployment, and the pools that a replica of it takes. */
interface ChosenVariant extends DemandVariant {
  readonly assignment: Assignment;
}

/** Caches the assignment of a replica of each demand on each cluster, until the cluster changes. */
export class AssignmentCache {
  readonly #known = new Map<string, Map<ReplicaDemand, Assignment | undefined>>();
  readonly #fullness = new Map<string, number>();

  constructor(
    private readonly matcher: PodMatcher,
    private readonly ledger: Ledger,
  ) {}

  /** The assignment of a replica of a demand on a cluster; nothing if there is no room. */
  of(demand: ReplicaDemand, cluster: CompiledCluster): Assignment | undefined {
    let known = this.#known.get(cluster.name);
    if (!known) this.#known.set(cluster.name, (known = new Map<ReplicaDemand, Assignment | undefined>()));
    if (!known.has(demand)) known.set(demand, fitReplica(demand, cluster, this.matcher, this.ledger));
    return known.get(demand);
  }

  /** Like `of`, for a replica that is placed then: what would be cached of the cluster is of no use. */
  find(demand: ReplicaDemand, cluster: CompiledCluster): Assignment | undefined {
    const known = this.#known.get(cluster.name)?.get(demand);
    return known ?? fitReplica(demand, cluster, this.matcher, this.ledger);
  }

  /** The first layout of a deployment that has room on a cluster, for a replica that is placed then. */
  choose(deployment: CompiledDeployment, cluster: CompiledCluster): ChosenVariant | undefined {
    for (const { shape, demand } of variantsOf(deployment)) {
      const assignment = this.find(demand, cluster);
      if (assignment) return { shape, demand, assignment };
    }
    return undefined;
  }

  /** The charges of a cluster as a share of all its nodes, from 0 to 1. */
  fullness({ name, pools }: CompiledCluster): number {
    const known = this.#fullness.get(name);
    if (known !== undefined) return known;
    const nodes = pools.reduce((sum, pool) => sum + pool.nodes, 0);
    const promised = pools.reduce((sum, pool) => sum + this.ledger.share(pool) * pool.nodes, 0);
    const fullness = nodes > 0 ? promised / nodes : 0;
    this.#fullness.set(name, fullness);
    return fullness;
  }

  /** Drops what is cached of a cluster after its replicas or its nodes changed. */
  invalidate(cluster: string): void {
    this.#known.delete(cluster);
    this.#fullness.delete(cluster);
  }
}
