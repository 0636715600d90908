import { type Assignment, fitReplica } from './fit';
import type { Ledger } from './ledger';
import type { Matcher } from './matcher';
import type { Demand, Site } from './model';

/** Remembers where a replica of each demand would go on each cluster, until something is placed there. */
export class Assignments {
  readonly #known = new Map<Site, Map<Demand, Assignment | undefined>>();
  readonly #fullness = new Map<Site, number>();

  constructor(
    private readonly matcher: Matcher,
    private readonly ledger: Ledger,
  ) {}

  of(demand: Demand, site: Site): Assignment | undefined {
    const known = this.#known.get(site) ?? new Map<Demand, Assignment | undefined>();
    this.#known.set(site, known);
    if (!known.has(demand)) known.set(demand, fitReplica(demand, site, this.matcher, this.ledger));
    return known.get(demand);
  }

  /** What a cluster has promised, as a share of all its nodes, from 0 to 1. */
  fullness(site: Site): number {
    const known = this.#fullness.get(site);
    if (known !== undefined) return known;
    const nodes = site.pools.reduce((sum, pool) => sum + pool.nodes, 0);
    const promised = site.pools.reduce((sum, pool) => sum + this.ledger.share(pool) * pool.nodes, 0);
    const fullness = nodes > 0 ? promised / nodes : 0;
    this.#fullness.set(site, fullness);
    return fullness;
  }

  /** Forgets what was known of a cluster on which something was placed. */
  changed(site: Site): void {
    this.#known.delete(site);
    this.#fullness.delete(site);
  }
}
