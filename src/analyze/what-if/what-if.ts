import { type Locate, locateAll } from '../../api/kinds';
import { attempt, problemsOf } from '../../base/attempt';
import type { Diagnostic } from '../../base/diagnostic';
import { computeCostDelta } from '../../cost/compare-costs';
import type { Cost, CostRange, PriceSource } from '../../cost/cost';
import type { AssumedPoolPrice, CostChange } from '../../cost/cost-changes';
import { assumePoolPrices, listAssumedPools, withAssumedPrices } from '../../cost/pool-prices';
import { alignSources } from '../../cost/price-sources';
import type { PolicyDiagnostic } from '../../fleet/policy';
import { refuseCrowdedSurges } from '../../plan/checks/crowded-surges';
import type { Decision } from '../../plan/decision';
import { countTotals, isChangedDeployment, planDeployments, toPlacedReplicas } from '../../plan/deployment-plans';
import { findDrains } from '../../plan/drains';
import type { DeploymentPlan, Drain, Totals } from '../../plan/plan';
import { computeCostOfPlacements } from '../../plan/plan-cost';
import { checkPolicies } from '../../plan/policy/check-policies';
import { findDrainedGateways, listDrainedClusters } from '../../plan/warnings/cluster-warnings';
import { chooseRemedies } from '../../plan/choose-remedies';
import { dropUnservedRemedies } from '../../plan/unserved-remedies';
import { locationKeyOf } from '../../plan/replica-moves';
import { createUsageLookup } from '../../plan/replica-usage';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Lock } from '../../scheduler/lock/lock';
import { placementKeyOf } from '../../scheduler/placement';
import { wavesOf } from '../../scheduler/rollout-waves';
import type { Remedy } from '../../scheduler/remedy';
import { schedule } from '../../scheduler/schedule';
import type { Eviction, Schedule } from '../../scheduler/schedule-result';
import { findMoreNodes, type MoreNodes } from '../survive/more-nodes';
import { loseTogether } from '../survive/survive';
import type { Loss } from '../survive/survival';
import { type AddedRoom, findAddedRoom } from './added-room';
import { applyScenario, type SimulatedFleet, toSimulatedFleet } from './apply-scenario';
import { findNodeLosses, type LostNodes } from './lost-nodes';
import type { Scenario, Step } from './scenario';

/** What a scenario does to a deployment. What happens while nodes go is there if pools lose some in the scenario. */
export type DeploymentOutcome = DeploymentPlan & Partial<LostNodes>;

/** What a scenario changes, compared with the fleet as it would be decided now. */
export interface Outcome {
  readonly scenario: string;
  readonly steps: readonly Step[];

  /** Deployments with a replica that changes or loses its place, by id. Replicas that stay are left out. */
  readonly deployments: readonly DeploymentOutcome[];

  /** What to do before clusters that the scenario drains stop, and before pools lose nodes. Absent if there is nothing. */
  readonly warnings?: readonly Diagnostic[];

  /**
   * The totals over all deployments. `unplaced` includes replicas that had no place before. `keep` does not include those
   * that restart, or may restart, because of nodes that go.
   */
  readonly totals: Totals;

  /** What serves right after the clusters of the scenario are lost. Absent if it loses none. */
  readonly loss?: Pick<Loss, 'deployments' | 'services'>;

  /** The nodes that give all replicas without a place one. Absent if fewer than two have none. */
  readonly moreNodes?: MoreNodes;

  /** The room of each cluster that gets nodes, after the scenario. Absent if none does. */
  readonly room?: readonly AddedRoom[];

  /** Clusters that the scenario drains and that were not drained before, by name. */
  readonly drains: readonly Drain[];

  /** The policy rules that the scenario breaks and the fleet as it is does not. Absent if the fleet has no rules. */
  readonly policies?: readonly PolicyDiagnostic[];

  /** The errors that a plan has after the scenario, and does not have now. Absent if there are none. */
  readonly problems?: readonly Diagnostic[];

  /** The cost of the fleet before and after, and the difference. */
  readonly cost: {
    readonly currency: string;
    readonly before: CostRange;
    readonly after: CostRange;
    readonly delta: CostRange;

    /** The part for volumes of caches. */
    readonly storage: CostChange;

    /** The same where pools without a known price have that of another region. Absent: all is known, or nothing more. */
    readonly estimate?: EstimatedCosts;

    /** The sources of the prices. The figures refer to them by index. */
    readonly sources: readonly PriceSource[];
  };
}

/**
 * Simulates scenarios. Each one starts from the decision, not from another scenario.
 *
 * @param locate where declarations are. Without it, no policies are evaluated and no errors are found
 * @example
 * const scenario: Scenario = {
 *   name: 'double the team',
 *   steps: [{ kind: 'scale', deployment: 'ml/llama', replicas: 4 }],
 * };
 * const [outcome] = whatIf(decision, [scenario]);
 */
