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

/** The selector features of a cluster with default feature gates: lists as attributes are alpha, so off. */
const FEATURE_GATES = { listAttributes: false };

/** The resource and the field that use a selector. */
export type SelectorUse = Pick<Fault, 'resource' | 'path'>;

/** A selector with the remarks of the linter. */
interface KnownSelector {
  readonly selector: Selector;
  readonly remarks: readonly Remark[];
}

/**
 * Compiles and lints each distinct expression once, and collects its errors and warnings at every place that uses
 * it. Equivalent expressions share a meaning.
 */
export class SelectorCompiler {
  readonly faults: Fault[] = [];
  readonly warnings: Fault[] = [];
  readonly #known = new Map<string, KnownSelector | SelectorError>();
  readonly #meanings = new Interner<object>();

  /** @param vocabulary the names that selectors can read. Without it, expressions are compiled but not linted */
  constructor(private readonly vocabulary?: KnownAttributes) {}

  /** The number of diagnostics so far. */
  get reportedCount(): number {
    return this.faults.length + this.warnings.length;
  }

  /** The compiled expression. Nothing if it does not compile; the error is then among the faults. */
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
      // Manifests of the alias group must continue to load.
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

/** Loads the linter on first use, because it needs the CEL library. */
function loadSelectorLint(): typeof Lint {
  return require('../lint/lint-selector') as typeof Lint;
}

function describeSelectorError({ message, line, column, hint }: SelectorError): Omit<Finding, 'path'> {
  const what = `${message} (at ${line}:${column} of the expression)`;
  return { code: 'bad-selector', what, ...(hint && { hint }) };
}
