import { sortedBy } from '../base/order';
import type { CompiledCluster, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectNew } from './filters';
import { type Assignment, fitReplica } from './fit-replica';
import type { Ledger } from './ledger';

/**
 * The clusters that may still take a replica of a demand, by name. Rooms only shrink while replicas are placed,
 * so a cluster that had no room once is not asked again, by any deployment of the same demand, until something is
 * taken away there.
 */
export class FeasibleClusters {
  readonly #open = new Map<ReplicaDemand, readonly CompiledCluster[]>();

  constructor(private readonly sites: readonly CompiledCluster[]) {}

  of(demand: ReplicaDemand): readonly CompiledCluster[] {
    const known = this.#open.get(demand);
    if (known) return known;
    const open = this.sites.filter((site) => !rejectNew(demand, site));
    this.#open.set(demand, open);
    return open;
  }

  /** Asks a cluster again on which something was taken away. */
  reopen(site: CompiledCluster): void {
    for (const [demand, open] of this.#open) {
      if (open.includes(site) || rejectNew(demand, site)) continue;
      this.#open.set(
        demand,
        sortedBy([...open, site], ({ name }) => name),
      );
    }
  }

  close(demand: ReplicaDemand, full: CompiledCluster): void {
    this.#open.set(
      demand,
      this.of(demand).filter((site) => site !== full),
    );
  }
}

/** Remembers where a replica of each demand would go on each cluster, until something is placed there. */
export class AssignmentCache {
  readonly #known = new Map<CompiledCluster, Map<ReplicaDemand, Assignment | undefined>>();
  readonly #fullness = new Map<CompiledCluster, number>();

  constructor(
    private readonly matcher: PodMatcher,
    private readonly ledger: Ledger,
  ) {}

  of(demand: ReplicaDemand, site: CompiledCluster): Assignment | undefined {
    const known = this.#known.get(site) ?? new Map<ReplicaDemand, Assignment | undefined>();
    this.#known.set(site, known);
    if (!known.has(demand)) known.set(demand, fitReplica(demand, site, this.matcher, this.ledger));
    return known.get(demand);
  }

  /** What a cluster has promised, as a share of all its nodes, from 0 to 1. */
  fullness(site: CompiledCluster): number {
    const known = this.#fullness.get(site);
    if (known !== undefined) return known;
    const nodes = site.pools.reduce((sum, pool) => sum + pool.nodes, 0);
    const promised = site.pools.reduce((sum, pool) => sum + this.ledger.share(pool) * pool.nodes, 0);
    const fullness = nodes > 0 ? promised / nodes : 0;
    this.#fullness.set(site, fullness);
    return fullness;
  }

  /** Forgets what was known of a cluster on which something was placed. */
  invalidate(site: CompiledCluster): void {
    this.#known.delete(site);
    this.#fullness.delete(site);
  }
}
