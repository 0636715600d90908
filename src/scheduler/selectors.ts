import { cel } from '../cel/cel';
import type { Selector } from '../cel/selector';
import { SelectorError } from '../cel/selector-error';
import type { Problem } from '../errors';
import { Interner } from './interner';

/** What clusters have switched on that change no feature gate: lists as attributes are alpha. */
const GATES = { listAttributes: false };

/**
 * Compiles each distinct expression once, and collects what is wrong at every place that uses it. Expressions that
 * say the same in other words share a meaning.
 */
export class Selectors {
  readonly problems: Problem[] = [];
  readonly #known = new Map<string, Selector | SelectorError>();
  readonly #meanings = new Interner<object>();

  /** The compiled expression; nothing when it does not compile, which is then among the problems. */
  compile(expression: string, where: () => string): Selector | undefined {
    const known = this.#known.get(expression) ?? this.#attempt(expression);
    this.#known.set(expression, known);
    if (!(known instanceof SelectorError)) return known;
    const { message, line, column, hint } = known;
    const place = `at ${line}:${column} of the expression`;
    this.problems.push({
      code: 'bad-selector',
      where: where(),
      what: `${message} (${place})`,
      ...(hint && { hint }),
    });
    return undefined;
  }

  #attempt(expression: string): Selector | SelectorError {
    try {
      const selector = cel().compileSelector(expression, GATES);
      const meaning = this.#meanings.intern(cel().normalForm(expression), () => ({}));
      return { ...selector, meaning };
    } catch (error) {
      if (error instanceof SelectorError) return error;
      throw error;
    }
  }
}
