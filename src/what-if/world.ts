import type { InferenceCluster } from '../api/inference-cluster';
import { type PoolPrices, poolPrices } from '../cost/pool-prices';
import type { Fleet } from '../fleet';
import type { Model, Pool, Site } from '../scheduler/model';

/**
 * A fleet as declared and as the scheduler sees it, changed together: selectors are compiled and matched once for all
 * that may happen to it.
 */
export interface World {
  readonly fleet: Fleet;
  readonly model: Model;
  readonly prices: PoolPrices;
}

/** A fleet as it is. */
export function worldOf({ fleet, model }: Pick<World, 'fleet' | 'model'>): World {
  return { fleet, model, prices: poolPrices(fleet) };
}

/** Without some clusters. */
export function withoutClusters({ fleet, model, prices }: World, gone: ReadonlySet<string>): World {
  return {
    fleet: { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => !gone.has(metadata.name)) },
    model: { ...model, sites: model.sites.filter(({ name }) => !gone.has(name)) },
    prices,
  };
}

/** How one cluster changes, on both sides. */
export interface ClusterChange {
  readonly declared: (spec: InferenceCluster['spec']) => InferenceCluster['spec'];
  readonly compiled: (site: Site) => Site;
}

/** With one cluster changed. */
export function withCluster(world: World, name: string, { declared, compiled }: ClusterChange): World {
  const { fleet, model } = world;
  return {
    ...world,
    fleet: {
      ...fleet,
      clusters: fleet.clusters.map((one) =>
        one.metadata.name === name ? { ...one, spec: declared(one.spec) } : one,
      ),
    },
    model: { ...model, sites: model.sites.map((site) => (site.name === name ? compiled(site) : site)) },
  };
}

/** A site with one of its pools changed. */
export function withPool(site: Site, name: string, change: (pool: Pool) => Pool): Site {
  return { ...site, pools: site.pools.map((pool) => (pool.name === name ? change(pool) : pool)) };
}
