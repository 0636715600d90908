import type { Finding } from '../../api/resource';
import { excerptOf } from '../../base/excerpt';
import { Interner } from '../../base/interning';
import { cel } from '../../cel/lazy';
import type { Selector } from '../../cel/selector';
import { SelectorError } from '../../cel/selector-error';
import type { Fault } from '../../fleet/checks/fleet-check';
import type { KnownAttributes } from '../lint/known-attributes';
import type * as Lint from '../lint/lint-selector';
import type { Remark } from '../lint/selector-context';

/** What clusters have switched on that change no feature gate: lists as attributes are alpha. */
const FEATURE_GATES = { listAttributes: false };

/** Where a selector is used. */
export type SelectorUse = Pick<Fault, 'resource' | 'path'>;

/** A selector, and what the known hardware tells of it. */
interface KnownSelector {
  readonly selector: Selector;
  readonly remarks: readonly Remark[];
}

/**
 * Compiles each distinct expression once and looks at it with what is known of the hardware; collects what is wrong,
 * and what works by luck, at every place that uses it. Expressions that say the same in other words share a meaning.
 */
export class SelectorCompiler {
  readonly faults: Fault[] = [];
  readonly warnings: Fault[] = [];
  readonly #known = new Map<string, KnownSelector | SelectorError>();
  readonly #meanings = new Interner<object>();

  /** @param vocabulary what the selectors can read. Without it only that they compile is asked. */
  constructor(private readonly vocabulary?: KnownAttributes) {}

  /** How much is to tell so far. */
  get reportedCount(): number {
    return this.faults.length + this.warnings.length;
  }

  /** The compiled expression; nothing when it does not compile, which is then among the faults. */
  compile(expression: string, use: SelectorUse): Selector | undefined {
    const known = this.#known.get(expression) ?? this.#attempt(expression);
    this.#known.set(expression, known);
    if (known instanceof SelectorError) {
      this.faults.push({ ...use, ...describeSelectorError(known) });
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

  #attempt(expression: string): KnownSelector | SelectorError {
    try {
      const selector = cel().compileSelector(expression, FEATURE_GATES);
      const meaning = this.#meanings.intern(cel().toNormalForm(expression, FEATURE_GATES), () => ({}));
      const remarks = this.vocabulary
        ? loadSelectorLint().lintSelector(expression, this.vocabulary, FEATURE_GATES)
        : [];
      return { selector: { ...selector, meaning }, remarks };
    } catch (error) {
      if (error instanceof SelectorError) return error;
      throw error;
    }
  }
}

/** Loaded on first use, as all that needs the CEL library. */
function loadSelectorLint(): typeof Lint {
  return require('../lint/lint-selector') as typeof Lint;
}

function describeSelectorError({ message, line, column, hint }: SelectorError): Omit<Finding, 'path'> {
  const what = `${message} (at ${line}:${column} of the expression)`;
  return { code: 'bad-selector', what, ...(hint && { hint }) };
}
