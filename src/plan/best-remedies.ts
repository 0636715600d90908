import { groupBy } from '../base/order';
import type { Remedy } from '../scheduler/remedy';
import { isProbablyMeant } from './meant-bounds';
import type { DeploymentPlan, ShortfallPlan } from './plan';

/** Adds to a remedy the policy rules that it breaks. */
export type CheckRemedy = (plan: DeploymentPlan, remedy: Remedy) => Remedy;

/**
 * Keeps of each kind of remedy the smallest, or the cheapest where all have a price, of those that break no policy rule
 * first. The cheapest comes first, then the smallest.
 */
export function keepBestRemedies(
  plans: readonly DeploymentPlan[],
  check: CheckRemedy = (_, remedy) => remedy,
): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    const ofKinds = [...groupBy(shortfall.remedies, (one) => choiceOf(one, shortfall)).values()];
    const chosen = ofKinds.flatMap((ofKind) => markUnpriced(chooseAllowed(ofKind, (remedy) => check(plan, remedy))));
    const remedies = dropMovesBeforeFinalize(dropDearMoves(dropWithoutGain(chosen)));
    return { ...plan, shortfall: { ...shortfall, remedies: keepFewPools(sortByPrice(remedies)) } };
  });
}

/**
 * Drops nodes next to a replica with earlier engines where fewer are enough and nothing stops for them, and nodes in its
 * place where no more keep it serving.
 */
function dropWithoutGain(remedies: readonly Remedy[]): Remedy[] {
  const nodes = remedies.filter((one) => one.kind === 'nodes');
  const inPlace = nodes.find((one) => one.inPlace !== undefined);
  const sideBySide = nodes.find((one) => one.inPlace === undefined);
  if (!inPlace || !sideBySide || isBroken(inPlace) !== isBroken(sideBySide)) return [...remedies];
  if (inPlace.inPlace === 'grow') return remedies.filter((one) => one.kind !== 'nodes' || one === inPlace);
  const isCheapest = !isCheaper(inPlace, sideBySide) && sideBySide.nodes <= inPlace.nodes;
  return isCheapest ? remedies.filter((one) => one !== inPlace) : [...remedies];
}

/** Drops nodes with moves that cost no less than nodes alone, or of which that is not known, and those next to moves alone. */
function dropDearMoves(remedies: readonly Remedy[]): Remedy[] {
  const alone = remedies.filter(({ kind }) => kind === 'nodes' || kind === 'move');
  return remedies.filter((one) => {
    if (one.kind !== 'nodes-and-moves') return true;
    return alone.every(
      (other) => other.kind === 'nodes' && (isCheaper(one, other) || (isBroken(other) && !isBroken(one))),
    );
  });
}

/** Drops moves where removing the replicas that are draining is enough: that is due first, and moves none. */
function dropMovesBeforeFinalize(remedies: readonly Remedy[]): Remedy[] {
  const isDue = remedies.some((one) => one.kind === 'finalize' && !one.drainsFirst && !isBroken(one));
  return isDue ? remedies.filter(({ kind }) => kind !== 'move' && kind !== 'nodes-and-moves') : [...remedies];
}

function isBroken({ breaks }: Remedy): boolean {
  return breaks !== undefined;
}

/**
 * Nodes and packing that let a replica take the place of an earlier one are a choice of their own. So are the nodes of each
 * layout of a model: they are other hardware.
 */
function choiceOf(remedy: Remedy, { rejections }: Pick<ShortfallPlan, 'rejections'>): string {
  if ('inPlace' in remedy && remedy.inPlace) return `${remedy.kind} in place`;
  if (remedy.kind !== 'nodes') return remedy.kind;
  const { cluster, pool } = remedy;
  const { reason } = rejections.find((one) => one.cluster === cluster && one.pool === pool) ?? {};
  return reason?.filter === 'capacity' && reason.layout !== undefined ? `nodes for ${reason.layout}` : 'nodes';
}

/** Nodes for many layouts of a model would bury the other remedies. */
function keepFewPools(sorted: readonly Remedy[]): Remedy[] {
  const nodes = sorted.filter((one) => one.kind === 'nodes' && one.inPlace === undefined);
  const left = new Set(nodes.slice(MOST_POOLS));
  return sorted.filter((one) => !left.has(one));
}

/** The most pools to name that more nodes help. */
const MOST_POOLS = 3;

/** Of one kind the best that break no policy rule. Where all of them break one, the best of all. */
function chooseAllowed(ofKind: readonly Remedy[], check: (remedy: Remedy) => Remedy): Remedy[] {
  const best = chooseBest(ofKind).map((chosen) => ({ chosen, checked: check(chosen) }));
  const broken = new Set(best.flatMap(({ chosen, checked }) => (isBroken(checked) ? [chosen] : [])));
  if (broken.size === 0) return best.map(({ checked }) => checked);
  const others = ofKind.filter((one) => !broken.has(one));
  const allowed = chooseAllowed(others, check).filter((one) => !isBroken(one));
  return allowed.length > 0 ? allowed : best.map(({ checked }) => checked);
}

