import { copyBoundsOf } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { compareText, groupBy } from '../base/order';
import type { Cost } from '../cost/cost';
import type { PoolPrices } from '../cost/pool-prices';
import type { Fleet, PreviousRevision } from '../fleet/fleet';
import { type ComputedReplica, replicaIdOf } from '../replicas/replica';
import type { Routing } from '../routing/routing';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { createLayoutLookup } from '../scheduler/layout-on-pools';
import { haveSamePools, type Placement, placementKeyOf } from '../scheduler/placement';
import { recordRevision } from '../scheduler/previous-revision';
import type { Remedy } from '../scheduler/remedy';
import type { Schedule } from '../scheduler/schedule-result';
import { isBlocking } from './apply-blockers';
import { listReplicasAfter } from './deployment-plans';
import { dropFailingMoves } from './move-sequences';
import { judgeMinimums } from './moved-minimums';
import type { DeploymentPlan } from './plan';
import { createBrokenRuleFinder } from './policy/broken-rules';
import { addNodesWithMoves } from './nodes-with-moves';
import { createUsageLookup } from './replica-usage';
import { isEvicted } from './replica-moves';
import { createRemedyTrials, type TryRemedy } from './remedy-trials';
import { type CheckRemedy, keepBestRemedies } from './best-remedies';
import { keepMinimums } from './helped-minimums';
import { addRemedyPrices } from './remedy-prices';
import { judgeSurges } from './surge-remedies';
import { judgeVacating } from './vacating-moves';
import { joinBounds } from './wider-bounds';

interface PlacedFleet {
  readonly schedule: Pick<Schedule, 'placements' | 'evictions'>;
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;

  /** Prices in place of those of the fleet. */
  readonly prices?: PoolPrices;

  /** The replicas that run. Default: what a change of packing restarts is not known. */
  readonly replicas?: readonly ComputedReplica[];

  /** Default: whether moves take an answer from clients is not known. */
  readonly routing?: Pick<Routing, 'services'>;

  /** The lock, and the engines that replicas ran before. */
  readonly previous: { readonly placements: readonly Placement[]; readonly shapes: readonly PreviousRevision[] };
}

/**
 * Adds to remedies their prices, what they do and the policy rules that they break, and keeps of each kind the smallest
 * or the cheapest.
 */
export function chooseRemedies(plans: readonly DeploymentPlan[], cost: Cost, placed: PlacedFleet): DeploymentPlan[] {
  const usageAt = createUsageLookup(placed.model, placed.matcher);
  const judgeAllMoves = (some: readonly DeploymentPlan[]): DeploymentPlan[] =>
    judgeMinimums(judgeVacating(judgeMoves(some, placed), placed), placed);
  const judged = judgeCommands(judgeAllMoves(judgePacking(judgeReplacements(plans, placed), placed)), placed);
  const trialOf = createRemedyTrials(placed);
  const working = judgeSurges(dropFailingMoves(judged, placed), placed.fleet, trialOf);
  const layoutOf = createLayoutLookup(placed.model, placed.matcher);
  const combined = addNodesWithMoves(working, placed, judgeAllMoves);
  const priced = addRemedyPrices(combined, cost, placed.fleet, {
    usageAt: (moved) => usageAt(layoutOf(moved)),
    trialOf,
  });
  const helpsOf = createHelpCounter(trialOf);
  const findBroken = createBrokenRuleFinder({ ...placed, cost }, plans);
  const check: CheckRemedy = (plan, remedy) => {
    const trial = findBroken && trialOf(plan.deployment, remedy);
    const breaks = trial ? findBroken(plan, remedy, trial) : [];
    return breaks.length > 0 ? { ...remedy, breaks } : remedy;
  };
  const best = keepMinimums(keepBestRemedies(preferHelpful(priced, helpsOf), check), priced, {
    fleet: placed.fleet,
    trialOf,
    check,
  });
  return joinBounds(countHelped(best, helpsOf), trialOf);
}

