import { capitalize, decapitalize, joinSentences, toSentence } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { type ListedRemedy, listBelow } from '../plan/listed-moves';

/** One of several things to do about a problem, each of which is enough. */
export interface Choice {
  /** What to do, with its price in brackets, as a clause: `set 'rollout.surge: 1' (+$10 a month)`. */
  readonly text: string;

  /** What else to know about it, as sentences without full stops. Absent: nothing. */
  readonly more?: readonly string[];

  /** The most that it costs a month. Absent: not known. */
  readonly cost?: number | undefined;

  /** The same in a list, where it has lines of its own. Absent: its sentences are enough. */
  readonly listed?: ListedRemedy | undefined;

  /** It is a change of its own, before the one that is refused. Absent: it belongs into that one. */
  readonly isEarlier?: boolean;

  /** Replicas stop for it, or fewer may serve than before. Absent: clients notice nothing. */
  readonly isDown?: boolean;
}

/** What to do about a problem. */
export interface Advice {
  /** The best comes first. Absent: there is one thing to do, which the hint says. */
  readonly choices?: readonly Choice[] | undefined;

  /** What the choices solve: `it alone`. Absent: it is clear. */
  readonly scope?: string | undefined;

  /** What to do, or what else to know about the choices, as sentences without the last full stop. Empty: nothing. */
  readonly hint: string;

  /** How to do that, one after another, as sentences without full stops. Absent: the hint says all. */
  readonly steps?: readonly string[] | undefined;
}

/** Advice alone, of what has it and more. */
export function adviceOf({ choices, scope, hint, steps }: Advice): Advice {
  return { choices, hint, ...(scope !== undefined && { scope }), ...(steps && { steps }) };
}

/** By what choices are sorted: each only where all before are equal. */
const ORDER: readonly ((one: Choice) => number)[] = [
  ({ isDown = false }) => Number(isDown),
  ({ cost = Number.MAX_VALUE }) => cost,
  ({ isEarlier = false }) => Number(isEarlier),
];

/** Sorts choices: first those of which clients notice nothing, the cheapest before others, then what belongs into the change. */
export function sortChoices(choices: readonly Choice[]): Choice[] {
  return choices.toSorted((a, b) => ORDER.map((rank) => rank(a) - rank(b)).find((order) => order !== 0) ?? 0);
}

/** Advice with choices. A single one needs no list. */
export function toAdvice(choices: readonly Choice[], hint = ''): Advice {
  if (choices.length > 1) return { choices, hint };
  return { hint: joinSentences([formatChoices(choices), hint]) };
}

/** The flag that accepts what clients lose. */
export const ACCEPT_REMOVALS = 'add --accept-removals to plan --gate';

/**
 * Something careful, or the flag that accepts what clients lose.
 *
 * @param condition when the flag is right: `if no client uses it`
 */
export function orAccept(careful: Choice, condition: string): Advice {
  return toAdvice([careful, { text: `${condition}, ${ACCEPT_REMOVALS}` }]);
}

/** Whether all choices have a price, not the same, and none comes before one that costs less. */
function isByPrice(choices: readonly Choice[]): boolean {
  const isSorted = choices.every(({ cost }, i) => cost !== undefined && cost >= (choices[i - 1]?.cost ?? 0));
  return isSorted && choices[0]?.cost !== choices.at(-1)?.cost;
}

/**
 * What introduces a list of choices.
 *
 * @param scope what they solve. Default: it is clear
 */
export function introduceChoices(choices: readonly Choice[], scope?: string): string {
  const order = isByPrice(choices) ? ', cheapest first' : '';
  return scope === undefined ? `Do one of these${order}:` : `For ${scope}, do one of these${order}:`;
}

/** What a change saves a month. Undefined: it saves nothing, or that is not known. */
export function savingsOf({ cost }: Pick<FleetDiff, 'cost'>): number | undefined {
  const { least, most } = cost?.delta ?? {};
  const isExact = least?.perMonth === most?.perMonth && most?.unknown === 0;
  return isExact && most?.perMonth !== undefined && most.perMonth < 0 ? -most.perMonth : undefined;
}

/** Says of a choice that it costs as much as a change saves. */
export function noteSaved(choice: Choice, saved: number | undefined): Choice {
  const isAsMuch = saved !== undefined && choice.cost !== undefined && Math.round(choice.cost) === Math.round(saved);
  return isAsMuch ? { ...choice, more: [...(choice.more ?? []), 'This costs as much as the change saves'] } : choice;
}

/** A choice as an item of a list: one or more sentences, and below them the lines of its effects and steps. */
export function formatChoiceLines({ text, more = [], listed }: Choice): string[] {
  const sentences = [capitalize(listed?.text ?? text), ...more].map(toSentence).join(' ');
  return [`- ${sentences}`, ...(listed ? listBelow(listed) : []).map((line) => `  ${line}`)];
}

/** `Set 'replicas: 2' ($0); or add 1 more node`: choices as sentences without the last full stop. */
function formatChoices(choices: readonly Choice[]): string {
  const texts = choices.map((one, i) =>
    i < choices.length - 1 ? formatClause(one) : joinSentences([one.text, ...(one.more ?? [])]),
  );
  return capitalize(texts.join('; or '));
}

function formatClause({ text, more = [] }: Choice): string {
  return more.length === 0 ? text : `${text} (${more.map(decapitalize).join('; ')})`;
}

/** Advice as sentences without the last full stop. */
export function formatAdvice({ choices = [], hint, steps = [] }: Advice): string {
  return joinSentences([formatChoices(choices), hint, ...steps.map((step, i) => `${i + 1}. ${step}`)]);
}
