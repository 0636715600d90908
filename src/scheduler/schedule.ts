import { compareText } from '../order';
import { Assignments } from './assignments';
import { fill } from './fill';
import { giveWay, mayGiveWay } from './give-way';
import { Matcher } from './matcher';
import type { Model, Workload } from './model';
import { OpenSites } from './open-sites';
import { Rejections } from './rejections';
import { retain } from './retain';
import { State } from './state';
import type { Placement, Schedule, Shortfall } from './types';

/**
 * Chooses a cluster, and a pool for each engine, for every replica of the fleet.
 *
 * Pure, and independent of the order of its inputs. What was placed before stays where it is while it holds, so
 * growing a fleet moves nothing, and scheduling a schedule again changes nothing. Where engines changed shape, the
 * replacement is placed beside the old replica if both have room, else in its place. A replica that fits nowhere is
 * a result with its reasons, never an exception.
 *
 * @param previous the placements of the lock; none for a first plan
 * @param matcher remembers how pods fit on nodes; share one to ask again later at no cost
 */
export function schedule(
  model: Model,
  previous: readonly Placement[] = [],
  matcher = new Matcher(),
): Schedule {
  const state = new State(model, matcher);
  const lacking = retainIn(state, previous);
  fillAll(state, lacking);
  return {
    placements: state.placements(),
    evictions: state.evictions(),
    shortfalls: shortfalls(state, lacking),
  };
}

/** The same decision without the reasons of what has no place, which take longer to find than a place. */
export function place(model: Model, previous: readonly Placement[], matcher: Matcher): State {
  const state = new State(model, matcher);
  fillAll(state, retainIn(state, previous));
  return state;
}

/** Keeps what holds; the deployments that lack replicas then. Nothing that follows takes one away that counts. */
function retainIn(state: State, previous: readonly Placement[]): readonly Workload[] {
  retain(state, previous);
  return state.model.workloads.filter((workload) => state.missing(workload) > 0);
}

/** Fills every deployment in turn, and from the first again when replicas gave way: what they left is for all. */
function fillAll(state: State, lacking: readonly Workload[]): void {
  const { sites } = state.model;
  const rooms = { open: new OpenSites(sites), assignments: new Assignments(state.matcher, state.ledger) };
  const left = new Map(lacking.map((workload) => [workload, mayGiveWay(state, workload)]));
  for (let w = 0; w < lacking.length; w++) {
    const workload = lacking[w];
    if (!workload) return;
    fill(state, workload, rooms);
    const most = left.get(workload) ?? 0;
    const gone = giveWay(state, workload, rooms, most);
    left.set(workload, most - gone);
    if (gone > 0) w = -1;
  }
}

function shortfalls(state: State, lacking: readonly Workload[]): Shortfall[] {
  const rejections = new Rejections(state.model.sites, state.matcher, state.ledger);
  return lacking
    .filter((workload) => state.missing(workload) > 0)
    .map((workload) => ({
      deployment: workload.id,
      missing: state.missing(workload),
      ...rejections.of(workload, state.sitesOf(workload)),
    }))
    .sort((a, b) => compareText(a.deployment, b.deployment));
}
