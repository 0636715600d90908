import type { Locate } from '../api/kinds';
import { attemptBoth } from '../base/attempt';
import type { Diagnostic } from '../base/diagnostic';
import type { Cost } from '../cost/cost';
import { expandFaulty } from '../engine/expand/expand-faulty';
import { expandModels } from '../engine/expand/expand-models';
import type { Fleet } from '../fleet/fleet';
import type { RendererSelector } from '../render/renderer';
import { createRendererSelector } from '../render/renderers';
import { type CacheLocation, locateCaches } from '../replicas/cache-clusters';
import { computeReplicas } from '../replicas/compute-replicas';
import { type FaultyRoutes, type ResolvedRouting, resolveRoutingOrThrow } from '../routing/resolve-routing';
import type { RoutedReplica } from '../routing/selectable-items';
import { PodMatcher } from '../scheduler/devices/match-pod';
import type { Lock } from '../scheduler/lock/lock';
import { computeNextLock } from '../scheduler/lock/next-lock';
import { compareLockedDeployments, isSameLock } from '../scheduler/lock/compare-locks';
import { mergeRevisions } from '../scheduler/previous-revision';
import type { Schedule } from '../scheduler/schedule-result';
import { refuseDuplicatePorts } from './checks/container-ports';
import { refuseCrowdedSurges } from './checks/crowded-surges';
import { refuseUnknownEngines } from './checks/locked-engines';
import { permittedRevisions } from './checks/namespace-rules';
import { refusePausedChanges } from './checks/paused-changes';
import { checkScaleToZero } from './checks/scale-to-zero';
import { refuseUnmonitoredEngines } from './checks/unmonitored-engines';
import { refuseUnusableCaches } from './checks/unusable-caches';
import type { DecideOptions, Decision, PlacedFleet } from './decision';
import { findDeploymentLoads } from './deployment-loads';
import { countTotals, fleetSizeOf, planDeployments, toPlacedReplicas } from './deployment-plans';
import { findDrains } from './drains';
import { memoryBookOf } from './engine-memory';
import {
  describeUncheckedModels,
  findEngineMemory,
  findUnplacedMemory,
  refuseUnservableEngines,
} from './engine-memory-findings';
import { keepHeldLines } from './held-deployments';
import { describeLoads } from './load-messages';
import { addLayouts, chosenLayoutsOf, describeCheaperLayouts, replacedLayoutsOf } from './model-layouts';
import { findNeedsSinceLock } from './new-required-objects';
import { collectFleetNotes, describeDnsRecords } from './notes';
import { describeLastChoices } from './reachability-notes';
import { describeOtherParts } from './part-summary';
import type { DeploymentPlan, Plan } from './plan';
import { computePlanCost, findOldestPrice, resolvePlacements } from './plan-cost';
import { checkPolicies } from './policy/check-policies';
import { describePackedPools, describeRequiredDomains, findPackedPools } from './packing-notes';
import { describePoolsWithoutPrice, describeUnpricedPools } from './price-notes';
import { describeRacks } from './rack-notes';
import { scheduleRefit } from './refit';
import { chooseRemedies } from './choose-remedies';
import { createUsageLookup } from './replica-usage';
import { findRequiredObjects } from './required-objects';
import { describeCopyShares } from './share-notes';
import { scheduleAroundPods } from './unlocked-pods';
import { dropUnservedRemedies } from './unserved-remedies';
import { markWaiting } from './waiting-replicas';
import { collectWarnings } from './warnings/collect-warnings';
import { findEngineDevices } from './warnings/engine-device-warnings';

const NO_OPTIONS: DecideOptions = { notes: [], warnings: [] };

/**
 * Decides where every replica goes, without a plan that explains the changes.
 *
 * @param lock the previous decision
 * @throws FleetwrightError with every problem of the declarations
 */
export function placeFleet(
  declared: Fleet,
  locate: Locate,
  lock: Lock,
  options: DecideOptions = NO_OPTIONS,
): PlacedFleet {
  return placeAndRoute(declared, locate, lock, options).placed;
}

interface PlacedAndRouted {
  readonly placed: PlacedFleet;
  readonly routes: ResolvedRouting;

  /** Warnings about pods in snapshots. */
  readonly warnings: readonly Diagnostic[];
}

