import type { CompiledCluster, CompiledDeployment, PlacementPreference } from './compiled-fleet';
import type { Reason } from './schedule-result';

/** How the replicas of one deployment stand on clusters and in failure domains. */
export class TopologySpread {
  readonly #bySite = new Map<CompiledCluster, number>();
  readonly #byDomain = new Map<string, number>();

  constructor(
    private readonly workload: CompiledDeployment,
    placed: Iterable<CompiledCluster>,
  ) {
    for (const site of placed) this.add(site);
  }

  add(site: CompiledCluster): void {
    this.#bySite.set(site, this.countOnCluster(site) + 1);
    const domain = domainOf(this.workload.placement, site);
    if (domain !== undefined) this.#byDomain.set(domain, (this.#byDomain.get(domain) ?? 0) + 1);
  }

  /** The replicas on a cluster. */
  countOnCluster(site: CompiledCluster): number {
    return this.#bySite.get(site) ?? 0;
  }

  /** The replicas in the failure domain of a cluster; 0 where the deployment names no domains. */
  countInDomain(site: CompiledCluster): number {
    const domain = domainOf(this.workload.placement, site);
    return domain === undefined ? 0 : (this.#byDomain.get(domain) ?? 0);
  }

  /** Why no further replica may be on a cluster, though it may have room. */
  findLimit(site: CompiledCluster): (Reason & { filter: 'spread' }) | undefined {
    const { domainKey, maxPerCluster, maxPerDomain, minDomains } = this.workload.placement;
    if (maxPerCluster !== undefined && this.countOnCluster(site) >= maxPerCluster) {
      return { filter: 'spread', limit: 'maxPerCluster', most: maxPerCluster };
    }
    if (domainKey === undefined) return undefined;
    const domain = domainOf(this.workload.placement, site);
    if (domain === undefined) return { filter: 'spread', limit: 'no-domain', domain: domainKey };
    const used = this.#byDomain.get(domain) ?? 0;
    if (maxPerDomain !== undefined && used >= maxPerDomain) {
      return { filter: 'spread', limit: 'maxPerDomain', domain, most: maxPerDomain };
    }
    // The replicas that are left are needed, one each, for domains that have none yet.
    const needed = (minDomains ?? 0) - this.#byDomain.size;
    if (used > 0 && needed > 0 && this.#left() <= needed) {
      return { filter: 'spread', limit: 'minDomains', domain, most: minDomains ?? 0 };
    }
    return undefined;
  }

  #left(): number {
    const placed = [...this.#bySite.values()].reduce((sum, count) => sum + count, 0);
    return this.workload.replicas - placed;
  }
}

function domainOf({ domainKey }: PlacementPreference, { labels }: CompiledCluster): string | undefined {
  return domainKey === undefined ? undefined : labels[domainKey];
}
