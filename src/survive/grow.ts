import { poolKey } from '../cost/pool-prices';
import { Assignments } from '../scheduler/assignments';
import { add } from '../scheduler/fill';
import { rejectNew } from '../scheduler/filters';
import { engineFit } from '../scheduler/fit';
import type { Charge } from '../scheduler/ledger';
import type { Demand, Pool, Site, Workload } from '../scheduler/model';
import { OpenSites } from '../scheduler/open-sites';
import { Spread } from '../scheduler/spread';
import type { State } from '../scheduler/state';

/** Nodes that a replica lacks on a cluster, by pool. */
interface Need {
  readonly site: Site;
  readonly nodes: readonly (readonly [Pool, number])[];
  readonly total: number;
}

/** Of the clusters that need the fewest nodes at first, so many are looked at again for every further replica. */
const MOST_COMPARED = 8;

/**
 * Adds nodes until a deployment has so many more replicas, one after the other, each where it lacks the fewest: a
 * heuristic, as one cluster may serve several that others need apart.
 *
 * @param extra what was added, by `poolKey`; it grows
 */
export function grow(state: State, workload: Workload, replicas: number, extra: Map<string, number>): void {
  const rooms = {
    open: new OpenSites(state.model.sites),
    assignments: new Assignments(state.matcher, state.ledger),
  };
  const spread = new Spread(workload, state.sitesOf(workload));
  const compared = fewest(state, workload, state.model.sites, spread).slice(0, MOST_COMPARED);
  for (let r = 0; r < replicas; r++) {
    const [best] = fewest(
      state,
      workload,
      compared.map(({ site }) => site),
      spread,
    );
    if (!best) return;
    for (const [pool, nodes] of best.nodes) {
      const key = poolKey(pool.cluster, pool.name);
      extra.set(key, (extra.get(key) ?? 0) + nodes);
      state.ledger.enlarge(pool, nodes);
    }
    rooms.assignments.changed(best.site);
    add(state, workload, best.site, { rooms, spread });
  }
}

/** The clusters that may take a replica, those that lack the fewest nodes first, then by name. */
function fewest(state: State, { demand }: Workload, sites: readonly Site[], spread: Spread): Need[] {
  return sites
    .filter((site) => !rejectNew(demand, site) && !spread.limit(site))
    .flatMap((site) => needOn(state, demand, site) ?? [])
    .sort((a, b) => a.total - b.total);
}

function needOn({ ledger, matcher }: State, demand: Demand, site: Site): Need | undefined {
  const chosen: Charge[] = [];
  for (const engine of demand.engines) {
    const fits = site.pools.flatMap((pool) => {
      const fit = engineFit(engine, pool, site, matcher);
      return 'misfit' in fit ? [] : [fit];
    });
    const [best] = fits
      .map(({ pool, charges }) => ({ charges, lacks: ledger.missingNodes(pool, [...chosen, ...charges]) }))
      .sort((a, b) => a.lacks - b.lacks);
    if (!best) return undefined;
    chosen.push(...best.charges);
  }
  const pools = [...new Set(chosen.map(({ pool }) => pool))];
  const nodes = pools
    .map((pool) => [pool, ledger.missingNodes(pool, chosen)] as const)
    .filter(([, n]) => n > 0);
  return { site, nodes, total: nodes.reduce((sum, [, n]) => sum + n, 0) };
}
