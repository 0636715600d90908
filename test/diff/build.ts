import type { Resource } from '../../src/api/kinds';
import { diffStates, type FleetDiff } from '../../src/diff/fleet-diff';
import type { FleetState } from '../../src/diff/fleet-state';
import { supposeLost } from '../../src/diff/suppose-lost';
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

/** What is decided on a fleet from an earlier lock, and then from the lock that this yields. */
interface Settled {
  readonly first: Decision;
  readonly decision: Decision;
}

function settle(resources: readonly Resource[], from: Lock, former: readonly PreviousRevision[]): Settled {
  const first = decide(assemble(resources), byPath, from, { notes: [], warnings: [], former });
  return { first, decision: decide(assemble(resources), byPath, first.lock) };
}

const ids = new Map<Resource, number>();
const begun = new Map<string, Settled>();

/** As `settle`, from nothing. Many rows of a file begin with the same fleet. */
function begin(resources: readonly Resource[]): Settled {
  for (const resource of resources) if (!ids.has(resource)) ids.set(resource, ids.size);
  const fleet = resources.map((resource) => ids.get(resource)).join(' ');
  const settled = begun.get(fleet) ?? settle(resources, EMPTY_LOCK, []);
  begun.set(fleet, settled);
  return settled;
}

function toState(name: string, resources: readonly Resource[], { decision }: Settled) {
  return { name, resources, locate: byPath, warnings: [], decision, cost: decision.plan.cost };
}

/** A fleet that was locked as it is declared, starting from an earlier lock. */
export function state(
  name: string,
  resources: readonly Resource[],
  from?: Lock,
  former?: FleetState,
): FleetState & { readonly decision: Decision } {
  const settled = from ? settle(resources, from, former ? shapesOf(former.decision) : []) : begin(resources);
  return toState(name, resources, settled);
}

/** What happens when a fleet is declared otherwise and locked. */
export function diff(before: readonly Resource[], after: readonly Resource[]): FleetDiff {
  return change(state('main', before), after).diff;
}

/** A fleet that is declared otherwise and locked, and what happens then. */
export function change(earlier: FleetState & { readonly decision: Decision }, after: readonly Resource[]) {
  const settled = settle(after, earlier.decision.lock, shapesOf(earlier.decision));
  const later = toState('here', after, settled);
  return { later, diff: diffStates(supposeLost(earlier, later.decision.model), later, settled.first) };
}
