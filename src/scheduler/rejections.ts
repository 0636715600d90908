import { compareText } from '../order';
import { rejectNew } from './filters';
import { engineFit } from './fit';
import type { Ledger } from './ledger';
import type { Matcher } from './matcher';
import type { Demand, Engine, Pool, Site, Workload } from './model';
import { remediesFor, type Trial } from './remedies';
import { shortage } from './shortage';
import { Spread } from './spread';
import type { Rejection, Remedy } from './types';

/** Why a demand has no place, and the smallest changes that would give one replica of it a place. */
export interface Unmet {
  readonly rejections: readonly Rejection[];
  readonly remedies: readonly Remedy[];
}

/** The reasons against every cluster, computed once for all deployments of a demand. */
export class Rejections {
  readonly #known = new Map<Demand, Unmet>();

  readonly #trial: Trial;

  constructor(
    private readonly sites: readonly Site[],
    private readonly matcher: Matcher,
    private readonly ledger: Ledger,
  ) {
    this.#trial = { sites: new Map(sites.map((site) => [site.name, site])), matcher, ledger };
  }

  /**
   * The reasons against a further replica of a deployment.
   *
   * @param placed the clusters on which it has replicas, one entry a replica
   */
  of(workload: Workload, placed: readonly Site[]): Unmet {
    const spread = new Spread(workload, placed);
    const limited = this.sites.flatMap((site) => {
      const reason = rejectNew(workload.demand, site) ? undefined : spread.limit(site);
      return reason ? [{ cluster: site.name, reason }] : [];
    });
    const unmet = this.#ofDemand(workload.demand);
    if (limited.length === 0) return unmet;
    const closed = new Set(limited.map(({ cluster }) => cluster));
    const others = unmet.rejections.filter(({ cluster }) => !closed.has(cluster));
    const rejections = [...others, ...limited].sort((a, b) => compareText(a.cluster, b.cluster));
    return { rejections, remedies: remediesFor(workload.demand, others, this.#trial) };
  }

  #ofDemand(demand: Demand): Unmet {
    const known = this.#known.get(demand);
    if (known) return known;
    const unmet = this.#compute(demand);
    this.#known.set(demand, unmet);
    return unmet;
  }

  #compute(demand: Demand): Unmet {
    const rejections = this.sites.flatMap((site) => this.#ofSite(demand, site));
    return { rejections, remedies: remediesFor(demand, rejections, this.#trial) };
  }

  /** The reason against a cluster, or one reason against each pool for the first engine that has no pool. */
  #ofSite(demand: Demand, site: Site): Rejection[] {
    const reason = rejectNew(demand, site);
    if (reason) return [{ cluster: site.name, reason }];
    for (const engine of demand.engines) {
      const against = site.pools.map((pool) => this.#ofPool(engine, pool, site));
      if (against.every((rejection) => rejection !== undefined)) return against;
    }
    const engines = demand.engines.map(({ name }) => name);
    return [{ cluster: site.name, reason: { filter: 'together', engines } }];
  }

  #ofPool(engine: Engine, pool: Pool, site: Site): Rejection | undefined {
    const at = { cluster: site.name, pool: pool.name };
    const fit = engineFit(engine, pool, site, this.matcher);
    if ('misfit' in fit) return { ...at, reason: { filter: 'devices', engine: engine.name, ...fit } };
    if (this.ledger.fits(fit.charges)) return undefined;
    return { ...at, reason: shortage(this.ledger, fit.charges) };
  }
}
