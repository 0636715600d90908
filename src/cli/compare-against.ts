import type { Locate, Resource } from '../api/kinds';
import { type Diagnostic, formatDiagnostic, relocate } from '../base/diagnostic';
import { diffStates, type FleetDiff } from '../diff/fleet-diff';
import type { FleetState } from '../diff/fleet-state';
import { type CompareObjects, createObjectComparer } from '../diff/object-changes';
import { supposeLost } from '../diff/suppose-lost';
import type { ApplyMode } from '../diff/serving-during-change';
import type { Fleet, PreviousRevision } from '../fleet/fleet';
import type { Policy } from '../fleet/policy';
import { resolveFleet } from '../files/read-fleet';
import { keepsRouting, listWritten, replaceSetAside, type SetAside, setAsideFaults } from '../files/set-aside';
import { placeFleet } from '../plan/decide';
import type { PlacedFleet } from '../plan/decision';
import { computePlacedCost } from '../plan/plan-cost';
import type { MapComparison } from '../report/map/build-map-data';
import { isSameLock } from '../scheduler/lock/compare-locks';
import { recordRevision } from '../scheduler/previous-revision';
import { type ValidDecision, heldDeploymentsOf } from './decide-valid-resources';
import { type AgainstFlags, type EarlierInput, readEarlierInput, withRenamedErrors } from './earlier-input';
import { applyModeOf } from './commands/plan-flags';
import type { Io } from './output';

interface ComparisonRun {
  readonly decided: ValidDecision;
  readonly io: Io;
}

/** What a fleet is compared with, and what comes of it. */
export interface Comparison extends MapComparison {
  /** Compares the objects of other later states with the same earlier one. */
  readonly compareObjects: CompareObjects;

  /** How the change is applied. */
  readonly applied: ApplyMode;
}

type AppliedFlags = AgainstFlags & Parameters<typeof applyModeOf>[0];

/** Compares a fleet with a git revision, a folder or a saved plan. */
export function compareAgainst(name: string, target: string, flags: AppliedFlags, run: ComparisonRun): Comparison {
  const { decided, io } = run;
  const applied = applyModeOf(flags);
  io.progress?.(`reading ${name}`);
  const input = readEarlierInput(name, target, flags, { read: decided, io });
  const before = supposeLost(decideEarlierState(name, input, laterRunOf(run)), decided.model);
  const { written, locate, warnings, plan } = decided;
  const decision = keepEarlierRoutes(decided, before.decision);
  const after: FleetState = { name: target, ...written, locate, warnings, decision, cost: plan.cost };
  io.progress?.(`comparing with ${name}`);
  const compareObjects = createObjectComparer(before, (what) => io.progress?.(`comparing with ${name}: ${what}`));
  const diff = diffStates(before, after, replanFromLock(before.decision, decided, locate), {
    compareObjects,
    applied,
  });
  return { before, diff, compareObjects, applied };
}

/** Compares an earlier state with a later one whose fleet declares something else. */
export function compareSupposed(
  fleet: Fleet,
  { before, compareObjects, applied }: Omit<Comparison, 'diff'>,
  { written, locate, warnings, given, held }: ValidDecision,
): { readonly decision: PlacedFleet; readonly diff: FleetDiff } {
  const options = { ...NO_REMARKS, former: listRevisions(before.decision), held: held.requested };
  const decision = placeFleet(fleet, locate, given, options);
  const cost = computePlacedCost(decision);
  const after: FleetState = { name: before.name, ...written, locate, warnings, decision, cost };
  const isOfEarlierLock = isSameLock(before.decision.previous, given);
  const planned = isOfEarlierLock ? decision : replanFromLock(before.decision, decision, locate);
  return { decision, diff: diffStates(before, after, planned, { compareObjects, applied }) };
}

/** Routes that cannot be decided because of errors stay as they were, as do the manifests that `synth` writes. */
function keepEarlierRoutes(later: ValidDecision, { routing }: PlacedFleet): PlacedFleet {
  return keepsRouting(later.aside) ? { ...later, routing } : later;
}

/** Decides the later declarations from the earlier lock. */
function replanFromLock(before: PlacedFleet, after: PlacedFleet, locate: Locate): PlacedFleet {
  if (isSameLock(before.previous, after.previous)) return after;
  const options = { ...NO_REMARKS, former: listRevisions(before), held: after.held.requested };
  return placeFleet(after.fleet, locate, before.previous, options);
}

function listRevisions({ fleet }: PlacedFleet): PreviousRevision[] {
  return fleet.deployments.flatMap((one) => recordRevision(one) ?? []);
}

function laterRunOf({ decided, io }: ComparisonRun): LaterRun {
  const report = (problem: Diagnostic): void => io.err(`${formatDiagnostic(problem)} The comparison leaves it out.\n`);
  return { later: decided.aside, report };
}

const NO_REMARKS = { notes: [], warnings: [] };

/** The run that an earlier state is decided for. */
interface LaterRun {
  /** The resources that are set aside in the later state. */
  readonly later: SetAside;

  /** Reports a resource with errors, which the comparison leaves out. */
  readonly report: (problem: Diagnostic) => void;
}

/**
 * Decides the earlier state from its own lock. Resources with errors are left out, like those of the later state: if
 * both have them, the same declarations take their place.
 */
function decideEarlierState(
  name: string,
  { read, lock, rename }: EarlierInput,
  { later, report }: LaterRun,
): FleetState {
  const step = (aside: SetAside): FleetState => {
    const { fleet: found, locate: position, resources, warnings, notes } = resolveFleet(replaceSetAside(read, aside));
    const fleet = withRenamedPolicies(found, rename);
    const locate: Locate = (...place) => rename(position(...place));
    const held = heldDeploymentsOf(aside);
    const decision = placeFleet(fleet, locate, lock, { ...NO_REMARKS, held });
    return { name, resources, locate, warnings, notes, decision, cost: computePlacedCost(decision) };
  };
  const known = new Map(later);
  const recall = (id: string): Resource | undefined => {
    const found = known.get(id);
    known.delete(id);
    return found;
  };
  return withRenamedErrors(rename, () => {
    const { value, problems, aside } = setAsideFaults(step, recall);
    const own = problems.filter(({ code, subject = '' }) => code !== 'set-aside' && !later.has(subject));
    for (const problem of own) report(relocate(problem, rename));
    return { ...value, ...listWritten(read, { aside, problems }) };
  });
}

function withRenamedPolicies(fleet: Fleet, rename: (where: string) => string): Fleet {
  if (!fleet.policies) return fleet;
  const policies = fleet.policies.map((one): Policy => {
    return { ...one, where: rename(one.where), place: (path) => rename(one.place(path)) };
  });
  return { ...fleet, policies };
}
