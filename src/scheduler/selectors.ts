import type { Fault } from '../api/checks/fault';
import type { Finding } from '../api/resource';
import { cel } from '../cel/cel';
import type { Selector } from '../cel/selector';
import { SelectorError } from '../cel/selector-error';
import { excerptOf } from '../excerpt';
import type * as Lint from '../lint/remarks-on';
import type { Remark } from '../lint/remark';
import type { Vocabulary } from '../lint/vocabulary';
import { Interner } from '../interner';

/** What clusters have switched on that change no feature gate: lists as attributes are alpha. */
const GATES = { listAttributes: false };

/** Where a selector is used. */
export type Use = Pick<Fault, 'resource' | 'path'>;

/** A selector, and what the known hardware tells of it. */
interface Known {
  readonly selector: Selector;
  readonly remarks: readonly Remark[];
}

/**
 * Compiles each distinct expression once and looks at it with what is known of the hardware; collects what is wrong,
 * and what works by luck, at every place that uses it. Expressions that say the same in other words share a meaning.
 */
export class Selectors {
  readonly faults: Fault[] = [];
  readonly warnings: Fault[] = [];
  readonly #known = new Map<string, Known | SelectorError>();
  readonly #meanings = new Interner<object>();

  /** @param vocabulary what the selectors can read. Without it only that they compile is asked. */
  constructor(private readonly vocabulary?: Vocabulary) {}

  /** How much is to tell so far. */
  get told(): number {
    return this.faults.length + this.warnings.length;
  }

  /** The compiled expression; nothing when it does not compile, which is then among the faults. */
  compile(expression: string, use: Use): Selector | undefined {
    const known = this.#known.get(expression) ?? this.#attempt(expression);
    this.#known.set(expression, known);
    if (known instanceof SelectorError) {
      this.faults.push({ ...use, ...rejected(known) });
      return undefined;
    }
    for (const remark of known.remarks) {
      const { code, severity, what, hint, start, end } = remark;
      const fault = { ...use, code, what, hint, excerpt: excerptOf(expression, start, end) };
      // What loads under the alias group goes on loading.
      const stops = severity === 'error' && use.resource.group === 'fleetwright.dev';
      (stops ? this.faults : this.warnings).push(fault);
    }
    return known.selector;
  }

  #attempt(expression: string): Known | SelectorError {
    try {
      const selector = cel().compileSelector(expression, GATES);
      const meaning = this.#meanings.intern(cel().normalForm(expression, GATES), () => ({}));
      const remarks = this.vocabulary ? lint().remarksOn(expression, this.vocabulary, GATES) : [];
      return { selector: { ...selector, meaning }, remarks };
    } catch (error) {
      if (error instanceof SelectorError) return error;
      throw error;
    }
  }
}

/** Loaded on first use, as all that needs the CEL library. */
function lint(): typeof Lint {
  return require('../lint/remarks-on') as typeof Lint;
}

function rejected({ message, line, column, hint }: SelectorError): Omit<Finding, 'path'> {
  const what = `${message} (at ${line}:${column} of the expression)`;
  return { code: 'bad-selector', what, ...(hint && { hint }) };
}
