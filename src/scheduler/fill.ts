import type { Assignments } from './assignments';
import type { Site, Workload } from './model';
import type { OpenSites } from './open-sites';
import { POLICIES, type View } from './policies';
import { Spread } from './spread';
import type { State } from './state';

/** What filling needs beside the state. Shared by all deployments of a run. */
export interface Rooms {
  readonly open: OpenSites;
  readonly assignments: Assignments;
}

/**
 * Gives a place to each replica that lacks one, one at a time: on the cluster that the deployment's policy likes
 * best, in the failure domain with the fewest of its replicas where it names domains; the first by name among
 * equals.
 *
 * A replica that was evicted goes back to its cluster where that still has room: its weights are there.
 */
export function fill(state: State, workload: Workload, rooms: Rooms): void {
  if (state.missing(workload) === 0) return;
  const spread = new Spread(workload, state.sitesOf(workload));
  for (const { placement } of state.evicted(workload.id)) {
    const site = state.sites.get(placement.cluster);
    if (!site || !rooms.open.of(workload.demand).includes(site) || spread.limit(site)) continue;
    add(state, workload, site, { rooms, spread, index: placement.index });
  }
  const view = {
    workload,
    spread,
    assignment: (site: Site) => rooms.assignments.of(workload.demand, site),
    fullness: (site: Site) => rooms.assignments.fullness(site),
  };
  while (state.missing(workload) > 0) {
    const site = best(rooms.open.of(workload.demand), view);
    if (!site) return;
    add(state, workload, site, { rooms, spread });
  }
}

/** What adding a replica needs beside the state. */
export interface Adding {
  readonly rooms: Rooms;
  readonly spread: Spread;
  /** The index that it gets where that is free. */
  readonly index?: number;
}

/** Adds a replica on a cluster if one is missing and the cluster has room; closes the cluster otherwise. */
export function add(state: State, workload: Workload, site: Site, { rooms, spread, index }: Adding): void {
  if (state.missing(workload) === 0) return;
  const assignment = rooms.assignments.of(workload.demand, site);
  if (!assignment) {
    rooms.open.close(workload.demand, site);
    return;
  }
  const { engines } = workload.demand;
  const pools = Object.fromEntries(engines.map(({ name }, e) => [name, assignment.pools[e]?.name ?? '']));
  const free = state.freeIndex(workload, site, index);
  state.place(
    { deployment: workload.id, cluster: site.name, index: free, pools, shape: workload.shape },
    assignment,
  );
  rooms.assignments.changed(site);
  spread.add(site);
}

/** The cluster with the lowest score; sites come sorted by name, so the first wins among equals. */
function best(sites: readonly Site[], view: View): Site | undefined {
  const { score: scoreOf, least } = POLICIES[view.workload.placement.policy];
  let found: { site: Site; domain: number; score: number } | undefined;
  for (const site of sites) {
    if (view.spread.limit(site)) continue;
    const domain = view.spread.inDomain(site);
    if (found && domain > found.domain) continue;
    const score = scoreOf(site, view);
    if (found && domain === found.domain && score >= found.score) continue;
    found = { site, domain, score };
    if (domain === 0 && score === least) break;
  }
  return found?.site;
}
