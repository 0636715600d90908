import { fitReplica } from './fit';
import type { Site, Workload } from './model';
import type { OpenSites } from './open-sites';
import type { State } from './state';

/**
 * Gives a place to each replica that lacks one, one at a time: on the cluster that has the fewest of its
 * deployment, the first by name among equals.
 *
 * A replica that was evicted goes back to its cluster where that still has room: its weights are there.
 */
export function fill(state: State, workload: Workload, open: OpenSites): void {
  if (state.missing(workload) === 0) return;
  for (const { placement } of state.evicted(workload.id)) {
    const site = state.sites.get(placement.cluster);
    if (site && open.of(workload.demand).includes(site))
      add(state, workload, site, { open, index: placement.index });
  }
  const own = ownBySite(state, workload);
  while (state.missing(workload) > 0) {
    const site = fewest(open.of(workload.demand), own);
    if (!site) return;
    if (add(state, workload, site, { open })) own.set(site, (own.get(site) ?? 0) + 1);
  }
}

/** Adds a replica on a cluster if one is missing and the cluster has room; closes the cluster otherwise. */
function add(
  state: State,
  workload: Workload,
  site: Site,
  how: { open: OpenSites; index?: number },
): boolean {
  if (state.missing(workload) === 0) return false;
  const assignment = fitReplica(workload.demand, site, state.matcher, state.ledger);
  if (!assignment) {
    how.open.close(workload.demand, site);
    return false;
  }
  const { engines } = workload.demand;
  const pools = Object.fromEntries(engines.map(({ name }, e) => [name, assignment.pools[e]?.name ?? '']));
  const index = state.freeIndex(workload, site, how.index);
  state.place(
    { deployment: workload.id, cluster: site.name, index, pools, shape: workload.shape },
    assignment,
  );
  return true;
}

function ownBySite(state: State, workload: Workload): Map<Site, number> {
  const own = new Map<Site, number>();
  for (const { placement } of state.staying(workload)) {
    const site = state.sites.get(placement.cluster);
    if (site) own.set(site, (own.get(site) ?? 0) + 1);
  }
  return own;
}

function fewest(sites: readonly Site[], own: ReadonlyMap<Site, number>): Site | undefined {
  let best: Site | undefined;
  let least = Infinity;
  for (const site of sites) {
    const count = own.get(site) ?? 0;
    if (count >= least) continue;
    best = site;
    least = count;
    if (count === 0) break;
  }
  return best;
}
