import type { ResourcePath } from '../../api/kinds';
import type { Path } from '../../api/resource';
import { findWrittenPart, type RequestSelector } from '../../api/select/selector-source';
import { asWarning, type Diagnostic, errorAt, relocate, type Span } from '../../base/diagnostic';
import { Interner } from '../../base/interning';
import { cel } from '../../cel/lazy';
import type { Selector } from '../../cel/selector';
import { SelectorError } from '../../cel/selector-error';
import type { KnownAttributes } from '../lint/known-attributes';
import type * as Lint from '../lint/lint-selector';

/** The selector features of a cluster with default feature gates: lists as attributes are alpha, so off. */
const FEATURE_GATES = { listAttributes: false };

interface KnownSelector {
  readonly selector: Selector;
  readonly remarks: readonly Diagnostic<Span>[];
}

/**
 * Compiles and lints each distinct expression once, and collects its errors and warnings at every place that uses
 * it. Equivalent expressions share a meaning.
 */
export class SelectorCompiler {
  readonly faults: Diagnostic<ResourcePath>[] = [];
  readonly warnings: Diagnostic<ResourcePath>[] = [];
  readonly #known = new Map<string, KnownSelector | SelectorError>();
  readonly #meanings = new Interner<object>();

  /** @param vocabulary the names that selectors can read. Without it, expressions are compiled but not linted */
  constructor(private readonly vocabulary?: KnownAttributes) {}

  get reportedCount(): number {
    return this.faults.length + this.warnings.length;
  }

  /**
   * The compiled selector. Nothing if it does not compile; the error is then among the faults.
   *
   * @param request the path of the request or alternative with the selector
   */
  compile(written: RequestSelector, request: ResourcePath): Selector | undefined {
    const { cel: expression } = written;
    const { resource } = request;
    const at = (path: Path): ResourcePath => ({ resource, path: [...request.path, ...path] });
    const known = this.#known.get(expression) ?? this.#attempt(expression);
    this.#known.set(expression, known);
    if (known instanceof SelectorError) {
      const { message, line, column, hint = 'Correct the expression at that position' } = known;
      this.faults.push(
        errorAt('bad-selector', at(written.path), `${message} (at ${line}:${column} of the expression)`, hint),
      );
      return undefined;
    }
    for (const remark of known.remarks) {
      const { path, excerpt } = findWrittenPart(written, remark.at);
      const found = { ...relocate(remark, () => at(path)), excerpt };
      // Manifests of the alias group must continue to load.
      const stops = found.severity === 'error' && resource.group === 'fleetwright.dev';
      if (stops) this.faults.push(found);
      else this.warnings.push(asWarning(found));
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
