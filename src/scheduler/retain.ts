import { groupBy } from '../order';
import { heldOf, type Leaving, type Placed } from './held';
import { linesOf, sortedLines } from './lines';
import { relieve } from './relieve';
import { scaleDown } from './scale-down';
import type { State } from './state';
import type { Placement } from './types';

/**
 * Keeps every previous placement that still holds and is still wanted, deployments of higher priority first.
 *
 * One that has to leave its cluster (a taint, a changed cluster selector) or runs earlier engines stays as leaving,
 * charged and serving as what it is, until its replacement does. One whose deployment, cluster or pool is gone, that
 * has no room, or of which nobody knows what it is made of, is evicted.
 */
export function retain(state: State, previous: readonly Placement[]): void {
  const leaving = holdAll(state, sortedLines(previous));
  const { workloads } = state.model;
  const going = groupBy(leaving.filter(startsToLeave), ({ workload }) => workload);
  // First, since a replica that is not wanted any more may be all that is too much for a pool.
  for (const workload of workloads) {
    const starting = going.get(workload)?.map(({ placed }) => placed);
    scaleDown(state, workload, starting ?? NONE);
  }
  relieve(state);
  for (const one of leaving) settleLeaving(state, one);
}

const NONE: readonly Placed[] = [];

/** Leaves every line where it is as far as it holds there, whatever else is placed; tells of those that leave. */
function holdAll(state: State, lock: readonly Placement[]): Leaving[] {
  const lines = linesOf(lock);
  const all: Leaving[] = [];
  let [known, intact] = [0, 0];
  for (const workload of state.model.workloads) {
    const own = lines.get(workload.id);
    if (!own) continue;
    const held = heldOf(workload, own, state);
    state.hold(workload, own, held);
    all.push(...held.leaving);
    known += 1;
    if (held.intact) intact += 1;
  }
  if (known < lines.size) evictGone(state, lines);
  if (intact === lines.size) state.holdsAll(lock);
  return all;
}

function evictGone(state: State, lines: ReadonlyMap<string, readonly Placement[]>): void {
  const declared = new Set(state.model.workloads.map(({ id }) => id));
  for (const [id, gone] of lines) {
    if (declared.has(id)) continue;
    for (const placement of gone) state.evict(placement, { kind: 'deployment-gone' });
  }
}

function startsToLeave({ leaves, wasLeaving }: Leaving): boolean {
  return leaves !== undefined && !wasLeaving;
}

/** Tells why a replica starts to leave; one that left for a reason that is over counts again where a replica is missing. */
function settleLeaving(state: State, { workload, placed, paused, leaves, wasLeaving }: Leaving): void {
  if (paused || !placed.placement.leaving || !state.holds(placed)) return;
  if (leaves) {
    if (!wasLeaving) state.evict(placed.placement, leaves);
  } else if (state.missing(workload) > 0) {
    const { leaving: _, ...placement } = placed.placement;
    state.remove(placed);
    state.place(placement, placed.assignment);
  }
}
