import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { Reason } from './reason';

/** Counts the replicas of one deployment on clusters and in failure domains. */
export class TopologySpread {
  readonly #byCluster = new Map<CompiledCluster, number>();
  readonly #byDomain = new Map<string, number>();
  #placed = 0;

  constructor(
    readonly deployment: CompiledDeployment,
    placed: Iterable<CompiledCluster>,
  ) {
    for (const cluster of placed) this.add(cluster);
  }

  add(cluster: CompiledCluster): void {
    this.#placed += 1;
    this.#byCluster.set(cluster, this.countOnCluster(cluster) + 1);
    const domain = this.#domainOf(cluster);
    if (domain !== undefined) this.#byDomain.set(domain, (this.#byDomain.get(domain) ?? 0) + 1);
  }

  remove(cluster: CompiledCluster): void {
    this.#placed -= 1;
    decrement(this.#byCluster, cluster);
    const domain = this.#domainOf(cluster);
    if (domain !== undefined) decrement(this.#byDomain, domain);
  }

  countOnCluster(cluster: CompiledCluster): number {
    return this.#byCluster.get(cluster) ?? 0;
  }

  /** The number of replicas in the failure domain of a cluster; 0 if the deployment names no domains. */
  countInDomain(cluster: CompiledCluster): number {
    const domain = this.#domainOf(cluster);
    return domain === undefined ? 0 : (this.#byDomain.get(domain) ?? 0);
  }

  /** The spread limit that keeps a further replica off a cluster, even if it has room. */
  findLimit(cluster: CompiledCluster): (Reason & { filter: 'spread' }) | undefined {
    const { domainKey, maxPerCluster, maxPerDomain, minDomains } = this.deployment.placement;
    if (maxPerCluster !== undefined && this.countOnCluster(cluster) >= maxPerCluster) {
      return { filter: 'spread', limit: 'maxPerCluster', most: maxPerCluster };
    }
    if (domainKey === undefined) return undefined;
    const domain = this.#domainOf(cluster);
    if (domain === undefined) return { filter: 'spread', limit: 'no-domain', domain: domainKey };
    const used = this.#byDomain.get(domain) ?? 0;
    if (maxPerDomain !== undefined && used >= maxPerDomain) {
      return { filter: 'spread', limit: 'maxPerDomain', domain, most: maxPerDomain };
    }
    // Each domain without a replica needs one of the replicas that are not placed yet.
    const needed = (minDomains ?? 0) - this.#byDomain.size;
    if (used > 0 && needed > 0 && this.deployment.replicas - this.#placed <= needed) {
      return { filter: 'spread', limit: 'minDomains', domain, most: minDomains ?? 0, used };
    }
    return undefined;
  }

  #domainOf({ labels }: CompiledCluster): string | undefined {
    const { domainKey } = this.deployment.placement;
    return domainKey === undefined ? undefined : labels[domainKey];
  }
}

/** Whether more than room keeps replicas of a deployment off a cluster that suits them. */
export function hasLimits({ placement: { maxPerCluster, domainKey } }: CompiledDeployment): boolean {
  return maxPerCluster !== undefined || domainKey !== undefined;
}

function decrement<K>(counts: Map<K, number>, key: K): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