/** Nodes without a price say so next to nodes with one. */
function markUnpriced([first, ...others]: readonly Remedy[]): Remedy[] {
  if (!first) return [];
  const isMarked = first.kind === 'nodes' && others.length > 0 && priceOf(first) === UNPRICED;
  return [isMarked ? { ...first, unpriced: true } : first, ...others];
}

/** Of one kind the first, which is the smallest, or the cheapest where that has a price. */
function chooseBest(ofKind: readonly Remedy[]): readonly Remedy[] {
  const [first, ...others] = ofKind;
  if (!first || others.length === 0) return ofKind;
  if (first.kind === 'bound') return ofKind.slice(0, MOST_BOUNDS);
  const cheapest = ofKind.reduce((best, one) => (isCheaper(one, best) ? one : best));
  if (first.kind !== 'nodes') return [ofKind.every((one) => priceOf(one) !== UNPRICED) ? cheapest : first];
  if (priceOf(cheapest) === UNPRICED) return [first];
  return priceOf(first) === UNPRICED ? [first, cheapest] : [cheapest];
}

/** The most bounds of a selector to name: each opens other hardware. */
const MOST_BOUNDS = 3;

const UNPRICED = Number.POSITIVE_INFINITY;

/** Of equal prices, a known one comes before an estimate. */
function isCheaper(remedy: Remedy, best: Remedy): boolean {
  const [price, least] = [priceOf(remedy), priceOf(best)];
  return price < least || (price === least && isEstimated(best) && !isEstimated(remedy));
}

function isEstimated(remedy: Remedy): boolean {
  return 'cost' in remedy && remedy.cost !== undefined && 'asIn' in remedy.cost;
}

/** Nodes that only have to come back cost nothing. */
function priceOf(remedy: Remedy): number {
  if (remedy.kind === 'nodes' && remedy.unavailable !== undefined) return 0;
  return ('cost' in remedy ? remedy.cost?.perMonth : undefined) ?? UNPRICED;
}

/** What comes after all that has a price, where its own is not known. */
const UNKNOWN_LAST: ReadonlySet<Remedy['kind']> = new Set(['nodes', 'nodes-and-moves', 'packing', 'toleration']);

/** What a remedy costs, by which the cheapest comes first: what only a declaration changes costs nothing that is known. */
function rankPrice(remedy: Remedy): number {
  const price = remedy.kind === 'toleration' ? UNPRICED : priceOf(remedy);
  return price === UNPRICED && !UNKNOWN_LAST.has(remedy.kind) ? 0 : price;
}

/**
 * Of remedies of the same price, or without one, what a fleet declares comes first, then nodes, then the removal of a
 * surge: replicas stop during rollouts from then on. The cluster has to do packing, and not every cloud lets it.
 * Tolerations come last: a taint is there for a reason.
 */
const RANKS: Readonly<Record<Remedy['kind'], number>> = {
  move: 0,
  finalize: 0,
  declare: 0,
  limit: 0,
  bound: 0,
  count: 0,
  copies: 0,
  nodes: 1,
  'nodes-and-moves': 1,
  surge: 2,
  packing: 3,
  toleration: 4,
};

/**
 * Those that break a policy rule come last: the rule has to change too. A quantity that was probably meant comes first,
 * whatever the volumes of its replicas cost. Of a known price, those without downtime come first.
 */
export function sortByPrice(remedies: readonly Remedy[]): Remedy[] {
  return [...remedies].sort((a, b) => {
    if (isBroken(a) !== isBroken(b)) return isBroken(a) ? 1 : -1;
    if (isProbablyMeant(a) !== isProbablyMeant(b)) return isProbablyMeant(a) ? -1 : 1;
    const [price, other] = [rankPrice(a), rankPrice(b)];
    // The difference of two unknown prices is no number.
    if (price !== other) return price - other;
    const byDowntime = price === UNPRICED ? 0 : Number(stopsReplicas(a)) - Number(stopsReplicas(b));
    return byDowntime || RANKS[a.kind] - RANKS[b.kind] || sizeOf(a) - sizeOf(b);
  });
}

/** Whether replicas stop before others serve in their place. */
function stopsReplicas(remedy: Remedy): boolean {
  if ('moves' in remedy) return remedy.moves.some(({ surgeFirst }) => !surgeFirst);
  if (remedy.kind === 'packing' && remedy.stops !== undefined) return true;
  return 'inPlace' in remedy && remedy.inPlace === 'restart';
}

function sizeOf(remedy: Remedy): number {
  return remedy.kind === 'nodes' ? remedy.nodes : 0;
}