export function whatIf(decision: Decision, scenarios: readonly Scenario[], locate?: Locate): Outcome[] {
  const { matcher, schedule, previous } = decision;
  const simulated = toSimulatedFleet(decision);
  const before = { decision, simulated, schedule, cost: computeCost(simulated, schedule, matcher), locate };
  const lock = {
    placements: schedule.placements,
    unplaced: new Map(schedule.shortfalls.map(({ deployment, missing }) => [deployment, missing])),
    shapes: previous.shapes,
  };
  return scenarios.map((scenario) => outcomeOf(scenario, before, lock, matcher));
}

interface DecidedBefore {
  readonly decision: Decision;
  readonly simulated: SimulatedFleet;
  readonly schedule: Schedule;
  readonly cost: Cost;
  readonly locate: Locate | undefined;
}

function outcomeOf(scenario: Scenario, before: DecidedBefore, lock: Lock, matcher: PodMatcher): Outcome {
  const simulated = applyScenario(before.simulated, scenario);
  const after = withLosses(schedule(simulated.model, lock.placements, matcher));
  const waves = wavesOf(after.placements, simulated.model.deployments);
  const placed = toPlacedReplicas(
    after,
    (placement) => waves.get(placement),
    createUsageLookup(simulated.model, matcher),
  );
  const { unplaced } = before.decision.previous;
  const plans = planDeployments(simulated.model, placed, { ...lock, unplaced }, after);
  const served = dropUnservedRemedies(plans, { ...simulated, matcher, schedule: after });
  const drainingBefore = new Set(lock.placements.filter(({ draining }) => draining).map(placementKeyOf));
  const cost = computeCost(simulated, after, matcher);
  const simulation = { ...simulated, matcher, schedule: after, previous: lock };
  const deployments = chooseRemedies(served, cost, simulation);
  const drained = new Set(findDrains(before.simulated.model, before.schedule, matcher).map(({ cluster }) => cluster));
  const states = { before: before.decision, after: { ...simulation, held: before.decision.held } };
  const lost = findNodeLosses(states, scenario.steps);
  const changed = deployments
    .map((one) => suppose(withoutUnchanged(one, lock, drainingBefore)))
    .filter((one) => isChangedDeployment(one) || lost?.byDeployment.has(one.deployment))
    .map((one): DeploymentOutcome => ({ ...one, ...lost?.byDeployment.get(one.deployment) }));
  const totals = countTotals(deployments.map((one) => withoutRestarting(one, lost?.byDeployment.get(one.deployment))));
  const moreNodes = findMoreNodes({ ...simulation, cost }, changed);
  return {
    scenario: scenario.name,
    steps: scenario.steps,
    ...findLoss(before, simulated),
    deployments: changed,
    ...listWarnings(before, simulated, lost),
    ...(moreNodes && { moreNodes }),
    ...findRoom(scenario.steps, before, simulation),
    totals,
    ...findBrokenPolicies(before, { ...simulated, matcher, totals, cost, placements: after.placements }),
    ...findErrors(before, simulated, after),
    drains: findDrains(simulated.model, after, matcher).filter(({ cluster }) => !drained.has(cluster)),
    cost: compareCosts(before, { simulated, schedule: after, cost }, matcher),
  };
}

/** The room of clusters that get nodes. */
function findRoom(
  steps: readonly Step[],
  { simulated, schedule: was }: DecidedBefore,
  { model, schedule: is, matcher }: Pick<Decision, 'model' | 'schedule' | 'matcher'>,
): Pick<Outcome, 'room'> {
  const before = { model: simulated.model, placements: was.placements };
  const room = findAddedRoom(steps, before, { model, placements: is.placements }, matcher);
  return room.length > 0 ? { room } : {};
}

function compareCosts(
  before: DecidedBefore,
  after: Pick<DecidedBefore, 'simulated' | 'schedule' | 'cost'>,
  matcher: PodMatcher,
): Outcome['cost'] {
  const [was, is] = alignSources(before.cost, after.cost);
  const delta = computeCostDelta(was, is);
  return {
    currency: is.currency,
    before: was.total,
    after: is.total,
    delta,
    storage: {
      before: was.storage,
      after: is.storage,
      delta: computeCostDelta(withoutPools(was), withoutPools(is)).most,
    },
    ...estimateCosts(before, after, matcher),
    sources: is.sources,
  };
}

function withoutPools({ clusters }: Pick<Cost, 'clusters'>): Pick<Cost, 'clusters'> {
  return { clusters: clusters.map((one) => ({ ...one, pools: [] })) };
}

/** Costs by which some pools have the prices of other regions. */
interface EstimatedCosts {
  readonly before: CostRange;
  readonly after: CostRange;
  readonly delta: CostRange;

  /** The pools, by cluster and name. */
  readonly assumed: readonly AssumedPoolPrice[];
}