function placeAndRoute(declared: Fleet, locate: Locate, lock: Lock, options: DecideOptions): PlacedAndRouted {
  const { renderers = [], former = [], held: requested = new Set(), refit } = options;
  const whole = expandModels(declared, { layouts: lock.layouts, refit });
  const revisions = mergeRevisions(replacedLayoutsOf(whole), former, lock.shapes);
  const { layouts: _, ...before } = lock;
  const previous = { ...before, shapes: permittedRevisions(whole, revisions), ...chosenLayoutsOf(whole) };
  const matcher = new PodMatcher();
  const faulty = expandFaulty(whole, options.faulty ?? [], lock.layouts);
  const lines = { placements: lock.placements, held: requested, faulty, rebalance: options.rebalance };
  const schedule = refit ? scheduleRefit : scheduleAroundPods;
  const scheduled = schedule({ ...whole, former: previous.shapes }, locate, lines, matcher);
  const { fleet, model, result, held, warnings } = scheduled;
  refuseUnknownEngines(model, lock);
  refuseDuplicatePorts(fleet, locate);
  refusePausedChanges(fleet, model, result, locate);
  refuseCrowdedSurges(fleet, result, held.requested, locate);
  const replicas = computeReplicas(fleet, model, matcher, result.placements);
  const where = { replicas, shortfalls: result.shortfalls, held };
  const lacksServices = (options.absent ?? []).some((id) => id.startsWith('ModelService '));
  const [, routes] = attemptBoth(
    () => refuseUnmonitoredEngines(fleet, options.explainsScaling ? { ...where, shortfalls: [] } : where, locate),
    () => routeOrThrow({ fleet, lacksServices, ...where }, locate),
  );
  const { routing } = routes;
  const next = keepHeldLines(computeNextLock(model, result, previous), lock, held);
  const outOfDate = !isSameLock(next, lock);
  const changed = outOfDate ? compareLockedDeployments(lock, next) : [];
  const locked = { held, given: lock, previous, lock: next, outOfDate, changed };
  return {
    placed: { fleet, model, matcher, schedule: result, replicas, routing, renderers, ...locked },
    routes,
    warnings,
  };
}

type RoutableFleet = Pick<PlacedFleet, 'fleet' | 'replicas' | 'held'> &
  Pick<Schedule, 'shortfalls'> &
  Pick<FaultyRoutes, 'lacksServices'>;

function routeOrThrow(placed: RoutableFleet, locate: Locate): ResolvedRouting {
  const { fleet, replicas, lacksServices } = placed;
  const routes = resolveRoutingOrThrow(fleet, replicas, locate, { frozen: listFrozenReplicas(placed), lacksServices });
  checkScaleToZero(fleet, placed, routes.routing, locate);
  return routes;
}

/** The replicas of held deployments that run and are not among the replicas. */
function listFrozenReplicas({ fleet, held }: Pick<PlacedFleet, 'fleet' | 'held'>): RoutedReplica[] {
  return held.unknown.length === 0 ? [] : resolvePlacements(fleet, held.unknown);
}

/** Lists the warnings and notes of a placed fleet, as its plan would have them, with those of reading it. */
export function listPlacedRemarks(
  placed: PlacedFleet,
  locate: Locate,
  { cost, ...remarks }: Pick<Plan, 'warnings' | 'notes' | 'cost'>,
): Pick<Plan, 'warnings' | 'notes'> {
  const { fleet, replicas, renderers } = placed;
  const routes = resolveRoutingOrThrow(fleet, replicas, locate, {
    frozen: listFrozenReplicas(placed),
    lacksServices: false,
  });
  const judged = judgePlaced(placed, routes, remarks, locate);
  const known = { routes, caches: locateCaches(fleet, replicas), cost };
  return {
    warnings: judged.remarks.warnings,
    notes: [...judged.remarks.notes, ...judged.notes, ...listNotes(placed, known, createRendererSelector(renderers))],
  };
}

/** What is known of the engines where they are placed, and the warnings and notes of a plan on that. */
function judgePlaced(
  placed: PlacedFleet,
  routes: ResolvedRouting,
  remarks: Pick<DecideOptions, 'notes' | 'warnings' | 'absent' | 'placesOnly'>,
  locate: Locate,
) {
  const { fleet, model, matcher, schedule, replicas, held } = placed;
  const book = memoryBookOf(fleet, matcher);
  const memory = findEngineMemory(fleet, model, { book, ...schedule });
  const loads = findDeploymentLoads(fleet, model, { book, replicas, ...schedule });
  const unplaced = findUnplacedMemory(fleet, model, { book, held, ...schedule });
  const engines = [...findEngineDevices(fleet, model, { matcher, ...schedule }), ...memory.findings, ...unplaced];
  const decided = { matcher, replicas, routes, engines, loads, remarks, ...schedule };
  const { warnings, notes } = remarks.placesOnly ? remarks : collectWarnings(fleet, model, decided, locate);
  const racks = describeRacks(model, matcher, schedule.placements);
  const packedPools = findPackedPools(model, matcher, schedule.placements);
  const packing = [...describePackedPools(packedPools), ...describeRequiredDomains(replicas)];
  const unpriced = describeUnpricedPools(fleet, model, matcher);
  const uncheckedModels = describeUncheckedModels(memory, fleet.models);
  const known = [...uncheckedModels, ...describeLoads(loads), ...racks, ...packing, ...unpriced];
  const found = { ...(loads.length > 0 && { loads }), ...(packedPools.length > 0 && { packedPools }) };
  const unchecked = [...uncheckedModels, ...describePoolsWithoutPrice(fleet, model)];
  return { engines, found, remarks: { warnings, notes, unchecked }, notes: [...routes.notes, ...known] };
}

