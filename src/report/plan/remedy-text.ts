import { formatCount } from '../../base/figures';
import { isProbablyMeant } from '../../plan/meant-bounds';
import type { ShortfallPlan } from '../../plan/plan';
import { formatRemedy, formatRuleEdits } from '../../plan/remedy-messages';
import type { Remedy } from '../../scheduler/remedy';
import type { Block } from '../document/document';
import { flagOf, listBelow, listMoves } from './listed-moves';

export type RemediedShortfall = Pick<ShortfallPlan, 'remedies' | 'missing'>;

/**
 * Formats the remedies of a shortfall, the cheapest first, one a line. Effects and commands of several moves are below.
 *
 * @param alone whether other deployments lack places too: their remedies may overlap, or take the same room
 */
export function formatRemedyLines(shortfall: RemediedShortfall, alone = false): Block[] {
  const [first, ...others] = shortfall.remedies;
  // Remedies that rules deny come last, whatever they cost.
  const within = first && !first.breaks && others.some(({ breaks }) => breaks) ? ' within the rules' : '';
  const isMeant = first !== undefined && isProbablyMeant(first);
  const title = isMeant ? titleOf(shortfall) : `${titleOf(shortfall)}${alone ? ' for it alone' : ''}${within}`;
  return shortfall.remedies.map((remedy, i) => {
    const label = i > 0 ? 'or' : title;
    const listed = listMoves(remedy, flagOf(remedy, shortfall));
    if (!listed) return `${label}: ${formatCountedRemedy(remedy, shortfall)}`;
    return { text: `${label}: ${listed.text}${formatReach(remedy, shortfall)}`, below: listBelow(listed) };
  });
}

/** What the first remedy is: a quantity that was probably meant may cost more than others. */
export function titleOf({ remedies: [first] }: Pick<RemediedShortfall, 'remedies'>): string {
  return first && isProbablyMeant(first) ? 'probably meant' : 'cheapest';
}

/** The cheapest remedy of a shortfall. Undefined: none is known. */
export function formatCheapestRemedy(shortfall: RemediedShortfall): string | undefined {
  const [cheapest] = shortfall.remedies;
  return cheapest && formatCountedRemedy(cheapest, shortfall);
}

/**
 * The cheapest remedy, and one that differs from it: where a replica stops for the cheapest, one for which none does, and
 * the nodes for which it stops too, else one of another kind. If the loss of one cluster leaves too few replicas with all
 * of them, also one with which it does not. One that breaks a policy rule is only named where all do.
 */
export function listCheapest([cheapest, ...further]: readonly Remedy[]): Remedy[] {
  if (!cheapest) return [];
  const others = cheapest.breaks ? further : further.filter(({ breaks }) => !breaks);
  const listed = listDiffering(cheapest, others);
  const keeping = others.filter(({ minimums }) => !minimums);
  const isKept = listed.some(({ minimums }) => !minimums);
  // Not every cloud lets a cluster do packing.
  const kept = keeping.find(({ kind }) => kind !== 'packing') ?? keeping[0];
  return isKept || !kept ? listed : [...listed, kept];
}

function listDiffering(cheapest: Remedy, others: readonly Remedy[]): Remedy[] {
  const serving = stopsReplica(cheapest) ? others.find((one) => !stopsReplica(one)) : undefined;
  if (serving) {
    const between = cheapest.kind === 'nodes' ? [] : others.slice(0, others.indexOf(serving));
    return [cheapest, ...between.filter(({ kind }) => kind === 'nodes').slice(0, 1), serving];
  }
  const other = others.find(({ kind }) => kind !== cheapest.kind);
  return other ? [cheapest, other] : [cheapest];
}

/** Formats a remedy, and how many of the missing replicas it helps. */
export function formatCountedRemedy(remedy: Remedy, shortfall: RemediedShortfall): string {
  return `${formatRemedyOf(remedy, shortfall)}${formatReach(remedy, shortfall)}`;
}

/** Formats a remedy. Its command accepts the other replicas without a place, which would stop it. */
export function formatRemedyOf(remedy: Remedy, { remedies, missing }: RemediedShortfall): string {
  const isBeside = remedy.kind === 'nodes' && !stopsReplica(remedy) && remedies.some(stopsReplica);
  const serving = isBeside && remedy.inPlace === undefined ? ', without downtime' : '';
  const text = `${formatRemedy(remedy, flagOf(remedy, { missing }))}${serving}`;
  if (!remedy.breaks) return text;
  const edits = formatRuleEdits(remedy.breaks);
  // A command ends the text, and runs once the rule allows what it does.
  return 'moves' in remedy || (remedy.kind === 'finalize' && !remedy.drainsFirst)
    ? `first ${edits}, then ${text}`
    : `${text}, and ${edits}`;
}

/** Whether a remedy gives all missing replicas a place, as far as it is known. */
export function placesAll({ helps }: Pick<Remedy, 'helps'>, { missing }: Pick<ShortfallPlan, 'missing'>): boolean {
  return missing < 2 || helps === missing;
}

/** How many of the missing replicas a remedy helps: ` (for 1 of the 2)`. */
export function formatReach({ helps }: Pick<Remedy, 'helps'>, { missing }: Pick<ShortfallPlan, 'missing'>): string {
  if (missing < 2) return '';
  if (helps === missing) return ` (for all ${formatCount(missing)})`;
  return ` (for ${countHelped(helps)} of the ${formatCount(missing)})`;
}

/** `1`, `at least 1` where it is not known. */
export function countHelped(helps: number | undefined): string {
  return helps === undefined ? 'at least 1' : formatCount(helps);
}

function stopsReplica(remedy: Remedy): boolean {
  if (remedy.kind === 'packing' && remedy.stops) return true;
  return 'inPlace' in remedy && remedy.inPlace === 'restart';
}
