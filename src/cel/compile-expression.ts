import type { Environment, ParseResult } from 'cel-js';
import { Interner } from '../base/interning';
import { dependsOnOrder, evaluateLeftToRight, recordTypedKeys, runWithPanics } from './cel-go-compat/evaluation';
import { overrideOperators } from './cel-go-compat/operators';
import {
  reassociateRelations,
  type RespelledExpression,
  respellForLibrary,
  restoreNumbers,
} from './cel-go-compat/parsing';
import { redirectToOverrides } from './cel-go-compat/rename-overridden-calls';
import { inferOpenTypes } from './cel-go-compat/type-checking';
import { type PreparedDevice, withOriginalQuantities } from './device';
import { getRunEnvironment, getTypedEnvironment, type SelectorFeatures } from './environment';
import { toSelectorError } from './error-messages';
import { faultAt, throwFault } from './selector-error';
import { allNodesOf, type AstNode, callOf } from './syntax-tree';
import { type Token, tokenize } from './tokens';
import { validateStringFormats } from './validation/format-calls';
import { validateSyntax, validateText } from './validation/syntax';
import { validateCost, validateTypes } from './validation/types-and-cost';

export interface CompiledExpression {
  readonly tokens: readonly Token[];
  readonly root: AstNode;

  /** The type of the result, `dyn` if it is known only during evaluation. */
  readonly type: string;

  /** Evaluates the expression for a device. Throws if evaluation fails. */
  run(device: PreparedDevice): unknown;
}

const programs = new Interner<CompiledExpression>(2_000);

/** Compiles an expression of any type, and caches the result. Throws a {@link SelectorError}. */
export function compileExpression(expression: string, features: SelectorFeatures = {}): CompiledExpression {
  const { listAttributes = true, consumableCapacity = true } = features;
  const key = `${listAttributes} ${consumableCapacity} ${expression}`;
  try {
    return programs.intern(key, () => compile(expression, features));
  } catch (error) {
    // The library parses recursively.
    if (error instanceof RangeError) throwFault(expression, faultAt(0, 'the selector is nested too deep'));
    throw error;
  }
}

function compile(expression: string, features: SelectorFeatures): CompiledExpression {
  const tokens = tokenize(expression);
  validateText(expression, tokens);
  const { text, numbers } = respellForLibrary(expression, tokens);
  const source = { expression, tokens, numbers, text: redirectToOverrides(text, tokens) };
  const run = parse(source, getRunEnvironment());
  validateSyntax(expression, run.parsed.ast, features);
  const typed = parse(source, getTypedEnvironment(features));
  try {
    const type = checkWithLibrary(expression, typed.parsed);
    checkWithLibrary(expression, run.parsed);
    validateTypes(expression, typed.parsed.ast);
    validateStringFormats(expression, typed.parsed.ast, features);
    validateCost(expression, typed.parsed.ast);
    return { tokens, root: run.parsed.ast, type, run: createRunner(run.parsed) };
  } catch (error) {
    // A chain of relations that cel-go groups differently explains the type error better than the library.
    throwFault(expression, typed.misread);
    throw error;
  }
}

/** If the order of evaluation matters, each run starts from the quantities that the driver publishes. */
function createRunner(run: ParseResult): CompiledExpression['run'] {
  overrideOperators(run.ast);
  recordTypedKeys(run.ast);
  const evaluate = (device: PreparedDevice): unknown => run(device);
  const evaluateOrPanic = allNodesOf(run.ast).some((node) => callOf(node)?.name === 'sortBy')
    ? (device: PreparedDevice) => runWithPanics(() => evaluate(device))
    : evaluate;
  if (!dependsOnOrder(run.ast)) return evaluateOrPanic;
  evaluateLeftToRight(run.ast);
  return (device) => evaluateOrPanic(withOriginalQuantities(device));
}

function checkWithLibrary(expression: string, parsed: ParseResult): string {
  const checked = parsed.check();
  if (!checked.valid) throw toSelectorError(expression, checked.error);
  return checked.type ?? 'dyn';
}

interface Source {
  readonly expression: string;
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly numbers: RespelledExpression['numbers'];
}

/** Parses an expression into the tree of cel-go. `misread` is the fault to report if its types do not fit. */
function parse({ expression, tokens, text, numbers }: Source, environment: Environment) {
  try {
    const parsed = environment.parse(text);
    restoreNumbers(parsed.ast, numbers);
    const misread = reassociateRelations(parsed.ast, tokens);
    inferOpenTypes(parsed.ast);
    return { parsed, misread };
  } catch (error) {
    throw toSelectorError(expression, error);
  }
}
