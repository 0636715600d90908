import { EvaluationError, ParseError } from 'cel-js';
import type { AstNode } from './syntax-tree';

export interface CelType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: CelType;
  readonly valueType?: CelType;

  /** Whether the type, or a part of it, is known only during evaluation. */
  readonly hasDynType: boolean;
  isDynOrBool(): boolean;

  /** Whether a value of another type can replace a value of this type. */
  matches(other: CelType): boolean;

  /** Returns the type that both types share, or `null` if they share none. */
  unify(registry: unknown, other: CelType): CelType | null;
}

/** The values of the variables that are visible to an expression during evaluation. */
export interface VariableValues {
  getCheckedValue(evaluator: Evaluator, node: AstNode): unknown;
  getValue(name: string): unknown;
}

/** The variables that are visible to an expression: their types during checking, their values during evaluation. */
export interface VariableScope extends VariableValues {
  forkWithVariable(name: string, type: CelType): VariableScope;
  reuse(parent: VariableValues): VariableScope;
  setIterValue(value: unknown, evaluator: Evaluator): VariableScope;
}

/** The part of the type checker of the CEL library that macros use. */
export interface TypeChecker {
  readonly registry: unknown;
  check(node: AstNode, scope: VariableScope): CelType;
  getType(name: string): CelType;
  createError(code: string, message: string, node: AstNode): Error;
}

export interface Evaluator {
  run(node: AstNode, values: VariableValues): unknown;
}

/** The syntax tree around a call of a macro. */
export interface MacroCall {
  readonly ast: AstNode;
  readonly receiver: AstNode | null;
  readonly args: readonly AstNode[];
}

/**
 * A macro of the CEL library, expanded for one call. It checks and evaluates its arguments in scopes that it creates.
 * The library calls `typeCheck` before the first `evaluate`.
 */
export interface CelMacro {
  readonly async: false;
  typeCheck(checker: TypeChecker, macro: CelMacro, scope: VariableScope): CelType;
  evaluate(evaluator: Evaluator, macro: CelMacro, values: VariableValues): unknown;
}

export type ExpandMacro = (call: MacroCall) => CelMacro;

export type Macros = Readonly<Record<string, ExpandMacro>>;

/** Returns the name of the variable that an argument declares. Throws if the argument is not a simple name. */
export function declaredNameOf(node: AstNode): string {
  if (node.op === 'id') return node.args;
  throw new ParseError({ code: 'invalid_macro_argument', message: 'the argument must be a simple name', node });
}

export function createEvaluationError(message: string, node: AstNode): EvaluationError {
  return new EvaluationError({ message, node });
}

/**
 * The internal state of the CEL library in a node of a checked tree. The library documents only `op` and `args`. This
 * module therefore covers only what functions, operators and macros cannot do, and the package version is pinned.
 */
export interface CheckedNode {
  /** Evaluates an operator on its two operands. */
  handle?: OperatorHandler;

  /** The operands of a method: its receiver, then its arguments. Macros have none. */
  readonly receiverWithArgs?: readonly AstNode[];

  readonly checkedType?: CelType;

  /** The functions that have the name and the number of arguments of a call, and the types of its arguments. */
  readonly candidates?: FunctionCandidates;
  readonly argTypes?: readonly CelType[];
  readonly meta: { readonly check: NodeCheck; readonly macro?: unknown };

  /** Replaces the check or the evaluation of the node. */
  setMeta(key: 'check', check: NodeCheck): void;
  setMeta(key: 'evaluate', evaluate: (evaluator: Evaluator, node: AstNode, values: VariableValues) => unknown): void;
}

interface FunctionCandidates extends Iterable<FunctionDeclaration> {
  findFunction(types: readonly CelType[], receiver: CelType): unknown;
}

export interface FunctionDeclaration {
  readonly receiverType: CelType | null;
  readonly argTypes: readonly CelType[];
  readonly returnType: CelType;
}

export type NodeCheck = (checker: TypeRegistry, node: AstNode, scope: VariableScope) => CelType;

export type TypeRegistry = Pick<TypeChecker, 'getType'>;

export type OperatorHandler = (left: unknown, right: unknown, node: AstNode, evaluator: Evaluator) => unknown;

export function asCheckedNode(node: AstNode): CheckedNode {
  return node as unknown as CheckedNode;
}

export function celTypeOf(node: AstNode): CelType | undefined {
  return asCheckedNode(node).checkedType;
}

/** Whether the type of a part is known only when it is evaluated. */
export function isDynamic(node: AstNode): boolean {
  const kind = celTypeOf(node)?.kind;
  return kind === undefined || kind === 'dyn';
}