/** Adds to remedies what becomes of replicas with earlier engines: whether they restart, and whether nothing else serves. */
function judgeReplacements(
  plans: readonly DeploymentPlan[],
  { fleet, previous }: Pick<PlacedFleet, 'fleet' | 'previous'>,
): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall?.remedies.some(isInPlace))) return [...plans];
  const declared = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one]));
  return mapRemedies(plans, (plan) => {
    const deployment = declared.get(plan.deployment);
    if (!deployment) return (remedy) => remedy;
    const replicas = listReplicasAfter(plan).map(({ placement }) => placement);
    const stopsAll = replicas.every(({ draining }) => draining) && deployment.spec.rollout.strategy !== 'Recreate';
    return (remedy) => {
      if (!isInPlace(remedy)) return remedy;
      const old = replicas.filter(({ cluster, draining }) => draining && cluster === remedy.cluster);
      const grows = old.every(({ shape }) => growsFrom(deployment, findRevision(previous.shapes, plan, shape)));
      if (remedy.kind === 'nodes' && grows) return { ...remedy, inPlace: 'grow' };
      return { ...remedy, ...(stopsAll && { stopsAll: true }) };
    };
  });
}

/** Changes the remedies of each deployment. */
function mapRemedies(
  plans: readonly DeploymentPlan[],
  judgeOf: (plan: DeploymentPlan) => (remedy: Remedy) => Remedy,
): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    return { ...plan, shortfall: { ...shortfall, remedies: shortfall.remedies.map(judgeOf(plan)) } };
  });
}

/**
 * Adds to changes of packing the other deployments of which they restart replicas, apart from those whose only replica
 * stops with them.
 */
function judgePacking(plans: readonly DeploymentPlan[], placed: PlacedFleet): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall?.remedies.some(({ kind }) => kind === 'packing'))) return [...plans];
  const running = listRunning(placed);
  const byDeployment = groupBy(running, ({ deployment }) => qualifiedNameOf(deployment));
  return mapRemedies(plans, (plan) => (remedy) => {
    if (remedy.kind !== 'packing') return remedy;
    const restarted = [...byDeployment]
      .filter(([id, own]) => id !== plan.deployment && own.some((one) => listHinted(one, remedy).length > 0))
      .map(([id, [only, ...others]]) => ({ id, stops: only && others.length === 0 && stopsWithPacking(only, remedy) }));
    const stops = restarted.filter((one) => one.stops).map(({ id }) => id);
    const restarts = restarted.filter((one) => !one.stops).map(({ id }) => id);
    return {
      ...remedy,
      ...(stops.length > 0 && { stops: stops.sort(compareText) }),
      ...(restarts.length > 0 && { restarts: restarts.sort(compareText) }),
    };
  });
}

/** Adds to moves the deployments of which too few replicas serve meanwhile: fewer than `minAvailable`, or none. */
function judgeMoves(plans: readonly DeploymentPlan[], { fleet }: Pick<PlacedFleet, 'fleet'>): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall?.remedies.some(({ kind }) => kind === 'move'))) return [...plans];
  const declared = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one]));
  const running = new Map(plans.map((plan) => [plan.deployment, listReplicasAfter(plan).length]));
  const isStopped = (id: string, moved: number): boolean => {
    const { rollout, minAvailable = 0 } = declared.get(id)?.spec ?? {};
    return rollout?.strategy !== 'Recreate' && (running.get(id) ?? 0) - moved < Math.max(1, minAvailable);
  };
  return mapRemedies(plans, () => (remedy) => {
    if (remedy.kind !== 'move') return remedy;
    const removedFirst = groupBy(
      remedy.moves.filter(({ surgeFirst }) => !surgeFirst),
      ({ deployment }) => deployment,
    );
    const stops = [...removedFirst].flatMap(([id, moves]) => (isStopped(id, moves.length) ? [id] : []));
    return stops.length === 0 ? remedy : { ...remedy, stops: stops.sort(compareText) };
  });
}

