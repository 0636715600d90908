import { sortUnique } from '../../base/order';
import { joinAnd, joinNames } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { type Cause, dedupeCauses } from '../../diff/replica-causes';
import type { ShortfallPlan } from '../../plan/plan';
import { formatDrainFirst, formatMovesEffect, formatRuleEdits, moveBeforeCommand } from '../../plan/remedy-messages';
import type { MoveRemedy, Remedy } from '../../scheduler/remedy';
import { nameMoves } from '../plan/listed-moves';
import { formatRemedyOf, listCheapest, placesAll } from '../plan/remedy-text';
import type { CiteEdits } from './change-sentences';
import type { UnplacedDeployment } from './unplaced-findings';

/**
 * The cheapest remedies, without moves that a gate refuses where something else helps, and without what is known to place
 * only some of the replicas where something else places all.
 */
export function listChoices(shortfall: ShortfallPlan, stopped: number): Remedy[] {
  const { remedies } = shortfall;
  const accepted = remedies.filter((one) => stopped === 0 || one.kind !== 'move' || one.stops === undefined);
  const cheapest = listCheapest(accepted.length > 0 ? accepted : remedies);
  const isPlaced = cheapest.some((one) => placesAll(one, shortfall));
  const found = isPlaced ? cheapest.filter((one) => mayPlaceAll(one, shortfall)) : cheapest;
  const nodes = found.some(isHarmless) ? undefined : accepted.find((one) => addsNodesOnly(one, shortfall));
  return nodes ? [...found, nodes] : found;
}

/** Whether a remedy places all replicas, or it is not known how many: the cheapest is not left out for that. */
function mayPlaceAll(remedy: Remedy, shortfall: ShortfallPlan): boolean {
  return remedy.helps === undefined || placesAll(remedy, shortfall);
}

/** Whether a remedy leaves the replicas of other deployments, and their clients, as they are. */
function isHarmless(remedy: Remedy): boolean {
  if (remedy.kind === 'packing') return false;
  if (!('moves' in remedy)) return true;
  const { moves, unites, vacates, minimums } = remedy;
  return !unites && !vacates && !minimums && moves.every(({ surgeFirst }) => surgeFirst);
}

function addsNodesOnly(remedy: Remedy, shortfall: ShortfallPlan): boolean {
  return remedy.kind === 'nodes' && !remedy.breaks && placesAll(remedy, shortfall);
}

/** A remedy as a step. Replicas that have a place before the change keep it only if others move before. */
export function formatStep(remedy: Remedy, shortfall: ShortfallPlan, stopped: number): string {
  const text = formatRemedyOf(remedy, shortfall);
  // It restarts the pods that run there, while others lose their places.
  if (remedy.kind === 'packing' && stopped > 0) return `first ${text}, in a change of its own`;
  if (remedy.kind !== 'move' || stopped === 0) return text;
  const rules = remedy.breaks ? `${formatRuleEdits(remedy.breaks)}, then ` : '';
  const stops = remedy.stops ? `, which the gate refuses: too few replicas of ${joinAnd(remedy.stops)} serve` : '';
  return `first ${rules}move ${nameMoves(remedy.moves)}, in a change of its own${formatMovesEffect(remedy)}${stops}`;
}

/** The change, and how its edits are named. */
interface DrainContext extends Pick<CiteEdits, 'nameEdits'> {
  readonly diff: FleetDiff;
}

/** The edits that drain replicas come first, where others leave replicas without a place. Undefined: they are the same. */
export function describeDrainFirst(
  remedy: Remedy,
  causes: readonly Cause[],
  { diff, nameEdits }: DrainContext,
): string | undefined {
  if (remedy.kind !== 'finalize' || !remedy.drainsFirst || remedy.breaks) return undefined;
  const changes = diff.deployments.flatMap((one) => one.changes);
  const draining = changes.filter(({ action, surgeFirst, cluster, from = { cluster } }) => {
    return (action === 'draining' || surgeFirst) && from.cluster === remedy.cluster;
  });
  const edits = dedupeCauses(draining.flatMap((one) => one.causes));
  const names = nameEdits(edits);
  const own = new Set(causes.map(({ where }) => where));
  return names === undefined || edits.some(({ where }) => own.has(where)) ? undefined : formatDrainFirst(names);
}

/** `replicas of ml/a stop before they serve at their new places`. */
function describeDowntime({ moves }: MoveRemedy): string {
  const down = moves.flatMap(({ deployment, surgeFirst }) => (surgeFirst ? [] : [deployment]));
  return `replicas of ${joinNames(sortUnique(down), MAX_NAMED, ' and ')} stop before they serve at their new places`;
}

/** The edits of the change, and the removed clusters that are drained first. */
interface StepContext {
  readonly edits: string;
  readonly drains?: readonly string[] | undefined;
}

/** The most names in one sentence. */
const MAX_NAMED = 3;

/** How replicas move in a change of its own, before one for which others would lose their places. */
export function listSteps(
  { id, shortfall, stopped }: UnplacedDeployment,
  { edits, drains = [] }: StepContext,
): string[] {
  const move = shortfall && listChoices(shortfall, stopped).find((one) => one.kind === 'move');
  if (!move || stopped === 0) return [];
  const isServed = move.moves.every(({ surgeFirst }) => surgeFirst);
  const effect = isServed ? 'no replica stops, and those that move serve at both places' : describeDowntime(move);
  return [
    `Run '${moveBeforeCommand(move.moves, id)}'.`,
    `Undo ${edits}, and run 'fleetwright lock DIR': ${effect}.`,
    "Merge and apply that. When the moved replicas serve, run 'fleetwright lock DIR --finalize', and apply it.",
    drains.length > 0 ? `Drain ${joinNames(drains, MAX_NAMED)}, as said above.` : `Make ${edits} again.`,
  ];
}
