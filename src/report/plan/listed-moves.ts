import { compareText, groupBy } from '../../base/order';
import { capitalize, joinAnd, pluralize, toSentence } from '../../base/text';
import type { ShortfallPlan } from '../../plan/plan';
import { formatDowntime, formatMovesCost, formatWay, listMoveEffects, listMoveSteps } from '../../plan/remedy-messages';
import type { Remedy, RemedyMove } from '../../scheduler/remedy';

/** What to do, where it is too long for a sentence. */
export interface ListedRemedy {
  /** A clause, with its price in brackets. */
  readonly text: string;

  /** What it leads to, as clauses. */
  readonly effects: readonly string[];

  /** How to do it, one after another, as sentences without full stops. */
  readonly steps: readonly string[];
}

/** The lines below what to do: its effects, and its steps as a numbered list. */
export function listBelow({ effects, steps }: Omit<ListedRemedy, 'text'>): string[] {
  return [...effects.map((effect) => `- ${toSentence(capitalizeWord(effect))}`), ...numberSteps(steps)];
}

/** Steps as the items of a numbered list. */
export function numberSteps(steps: readonly string[]): string[] {
  return steps.map((step, i) => `${i + 1}. ${toSentence(step)}`);
}

/** As a sentence begins, unless it begins with a name. */
function capitalizeWord(text: string): string {
  return /^[a-z]+ /.test(text) ? capitalize(text) : text;
}

/**
 * Several moves, with their effects and commands apart. Undefined: a sentence is enough, or more than these moves is to do.
 *
 * @param flag the flag without which the first command writes nothing
 */
export function listMoves(remedy: Remedy, flag: string | undefined): ListedRemedy | undefined {
  if (remedy.kind !== 'move' || remedy.moves.length < 2) return undefined;
  if (remedy.breaks || remedy.supposed || remedy.before !== undefined) return undefined;
  const cost = formatMovesCost(remedy);
  return {
    text: `move ${nameMoves(remedy.moves)}${cost === undefined ? '' : ` (${cost})`}`,
    effects: listMoveEffects(remedy),
    steps: listMoveSteps(remedy.moves, flag),
  };
}

/** `1 replica of search/bge-m3 and 2 replicas of ml/qwen3-8b from dc to us without downtime`. */
export function nameMoves(moves: readonly RemedyMove[]): string {
  const ways = groupBy(moves, (move) => `${formatWay(move)} ${formatDowntime(move)}`);
  const names = [...ways].map(([way, all]) => {
    const whose = [...groupBy(all, ({ deployment }) => deployment)].sort(([a], [b]) => compareText(a, b));
    return `${joinAnd(whose.map(([id, its]) => `${pluralize(its.length, 'replica')} of ${id}`))} ${way}`;
  });
  return names.join(', ');
}

/** The flag without which the command of a remedy writes nothing. Undefined: it needs none. */
export function flagOf(
  { accepts }: Pick<Remedy, 'accepts'>,
  { missing }: Pick<ShortfallPlan, 'missing'>,
): string | undefined {
  return accepts || missing > 1 ? '--accept-unplaced' : undefined;
}
