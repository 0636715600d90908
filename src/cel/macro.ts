import { EvaluationError, ParseError } from 'cel-js';
import type { Node } from './syntax';

/** A type of the CEL library. */
export interface Type {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: Type;
  readonly valueType?: Type;

  /** Whether only evaluation tells the type, or a part of it. */
  readonly hasDynType: boolean;
  isDynOrBool(): boolean;

  /** Whether a value of another type may stand where one of this type does. */
  matches(other: Type): boolean;

  /** The type of both, if there is one. */
  unify(registry: unknown, other: Type): Type | null;
}

/** The values of the variables in sight of an expression that runs. */
export interface Values {
  getCheckedValue(evaluator: Evaluator, node: Node): unknown;
  getValue(name: string): unknown;
}

/** The variables in sight of an expression: their types while it is checked, their values while it runs. */
export interface Scope extends Values {
  forkWithVariable(name: string, type: Type): Scope;
  reuse(parent: Values): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
}

export interface Checker {
  readonly registry: unknown;
  check(node: Node, scope: Scope): Type;
  getType(name: string): Type;
  createError(code: string, message: string, node: Node): Error;
}

export interface Evaluator {
  run(node: Node, values: Values): unknown;
}

/** Where a macro stands. */
export interface Site {
  readonly ast: Node;
  readonly receiver: Node | null;
  readonly args: readonly Node[];
}

/**
 * A macro of the CEL library at one place: it types and runs its arguments itself, in scopes that it makes.
 * The library always checks it before it first runs it.
 */
export interface Macro {
  readonly async: false;
  typeCheck(checker: Checker, macro: Macro, scope: Scope): Type;
  evaluate(evaluator: Evaluator, macro: Macro, values: Values): unknown;
}

/** The name that an argument declares. Throws where it is anything but a plain name. */
export function declaredName(node: Node): string {
  if (node.op === 'id') return node.args;
  throw new ParseError({
    code: 'invalid_macro_argument',
    message: 'the argument must be a simple name',
    node,
  });
}

/** An error while an expression runs. */
export function failure(message: string, node: Node): EvaluationError {
  return new EvaluationError({ message, node });
}
