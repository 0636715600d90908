import { groupBy } from '../order';
import { add, type Rooms } from './fill';
import { rejectNew } from './filters';
import { fitReplica } from './fit';
import type { Site, Workload } from './model';
import { Spread } from './spread';
import type { Placed } from './held';
import type { State } from './state';

/**
 * How many replicas of earlier engines a deployment may take down to make room for new ones: those that start to
 * leave, and of those that left before as many as have no replacement yet. To be asked before anything is filled.
 */
export function mayGiveWay(state: State, workload: Workload): number {
  const former = formerOf(state, workload);
  if (former.length === 0) return 0;
  const starting = new Set(state.evicted(workload.id).map(({ placement }) => placement));
  const before = former.filter(({ placement }) => !starting.has(placement)).length;
  return former.length - before + Math.max(0, before - state.staying(workload).length);
}

/**
 * Gives one replica that fits nowhere the place of replicas that run earlier engines of its deployment: on the
 * cluster where the fewest have to go, and of these the later ones. They are gone before it serves.
 *
 * @param most how many may go
 * @returns how many went; 0 where none of them would make room
 */
export function giveWay(state: State, workload: Workload, rooms: Rooms, most: number): number {
  if (most === 0 || state.missing(workload) === 0) return 0;
  const spread = new Spread(workload, state.sitesOf(workload));
  const ways = [...groupBy(formerOf(state, workload), ({ placement }) => placement.cluster)].flatMap(
    ([cluster, former]) => {
      const site = state.sites.get(cluster);
      if (!site || rejectNew(workload.demand, site) || spread.limit(site)) return [];
      const going = fewestToGo(state, workload, site, former);
      return going.length > 0 && going.length <= most ? [{ site, going }] : [];
    },
  );
  const [way] = ways.sort((a, b) => a.going.length - b.going.length);
  const first = way?.going.at(-1);
  if (!way || !first) return 0;
  for (const placed of way.going) state.drop(placed, { kind: 'shape', gap: 'no-room' });
  rooms.open.reopen(way.site);
  rooms.assignments.changed(way.site);
  add(state, workload, way.site, { rooms, spread, index: first.placement.index });
  return way.going.length;
}

function formerOf(state: State, workload: Workload): Placed[] {
  return state.leaving(workload).filter(({ placement }) => placement.shape !== workload.shape);
}

/** Replicas of a cluster without which a new one has room there, none of them needlessly; none where nothing helps. */
function fewestToGo(state: State, workload: Workload, site: Site, former: readonly Placed[]): Placed[] {
  const { ledger, matcher } = state;
  const fits = (): boolean => fitReplica(workload.demand, site, matcher, ledger) !== undefined;
  const gone: Placed[] = [];
  for (const placed of former.toReversed()) {
    ledger.remove(placed.assignment.charges);
    gone.push(placed);
    if (fits()) break;
  }
  const needed = fits() ? gone.filter((placed) => !fitsWith(state, placed, fits)) : [];
  for (const { assignment } of fits() ? needed : gone) ledger.add(assignment.charges);
  return needed;
}

/** Puts a replica back, and leaves it there if a new one still has room. */
function fitsWith({ ledger }: State, { assignment }: Placed, fits: () => boolean): boolean {
  ledger.add(assignment.charges);
  if (fits()) return true;
  ledger.remove(assignment.charges);
  return false;
}
