import { sortedNaturally } from '../base/order';
import type { CompiledCluster, CompiledDeployment, DemandVariant, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectNew } from './filters';
import { type Assignment, fitReplica } from './fit-replica';
import type { Ledger } from './ledger';
import { variantsOf } from './placement';

/**
 * The clusters that may take a replica of a demand, in natural order of their names. Room only shrinks while replicas
 * are placed, so a cluster without room is not tried again for any deployment of the same demand, until a replica is
 * removed from it.
 */
export class FeasibleClusters {
  readonly #open = new Map<ReplicaDemand, Set<CompiledCluster>>();
  readonly #clusters: readonly CompiledCluster[];

  constructor(clusters: readonly CompiledCluster[]) {
    this.#clusters = sortedNaturally(clusters, ({ name }) => name);
  }

  of(demand: ReplicaDemand): ReadonlySet<CompiledCluster> {
    return this.#openTo(demand);
  }

  #openTo(demand: ReplicaDemand): Set<CompiledCluster> {
    let open = this.#open.get(demand);
    if (!open) this.#open.set(demand, (open = new Set(this.all(demand))));
    return open;
  }

  /** The clusters that may take a replica, those without room included. */
  all(demand: ReplicaDemand): readonly CompiledCluster[] {
    return this.#clusters.filter((cluster) => !rejectNew(demand, cluster));
  }

  /** Makes a cluster feasible again after a replica was removed from it. */
  reopen(cluster: CompiledCluster): void {
    for (const [demand, open] of this.#open) {
      if (open.has(cluster) || rejectNew(demand, cluster)) continue;
      this.#open.set(demand, new Set(sortedNaturally([...open, cluster], ({ name }) => name)));
    }
  }

  /** Records that a cluster has no room for a demand. */
  close(demand: ReplicaDemand, full: CompiledCluster): void {
    this.#openTo(demand).delete(full);
  }
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
