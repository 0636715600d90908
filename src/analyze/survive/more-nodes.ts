import { lazily } from '../../base/memoize';
import { poolKeyOf } from '../../cost/pool-prices';
import type { DeploymentPlan } from '../../plan/plan';
import { createNodesChecker } from '../../plan/policy/broken-rules';
import { addNodes, addPool, changeCompiledCluster } from '../../scheduler/changed-demands';
import type { CompiledDeployment } from '../../scheduler/compiled-fleet';
import { groupByDeployment } from '../../scheduler/placement';
import { comparePrices } from './add-nodes';
import { findExtraNodes, toExtraNodes } from './extra-nodes';
import { relaxLimits } from './relaxed-limits';
import {
  countMissingAfterLoss,
  createLossTrial,
  type ExtraNodeCounts,
  type LossTrial,
  placeAfterLoss,
} from './simulate-loss';
import type { ChangedLimit, CheaperNodes, ExtraNodes, NodeSet, StrandedReplicas } from './survival';

/** The smallest number of nodes that gives all replicas without a place one, and the replicas that no nodes help. */
export interface MoreNodes {
  /** The replicas that the nodes give a place. */
  readonly replicas: number;

  /** Absent if nodes help no replica, or if no set was found. */
  readonly extra?: ExtraNodes;

  /** More nodes in existing pools, which cost less than `extra` and `newPool`. Absent if none were found. */
  readonly cheaper?: CheaperNodes;

  /** A remedy of a replica is a new pool, which may need fewer nodes. The nodes of `extra` are in existing pools. */
  readonly newPools?: true;

  /** The nodes of a further pool of the same class, where that needs fewer than `extra`. It names the existing pool. */
  readonly newPool?: ExtraNodes;

  /** The limits that have to change too, so that the nodes help these replicas. Absent: none. */
  readonly limits?: readonly [ChangedLimit, ...ChangedLimit[]];

  /** The replicas without a place for which more nodes do not help, by deployment. */
  readonly stranded: readonly Omit<StrandedReplicas, 'lost'>[];
}

/** A fleet and what was decided for it. */
type PlacedFleet = Parameters<typeof createNodesChecker>[0];

/** A part of the budget of `survive`: a plan has to be quick. */
const PLAN_BUDGET = 50_000;

/**
 * Finds the nodes that give all replicas a place whose lack of one is not accepted. Undefined for a single replica,
 * whose remedies name its nodes. Where a limit of placement keeps some off all nodes, another value of it is tried.
 */
export function findMoreNodes(placed: PlacedFleet, plans: readonly DeploymentPlan[]): MoreNodes | undefined {
  const short = new Set(plans.filter(({ shortfall }) => shortfall?.accepted === false).map((one) => one.deployment));
  const trial = createTrial(placed, ({ id, replicas }) => (short.has(id) ? replicas : undefined));
  const found = findNodesForMissing(trial, placed, plans);
  if (!found) return undefined;
  const relaxed = relaxLimits(trial, found.stranded);
  const forAll = relaxed && findNodesForMissing(relaxed.trial, placed, plans);
  if (!relaxed || !forAll?.extra || forAll.stranded.some((one) => relaxed.changed.has(one.deployment))) return found;
  const replicas = found.replicas + countReplicas(found.stranded) - countReplicas(forAll.stranded);
  return { ...forAll, replicas, limits: relaxed.limits };
}

/**
 * Finds the nodes that give replicas of lost clusters a place, whatever lack of one is accepted. Undefined if there are
 * no such replicas.
 *
 * @param lost their number, by deployment
 */
export function findNodesForLost(
  placed: PlacedFleet,
  plans: readonly DeploymentPlan[],
  lost: ReadonlyMap<string, number>,
): MoreNodes | undefined {
  if (lost.size === 0) return undefined;
  const trial = createTrial(placed, ({ id }, own) => own + (lost.get(id) ?? 0));
  return findNodesForMissing(trial, placed, plans, 1);
}