/** Estimates costs of which a part is not known. Empty where no price is known elsewhere either. */
function estimateCosts(
  before: DecidedBefore,
  after: Pick<DecidedBefore, 'simulated' | 'schedule'>,
  matcher: PodMatcher,
): { readonly estimate?: EstimatedCosts } {
  const assumed = assumePoolPrices(before.simulated.fleet);
  if (assumed.size === 0) return {};
  const [was, is] = [before, after].map(({ simulated, schedule }) => {
    const prices = withAssumedPrices(simulated.prices, assumed);
    return computeCost({ ...simulated, prices }, schedule, matcher);
  });
  if (!was || !is) return {};
  const delta = computeCostDelta(was, is);
  return { estimate: { before: was.total, after: is.total, delta, assumed: listAssumedPools(assumed) } };
}

/** The policy rules that a scenario breaks, without those that are broken before it. */
function findBrokenPolicies(
  { decision, locate }: DecidedBefore,
  scenario: Parameters<typeof checkPolicies>[0],
): Pick<Outcome, 'policies'> {
  if (!locate || !scenario.fleet.policies?.length) return {};
  const known = new Set(decision.plan.policies.map(({ rule, message }) => `${rule} ${message}`));
  const found = checkPolicies(scenario, locate);
  return { policies: found.filter(({ rule, message }) => !known.has(`${rule} ${message}`)) };
}

/** What to do before nodes go, and what stays on clusters that a scenario drains. */
function listWarnings(
  { simulated, locate }: DecidedBefore,
  { fleet }: SimulatedFleet,
  lost: ReturnType<typeof findNodeLosses>,
): Pick<Outcome, 'warnings'> {
  const gateways = findDrainedGateways(fleet, listDrainedClusters(simulated.fleet));
  const warnings = [...(locate ? locateAll(gateways, locate) : []), ...(lost?.warnings ?? [])];
  return warnings.length > 0 ? { warnings } : {};
}

/** What a plan refuses after a scenario: surges without room. */
function findErrors(
  { decision, locate }: DecidedBefore,
  { fleet }: SimulatedFleet,
  after: Schedule,
): Pick<Outcome, 'problems'> {
  if (!locate) return {};
  const problems = problemsOf(attempt(() => refuseCrowdedSurges(fleet, after, decision.held.requested, locate)));
  return problems.length > 0 ? { problems } : {};
}

/** What serves right after the clusters that a scenario takes away are lost. */
function findLoss({ decision, simulated }: DecidedBefore, after: SimulatedFleet): Pick<Outcome, 'loss'> {
  const left = new Set(after.model.clusters.map(({ name }) => name));
  const lost = simulated.model.clusters.filter(({ name }) => !left.has(name));
  if (lost.length === 0) return {};
  const { deployments, services } = loseTogether(decision, new Set(lost));
  return { loss: { deployments, services } };
}

/** Marks what a scenario takes away: a cluster that disappears in it fails. */
function withLosses(after: Schedule): Schedule {
  const evictions = after.evictions.map(
    (one): Eviction => (one.reason.kind === 'cluster-gone' ? { ...one, reason: { ...one.reason, lost: true } } : one),
  );
  return { ...after, evictions };
}

/** Removes unchanged replicas from the plan of a deployment, and its shortfall if nothing of it changes. */
function withoutUnchanged(
  plan: DeploymentPlan,
  { unplaced }: Lock,
  drainingBefore: ReadonlySet<string>,
): DeploymentPlan {
  const { shortfall, staying: _, ...rest } = plan;
  const changes = plan.changes.filter(
    (change) =>
      (change.action !== 'draining' && change.action !== 'lost') ||
      !drainingBefore.has(placementKeyOf(change.replica.placement)),
  );
  const isRelevant = changes.length > 0 || (shortfall?.missing ?? 0) > (unplaced.get(plan.deployment) ?? 0);
  return { ...rest, changes, ...(isRelevant && shortfall && { shortfall }) };
}

/** Removes replicas that restart, or may, from those that stay. */
function withoutRestarting(plan: DeploymentPlan, { onLostNodes = [] }: Partial<LostNodes> = {}): DeploymentPlan {
  const restarting = new Set(onLostNodes.map(locationKeyOf));
  const staying = plan.staying?.filter(({ placement }) => !restarting.has(locationKeyOf(placement)));
  return staying ? { ...plan, staying } : plan;
}

/** Marks the remedies that are commands: on the fleet as it is declared, they would change nothing. */
function suppose(plan: DeploymentPlan): DeploymentPlan {
  const { shortfall } = plan;
  if (!shortfall) return plan;
  const remedies = shortfall.remedies.map(
    (one): Remedy => ('moves' in one || one.kind === 'finalize' ? { ...one, supposed: true } : one),
  );
  return { ...plan, shortfall: { ...shortfall, remedies } };
}

function computeCost({ fleet, model, prices }: SimulatedFleet, { placements }: Schedule, matcher: PodMatcher) {
  return computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher), prices);
}
