import { sortUnique } from '../../base/order';
import type { Cause } from '../../diff/replica-causes';
import { describeCause } from '../diff/change-sentences';
import type { CauseData } from './map-data';

/** The edits that cause changes, in the order in which they are cited, each once. */
export class NumberedCauses {
  /** The index and the positions of each edit, by its text. */
  readonly #edits = new Map<string, { readonly index: number; readonly at: Set<string> }>();

  /** Cites causes at the end of a line, on a line of their own, which `readCitation` reads. */
  readonly cite = (causes: readonly Cause[]): string => {
    const cited = new Set(causes.map((cause) => this.#add(cause)));
    return cited.size === 0 ? '' : `\n${[...cited].join(' ')}`;
  };

  list(): CauseData[] {
    return [...this.#edits].map(([text, { at }]) => ({ text, at: sortUnique([...at]) }));
  }

  #add(cause: Cause): number {
    const text = describeCause(cause);
    const edit = this.#edits.get(text) ?? { index: this.#edits.size, at: new Set() };
    this.#edits.set(text, edit);
    edit.at.add(cause.where);
    return edit.index;
  }
}

/** Separates the text of a line from the indices of its causes. */
export function readCitation(line: string): { readonly text: string; readonly causes: readonly number[] } {
  const [text = '', cited = ''] = line.split('\n');
  return { text, causes: cited === '' ? [] : cited.split(' ').map(Number) };
}
