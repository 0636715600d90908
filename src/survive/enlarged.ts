import { poolKey } from '../cost/pool-prices';
import type { Model, Site } from '../scheduler/model';
import type { Losing } from './losses';

/** Nodes to add to pools, by `poolKey`. */
export type Extra = ReadonlyMap<string, number>;

/** A model without the clusters of a loss, and with more nodes in some pools. Everything else is the same object. */
export function modelAfter({ sites, ...model }: Model, losing: Losing, extra: Extra): Model {
  const left = sites.filter((site) => !losing.sites.has(site));
  return { ...model, sites: extra.size === 0 ? left : left.map((site) => withExtra(site, extra)) };
}

function withExtra(site: Site, extra: Extra): Site {
  const more = site.pools.map(({ name }) => extra.get(poolKey(site.name, name)) ?? 0);
  if (more.every((nodes) => nodes === 0)) return site;
  return { ...site, pools: site.pools.map((pool, p) => ({ ...pool, nodes: pool.nodes + (more[p] ?? 0) })) };
}