/**
 * Adds to commands what they leave without a place, to moves whether they come before what takes replicas down, and to
 * the removal of draining replicas whether it comes after what drains them.
 */
function judgeCommands(plans: readonly DeploymentPlan[], placed: PlacedFleet): DeploymentPlan[] {
  const drained = listNewlyDrained(placed);
  const missing = plans.reduce((sum, { shortfall }) => sum + (isBlocking(shortfall) ? shortfall.missing : 0), 0);
  return mapRemedies(plans, ({ deployment, changes, shortfall }) => {
    const lost = changes.filter(isEvicted);
    const isDown = lost.some((one) => 'reason' in one && one.reason.kind === 'cluster-gone' && one.reason.lost);
    const accepts = (isBlocking(shortfall) && missing > 1) || lost.length > 0;
    return (remedy) => {
      if (remedy.kind === 'finalize' && drained.has(remedy.cluster)) return { ...remedy, drainsFirst: true };
      if (remedy.kind !== 'move' && remedy.kind !== 'finalize') return remedy;
      const before = remedy.kind === 'move' && lost.length > 0 && !isDown && { before: deployment };
      return { ...remedy, ...(accepts && { accepts: true }), ...before };
    };
  });
}

/** The clusters where replicas drain that serve in the lock, unless a rebalance moves them: its command drains them. */
function listNewlyDrained({ schedule, previous }: Pick<PlacedFleet, 'schedule' | 'previous'>): Set<string> {
  const draining = schedule.placements.filter((one) => one.draining);
  if (draining.length === 0) return new Set();
  const serving = previous.placements.filter((one) => !one.draining).map(placementKeyOf);
  const moved = schedule.evictions.filter(({ reason }) => reason.kind === 'makes-room');
  const known = new Set(moved.map(({ placement }) => placementKeyOf(placement)));
  const fresh = new Set(serving.filter((key) => !known.has(key)));
  return new Set(draining.filter((one) => fresh.has(placementKeyOf(one))).map(({ cluster }) => cluster));
}

/** The replicas whose pods run before the change. Those with other engines, or on other pools, start only with it. */
function listRunning({ replicas = [], schedule, previous }: PlacedFleet): ComputedReplica[] {
  const locked = new Map(previous.placements.map((one) => [placementKeyOf(one), one]));
  const kept = schedule.placements.filter((one) => {
    const before = locked.get(placementKeyOf(one));
    return before?.shape === one.shape && haveSamePools(before.pools, one.pools);
  });
  const keys = new Set(kept.map(placementKeyOf));
  return replicas.filter((one) => keys.has(placementKeyOf(replicaIdOf(one))));
}

function stopsWithPacking(replica: ComputedReplica, at: PoolOfCluster): boolean {
  const { rollout } = replica.deployment.spec;
  if (rollout.strategy === 'Recreate') return false;
  return listHinted(replica, at).some(({ engine }) => {
    const { min } = copyBoundsOf(engine);
    return min > 0 && min + rollout.surge <= 1;
  });
}

interface PoolOfCluster {
  readonly cluster: string;
  readonly pool: string;
}

/** Pods that leave room on their node have hints for its scheduler, which go with the packing of its pool. */
function listHinted({ cluster, engines }: ComputedReplica, at: PoolOfCluster): ComputedReplica['engines'] {
  if (cluster.metadata.name !== at.cluster) return [];
  return engines.filter(({ pool, members }) => {
    const isHinted = members.some(
      (one) => !one.takesNode && one.claims.length + Object.keys(one.extended ?? {}).length > 0,
    );
    return pool.name === at.pool && isHinted;
  });
}

function isInPlace(remedy: Remedy): remedy is Extract<Remedy, { kind: 'nodes' | 'packing' }> {
  return 'inPlace' in remedy && remedy.inPlace !== undefined;
}

