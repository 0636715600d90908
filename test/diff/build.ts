import type { Resource } from '../../src/api/kinds';
import { diffStates, type FleetDiff } from '../../src/diff/fleet-diff';
import type { FleetState } from '../../src/diff/fleet-state';
import { assemble, type PreviousRevision } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { recordRevision } from '../../src/scheduler/previous-revision';
import { byPath } from '../api/build';

const shapes = new WeakMap<FleetState['decision'], readonly PreviousRevision[]>();

/** The shapes of all deployments, each decision's once: they take most of the time of a large one. */
function shapesOf(decision: FleetState['decision']): readonly PreviousRevision[] {
  const known = shapes.get(decision) ?? decision.fleet.deployments.flatMap((one) => recordRevision(one) ?? []);
  shapes.set(decision, known);
  return known;
}

/** A fleet that was locked as it is declared, starting from an earlier lock. */
export function state(
  name: string,
  resources: readonly Resource[],
  from: Lock = EMPTY_LOCK,
  former?: FleetState,
): FleetState & { readonly decision: Decision } {
  const known = former ? shapesOf(former.decision) : [];
  const { lock } = decide(assemble(resources), byPath, from, { notes: [], warnings: [], former: known });
  const decision = decide(assemble(resources), byPath, lock);
  return { name, resources, locate: byPath, warnings: [], decision, cost: decision.plan.cost };
}

/** What happens when a fleet is declared otherwise and locked. */
export function diff(before: readonly Resource[], after: readonly Resource[]): FleetDiff {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const former = shapesOf(earlier.decision);
  const remarks = { notes: [], warnings: [], former };
  return diffStates(earlier, later, decide(assemble(after), byPath, earlier.decision.lock, remarks));
}
