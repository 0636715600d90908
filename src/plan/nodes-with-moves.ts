import type { Fleet } from '../fleet/fleet';
import { enlarge } from '../scheduler/applied-remedy';
import { acceleratorsOfNodes } from '../scheduler/compile/shapes';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { Rebalancer } from '../scheduler/joint/rebalance';
import { type Placement, placementKeyOf } from '../scheduler/placement';
import { type MoveRemedy, type NodesAndMovesRemedy, onlyMovedBy, type Remedy } from '../scheduler/remedy';
import { schedule, scheduleState } from '../scheduler/schedule';
import type { Schedule } from '../scheduler/schedule-result';
import { isBlocking } from './apply-blockers';
import type { DeploymentPlan } from './plan';
import { isEvicted } from './replica-moves';
import { dropUnservedRemedies } from './unserved-remedies';

interface PlacedFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly schedule: Pick<Schedule, 'placements'>;

  /** The lock. */
  readonly previous: { readonly placements: readonly Placement[] };
}

/** Adds to moves what they lead to. */
type JudgeMoves = (plans: readonly DeploymentPlan[]) => DeploymentPlan[];

/** The most nodes to try with moves. */
const MOST_NODES = 2;

/** The most pools to try, and the most replicas of a fleet: each trial schedules all of them. */
const MOST_POOLS = 2;
const MOST_REPLICAS = 2_000;

/**
 * Adds to the nodes that one missing replica needs alone fewer nodes that do together with moves. It is tried only where
 * nothing else is missing, unless that is accepted, and no replica loses its place: the commands would be others.
 */
export function addNodesWithMoves(
  plans: readonly DeploymentPlan[],
  placed: PlacedFleet,
  judge: JudgeMoves,
): DeploymentPlan[] {
  const short = plans.filter(({ shortfall }) => shortfall !== undefined);
  const blocking = short.filter(({ shortfall }) => isBlocking(shortfall));
  const [plan, ...others] = blocking.length > 0 ? blocking : short;
  const isSimple = others.length === 0 && !plans.some(({ changes }) => changes.some(isEvicted));
  const deployment = placed.model.deployments.find(({ id }) => id === plan?.deployment);
  if (!plan?.shortfall || !deployment || !isSimple || placed.schedule.placements.length > MOST_REPLICAS)
    return [...plans];
  const { shortfall } = plan;
  if (shortfall.missing > 1 || shortfall.remedies.some(({ kind }) => kind === 'move')) return [...plans];
  const pools = shortfall.remedies.filter((one) => isEnlargeable(one, placed.fleet)).slice(0, MOST_POOLS);
  const judgeOne = (move: MoveRemedy): MoveRemedy | undefined => judgeMove(move, plan, { plans, placed, judge });
  const found = pools.flatMap((nodes) => findFewest(nodes, deployment, { placed, judgeOne }) ?? []);
  if (found.length === 0) return [...plans];
  const extended = { ...plan, shortfall: { ...shortfall, remedies: [...shortfall.remedies, ...found] } };
  return plans.map((one) => (one === plan ? extended : one));
}

type NodesRemedy = Extract<Remedy, { kind: 'nodes' }>;

/** Whether fewer nodes may be added to a pool of a fixed number. */
function isEnlargeable(remedy: Remedy, fleet: PlacedFleet['fleet']): remedy is Remedy & NodesRemedy {
  if (remedy.kind !== 'nodes' || remedy.nodes < 2 || remedy.inPlace || remedy.slice || remedy.gateway) return false;
  return remedy.unavailable === undefined && isFixed(remedy, fleet);
}

/** Whether a pool has a fixed number of nodes. */
function isFixed({ cluster, pool }: { cluster: string; pool: string }, { clusters }: Pick<Fleet, 'clusters'>): boolean {
  const pools = clusters.find(({ metadata }) => metadata.name === cluster)?.spec.nodePools ?? [];
  return pools.some(({ name, maxNodeCount }) => name === pool && maxNodeCount === undefined);
}

interface Trials {
  readonly placed: PlacedFleet;
  readonly judgeOne: (move: MoveRemedy) => MoveRemedy | undefined;
}

/** The fewest nodes of a pool with which moves give a deployment a place. */
function findFewest(
  { cluster, pool, nodes: enough }: NodesRemedy,
  deployment: CompiledDeployment,
  { placed, judgeOne }: Trials,
): NodesAndMovesRemedy | undefined {
  const node = placed.model.clusters
    .find(({ name }) => name === cluster)
    ?.pools.find(({ name }) => name === pool)?.node;
  if (!node) return undefined;
  for (let nodes = 1; nodes <= Math.min(MOST_NODES, enough - 1); nodes++) {
    const model = enlarge(placed.model, { cluster, pool, nodes });
    const move = findMove({ ...placed, model }, deployment);
    const judged = move && judgeOne(move);
    if (!judged || judged.stops || !endsWell(judged, deployment, { ...placed, model })) continue;
    return { ...judged, kind: 'nodes-and-moves', cluster, pool, nodes, ...acceleratorsOfNodes(node, nodes) };
  }
  return undefined;
}

function findMove({ model, matcher, previous }: PlacedFleet, deployment: CompiledDeployment): MoveRemedy | undefined {
  const state = scheduleState(model, previous.placements, matcher);
  if (state.missing(deployment) === 0) return undefined;
  return new Rebalancer(state, previous.placements).remedyFor(deployment);
}

/** A move with what it leads to. Undefined: an engine does not start at its new place. */
function judgeMove(
  move: MoveRemedy,
  plan: DeploymentPlan,
  { plans, placed, judge }: { plans: readonly DeploymentPlan[]; placed: PlacedFleet; judge: JudgeMoves },
): MoveRemedy | undefined {
  const supposed = plans.map((one) =>
    one === plan && one.shortfall ? { ...one, shortfall: { ...one.shortfall, remedies: [move] } } : one,
  );
  const schedule = { placements: placed.schedule.placements, shortfalls: [] };
  const judged = judge(dropUnservedRemedies(supposed, { ...placed, schedule }));
  const remedies = judged.find((one) => one.deployment === plan.deployment)?.shortfall?.remedies ?? [];
  return remedies.flatMap((one) => (one.kind === 'move' ? one : []))[0];
}

/**
 * Whether the commands of moves give a deployment its missing replica, on pools of a fixed number of nodes, and take no
 * place of another one. All are run: `lock --rebalance`, `lock --finalize` and `lock`.
 */
function endsWell(
  move: MoveRemedy,
  { id }: CompiledDeployment,
  { fleet, model, matcher, schedule: now, previous }: PlacedFleet,
): boolean {
  const only = onlyMovedBy(move);
  const moved = schedule(model, previous.placements, matcher, only === undefined ? {} : { only });
  const serving = moved.placements.filter(({ draining }) => !draining);
  const state = scheduleState(model, serving, matcher);
  const start = scheduleState(model, previous.placements, matcher);
  const isWorse = model.deployments.some((one) => state.missing(one) > start.missing(one));
  if (isWorse || model.deployments.some((one) => one.id === id && state.missing(one) > 0)) return false;
  const before = new Set(now.placements.map(placementKeyOf));
  const added = state.placements().filter((one) => one.deployment === id && !before.has(placementKeyOf(one)));
  return added.every(({ cluster, pools }) => Object.values(pools).every((pool) => isFixed({ cluster, pool }, fleet)));
}