function findRevision(
  shapes: readonly PreviousRevision[],
  { deployment }: DeploymentPlan,
  shape: string,
): PreviousRevision | undefined {
  return shapes.find((one) => one.deployment === deployment && one.shape === shape);
}

/** Whether a deployment differs from an earlier revision only by more copies of engines, so that its pods stay. */
function growsFrom(deployment: ModelDeployment, earlier: PreviousRevision | undefined): boolean {
  const now = recordRevision(deployment)?.declared;
  if (!now || !earlier || deployment.spec.model) return false;
  const before = earlier.declared.spec.template.spec.engines;
  const hasMore = now.spec.template.spec.engines.every((engine) => {
    const copies = before.find(({ name }) => name === engine.name)?.copies;
    return typeof engine.copies === 'number' && typeof copies === 'number' && engine.copies >= copies;
  });
  return hasMore && withoutCopies(now) === withoutCopies(earlier.declared);
}

/** What decides the pods of a deployment, as text. */
function withoutCopies({ spec }: ModelDeployment): string {
  const { template } = spec;
  const engines = template.spec.engines.map((engine) => ({ ...engine, copies: 0 }));
  return JSON.stringify({ ...spec, rollout: null, template: { ...template, spec: { ...template.spec, engines } } });
}

/** How many missing replicas of a deployment a remedy helps. Undefined: it was not tried. */
type HelpCounter = (deployment: string, remedy: Remedy) => number | undefined;

/** Moves wait for their replicas to be finalized, and storage for others for a lock from scratch: neither is counted. */
function createHelpCounter(trialOf: TryRemedy): HelpCounter {
  return (id, remedy) => {
    if (remedy.kind === 'move' || (remedy.kind === 'declare' && remedy.frees !== undefined)) return undefined;
    return trialOf(id, remedy)?.added.length;
  };
}

/** Of unpriced nodes that are as few as the first, puts those first that help the most of several missing replicas. */
function preferHelpful(plans: readonly DeploymentPlan[], helpsOf: HelpCounter): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall || shortfall.missing < 2) return plan;
    const { remedies } = shortfall;
    const first = remedies.find(isUnpricedNodes);
    const equal = remedies.filter((one) => isUnpricedNodes(one) && first && isAsSmall(one, first));
    if (!first || equal.length < 2) return plan;
    const counted = equal.slice(0, MOST_TRIED).map((one) => ({ one, count: helpsOf(plan.deployment, one) ?? 0 }));
    const { one: best } = counted.reduce((most, next) => (next.count > most.count ? next : most));
    const swapped = remedies.map((one) => (one === first ? best : one === best ? first : one));
    return { ...plan, shortfall: { ...shortfall, remedies: swapped } };
  });
}

/** The most pools of equally few nodes to try. */
const MOST_TRIED = 5;

type AddedNodes = Extract<Remedy, { kind: 'nodes' }>;

function isUnpricedNodes(one: Remedy): one is AddedNodes {
  return one.kind === 'nodes' && !one.inPlace && one.cost === undefined && one.unavailable === undefined;
}

function isAsSmall(one: AddedNodes, other: AddedNodes): boolean {
  return one.nodes === other.nodes && one.newPool === other.newPool;
}

/** Adds to the remedies of several missing replicas how many of them each helps, and drops what helps none. */
function countHelped(plans: readonly DeploymentPlan[], helpsOf: HelpCounter): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall || shortfall.missing < 2) return plan;
    const remedies = shortfall.remedies.flatMap((remedy): Remedy[] => {
      const helps = helpsOf(plan.deployment, remedy);
      if (helps === 0) return [];
      return [{ ...remedy, ...(helps !== undefined && { helps: Math.min(helps, shortfall.missing) }) }];
    });
    return { ...plan, shortfall: { ...shortfall, remedies } };
  });
}