/** @param least the fewest replicas for which to look. Default: several */
function findNodesForMissing(
  trial: LossTrial,
  placed: PlacedFleet,
  plans: readonly DeploymentPlan[],
  least = 2,
): MoreNodes | undefined {
  const losing = { name: '', clusters: new Set<never>() };
  const missing = countMissingAfterLoss(trial, placeAfterLoss(trial, losing));
  const all = sum([...missing.values()]);
  if (all < least) return undefined;
  const { extra, cheaper, stranded } = findExtraNodes(trial, [{ losing, missing }], {
    fleet: placed.fleet,
    budget: PLAN_BUDGET,
  });
  const unhelped = countReplicas(stranded);
  const isEnough = (tried: LossTrial): boolean =>
    sum([...countMissingAfterLoss(tried, placeAfterLoss(tried, losing)).values()]) <= unhelped;
  const inNewPool = extra && findNewPool(trial, extra, isEnough);
  const newPool = inNewPool && toExtraNodes({ extra: inNewPool, atLeast: 1 }, trial, placed.fleet);
  const findBroken = lazily(() => createNodesChecker(placed, plans));
  const withBroken = <T extends NodeSet>(nodes: T, isNewPool = false): T => {
    if (!placed.fleet.policies?.length) return nodes;
    const added = nodes.nodes.map((one) => ({ ...one, ...(isNewPool && { newPool: true as const }) }));
    const tried = added.reduce(isNewPool ? withNewPool : withMoreNodes, trial);
    const { model } = tried;
    const placements = placeAfterLoss(tried, losing).placements();
    const breaks = findBroken()({ nodes: added, placed: { model, placements } });
    return { ...nodes, ...(breaks.length > 0 && { breaks }) };
  };
  return {
    replicas: all - unhelped,
    ...(extra && { extra: withBroken(extra) }),
    ...(cheaper && costsLess(cheaper, newPool) && { cheaper: withBroken(cheaper) }),
    ...(newPool && { newPool: withBroken(newPool, true) }),
    ...(plans.some(proposesPool) && { newPools: true as const }),
    stranded: stranded.map(withoutLoss),
  };
}

function withoutLoss({ deployment, replicas, nearest }: StrandedReplicas): MoreNodes['stranded'][number] {
  return { deployment, replicas, ...(nearest && { nearest }) };
}

/** Whether nodes whose price is known cost less than others, as far as the price of those is known. */
function costsLess({ cost }: NodeSet, other: NodeSet | undefined): boolean {
  return comparePrices(cost.perHour, other?.cost.perHour) < 0;
}

/** The most pools of which a further one is tried. */
const MOST_POOLS_TRIED = 3;

/**
 * Finds the fewest nodes of a further pool of the class of a pool that lacks nodes. No other pods spread over its nodes,
 * so it may need fewer. Undefined where none needs fewer.
 */
function findNewPool(
  trial: LossTrial,
  { nodes, total }: ExtraNodes,
  isEnough: (tried: LossTrial) => boolean,
): ExtraNodeCounts | undefined {
  const found = nodes.slice(0, MOST_POOLS_TRIED).flatMap(({ cluster, pool }) => {
    const fits = (count: number): boolean => isEnough(withNewPool(trial, { cluster, pool, nodes: count }));
    if (!fits(total - 1)) return [];
    let [least, most] = [1, total - 1];
    while (least < most) {
      const middle = Math.floor((least + most) / 2);
      if (fits(middle)) most = middle;
      else least = middle + 1;
    }
    return [{ key: poolKeyOf(cluster, pool), count: most }];
  });
  const [best] = found.sort((a, b) => a.count - b.count);
  return best && new Map([[best.key, best.count]]);
}

/** Nodes of a pool, or of a further one like it. */
interface AddedNodes {
  readonly cluster: string;
  readonly pool: string;
  readonly nodes: number;
}

function withMoreNodes(trial: LossTrial, { cluster, pool, nodes }: AddedNodes): LossTrial {
  const model = changeCompiledCluster(trial.model, cluster, (one) => addNodes(one, pool, nodes));
  return createLossTrial({ ...trial, model }, trial.retained);
}

function withNewPool(trial: LossTrial, { cluster, pool, nodes }: AddedNodes): LossTrial {
  const model = changeCompiledCluster(trial.model, cluster, (one) => {
    const like = one.pools.find(({ name }) => name === pool);
    return like && like.sliceHosts === undefined ? addPool(one, like, nodes) : one;
  });
  return createLossTrial({ ...trial, model }, trial.retained);
}

function proposesPool({ shortfall }: DeploymentPlan): boolean {
  return shortfall?.remedies.some((remedy) => remedy.kind === 'nodes' && remedy.newPool) ?? false;
}

/**
 * Only some deployments want replicas that they do not have.
 *
 * @param wantedOf how many replicas of a deployment need a place, of which it has one for some. Default: for these
 */
function createTrial(
  { model, matcher, schedule }: PlacedFleet,
  wantedOf: (deployment: CompiledDeployment, own: number) => number | undefined,
): LossTrial {
  const { placements } = schedule;
  const placed = groupByDeployment(placements);
  const deployments = model.deployments.map((deployment) => {
    const own = (placed.get(deployment.id) ?? []).filter(({ draining }) => !draining).length;
    return { ...deployment, replicas: wantedOf(deployment, own) ?? own };
  });
  const before = new Map(deployments.map(({ id, replicas }) => [id, replicas]));
  return createLossTrial({ model: { ...model, deployments }, matcher, placements, before });
}

function countReplicas(stranded: MoreNodes['stranded']): number {
  return sum(stranded.map(({ replicas }) => replicas));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
