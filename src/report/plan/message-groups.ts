import type { Diagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { capitalize, joinNames } from '../../base/text';
import { MIN_GROUP } from '../document/group-alike';

/** A message that is shown, and those that are counted with it. Messages that say the same are one, with all positions. */
export interface MessageGroup<T> {
  readonly same: readonly T[];

  /** What else there is of its kind. Empty: it stands for itself. */
  readonly others: readonly (readonly T[])[];
}

/** Groups messages, in their order: those that say the same, and many of the same kind behind the first of them. */
export function groupMessages<T extends Diagnostic>(
  messages: readonly T[],
  kindOf: (message: T) => string = ({ code }) => code,
): MessageGroup<T>[] {
  return [...groupBy(messages, kindOf).values()].flatMap((group): MessageGroup<T>[] => {
    const alike = [...groupBy(group, ({ message, hint }) => `${message}\n${hint}`).values()];
    const [same = [], ...others] = alike;
    return alike.length < MIN_GROUP ? alike.map((one) => ({ same: one, others: [] })) : [{ same, others }];
  });
}

/** `4 more of this kind: ml/b, ml/d`, with the deployments and services that they are about. */
export function countOthers({ others }: MessageGroup<Diagnostic>): string {
  const messages = others.flatMap((same) => same.slice(0, 1).map(({ message }) => message));
  const named = sortUnique(messages.flatMap((text) => NAME_IN_TEXT.exec(text)?.[1] ?? []));
  const names = named.length === 0 ? '' : `: ${joinNames(named, MAX_NAMED)}`;
  return `${formatCount(others.length)} more of this kind${names}`;
}

/** The first `namespace/name` of a message, before what it has in parentheses. */
const NAME_IN_TEXT = /^(?:[^/(]* )?([a-z\d][a-z\d-]*\/[a-z\d][a-z\d.-]*)(?=[\s:;,]|$)/;

/** The most names of messages that are counted. */
const MAX_NAMED = 5;

/** Begins a message with a capital letter, unless it begins with a name. */
export function capitalizeMessage(message: string): string {
  return FIRST_WORD.test(message) ? capitalize(message) : message;
}

/** The words with which messages begin that are no names. */
const FIRST_WORD = /^(?:a|an|clients|each|engine|if|memory|no|other|the) /;