/** The notes of a plan that follow from what it decides. */
function listNotes(
  { fleet, model, replicas }: PlacedFleet,
  { routes, caches, cost }: Pick<PlacedAndRouted, 'routes'> & Pick<Plan, 'cost'> & { caches: readonly CacheLocation[] },
  rendererFor: RendererSelector,
): string[] {
  return [
    ...describeCheaperLayouts(fleet),
    ...collectFleetNotes(fleet, replicas, caches, rendererFor),
    ...describeLastChoices(fleet, model, replicas),
    ...describeCopyShares(replicas, routes.routing),
    ...describeDnsRecords(routes.routing),
    ...describeOtherParts(fleet, cost),
  ];
}

/** Whether a deployment loses replicas because no cluster has what it asks for. */
function losesImpossible({ shortfall, changes }: DeploymentPlan): boolean {
  return shortfall?.impossible === true && changes.length > 0;
}

/** Keeps the remedies that help, with what they do and cost. */
function advise(plans: readonly DeploymentPlan[], cost: Cost, placed: PlacedFleet): readonly DeploymentPlan[] {
  return chooseRemedies(dropUnservedRemedies(plans, placed), cost, placed);
}

/**
 * Decides where every replica goes, and plans the changes.
 *
 * @param lock the previous decision
 * @param options notes and warnings to include in the plan, additional renderers and earlier engine revisions
 * @throws FleetwrightError with every problem of the declarations, or when a renderer cannot be used
 * @example
 * const { resources, locate } = loadManifests([{ path: 'fleet.yaml', text }]);
 * const decision = decide(assemble(resources), locate, EMPTY_LOCK);
 * const fits = decision.plan.totals.unplaced === 0;
 */
export function decide(declared: Fleet, locate: Locate, lock: Lock, options: DecideOptions = NO_OPTIONS): Decision {
  const rendererFor = createRendererSelector(options.renderers ?? []);
  const { placed, routes, warnings } = placeAndRoute(declared, locate, lock, options);
  const remarks = { ...options, warnings: [...options.warnings, ...warnings] };
  const { fleet, model, matcher, schedule: result, replicas, held } = placed;
  const placedReplicas = toPlacedReplicas(result, (_, i) => replicas[i]?.wave, createUsageLookup(model, matcher));
  const planned = planDeployments(model, placedReplicas, lock, { ...result, held });
  const judged = judgePlaced(placed, routes, remarks, locate);
  refuseUnservableEngines(judged.engines, locate);
  const cost = computePlanCost(fleet, placedReplicas, replicas);
  const laidOut = addLayouts(planned, fleet, result.placements);
  const advised = options.untriedRemedies && !laidOut.some(losesImpossible) ? laidOut : advise(laidOut, cost, placed);
  const deployments = markWaiting(advised, placed);
  const totals = countTotals(deployments);
  const caches = locateCaches(fleet, replicas);
  refuseUnusableCaches(fleet, { located: caches, shortfalls: result.shortfalls, held }, locate);
  const { routing } = placed;
  const mustExist = options.placesOnly ? [] : findRequiredObjects(fleet, { replicas, routing }, rendererFor);
  const plan = {
    fleet: fleetSizeOf(model),
    deployments,
    drains: findDrains(model, result, matcher),
    totals,
    services: routes.routing.services,
    cost,
    policies: checkPolicies({ ...placed, totals, cost, placements: result.placements }, locate),
    ...findOldestPrice(fleet),
    ...(routes.missing && { missingRoutes: routes.missing }),
    ...judged.found,
    warnings: judged.remarks.warnings,
    notes: [...judged.remarks.notes, ...judged.notes, ...listNotes(placed, { routes, caches, cost }, rendererFor)],
    mustExist,
    mustExistNew: options.placesOnly ? [] : findNeedsSinceLock(placed, lock, mustExist, rendererFor),
  };
  return { ...placed, plan, remarks: judged.remarks };
}
