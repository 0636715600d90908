import { asCheckedNode, celTypeOf, type Evaluator, type VariableValues } from '../cel-js-internals';
import { allNodesOf, type AstNode, callOf } from '../syntax-tree';
import { entriesOf, numberOf } from '../values/kinds';

/** Functions of quantities whose results depend on earlier calls with the same quantity. */
const ORDER_DEPENDENT = new Set(['add', 'sub', 'isInteger', 'asInteger', 'asApproximateFloat']);

/**
 * Reports whether the result of an expression depends on the order of evaluation, or on earlier evaluations with the
 * same device: arithmetic in Kubernetes changes its operands.
 */
export function dependsOnOrder(root: AstNode): boolean {
  return allNodesOf(root).some((node) => ORDER_DEPENDENT.has(callOf(node)?.name ?? ''));
}

/** Makes operands of calls and lists run from left to right, as in cel-go. The library starts with the last. */
export function evaluateLeftToRight(root: AstNode): void {
  for (const node of allNodesOf(root)) {
    const checked = asCheckedNode(node);
    const handle = checked.handle as unknown as ((...all: unknown[]) => unknown) | undefined;
    if (node.op === 'list' && node.args.length > 1) evaluateInOrder(node, node.args, (items) => items);
    if (node.op === 'call' && handle) {
      evaluateInOrder(node, node.args[1], (operands, evaluator) => handle(operands, node, evaluator));
    }
    if (node.op === 'rcall' && handle && checked.receiverWithArgs) {
      evaluateInOrder(node, checked.receiverWithArgs, (operands, evaluator) => handle(operands, evaluator, node));
    }
  }
}

function evaluateInOrder(
  node: AstNode,
  operands: readonly AstNode[],
  finish: (values: readonly unknown[], evaluator: Evaluator) => unknown,
): void {
  asCheckedNode(node).setMeta('evaluate', (evaluator, _, variables) =>
    finish(
      operands.map((operand) => evaluator.run(operand, variables)),
      evaluator,
    ),
  );
}

/** The entries of map literals with keys that are not strings. The library keeps only the text of such keys. */
const TYPED_ENTRIES = new WeakMap<object, ReadonlyMap<unknown, unknown>>();

/** Functions whose results depend on the types of map keys. */
const KEY_TYPE_DEPENDENT = new Set(['format', 'transformMapEntry']);

/** Returns the entries of a map with its original keys. Returns `undefined` if the value is not a map. */
export function typedEntriesOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  const written = typeof value === 'object' && value !== null ? TYPED_ENTRIES.get(value) : undefined;
  return written ? [...written] : entriesOf(value);
}

/** Makes map literals of a checked tree keep the types of their keys, if a call depends on these types. */
export function recordTypedKeys(root: AstNode): void {
  const nodes = allNodesOf(root);
  if (!nodes.some((node) => KEY_TYPE_DEPENDENT.has(callOf(node)?.name ?? ''))) return;
  for (const node of nodes) {
    if (node.op === 'map' && celTypeOf(node)?.keyType?.name !== 'string')
      asCheckedNode(node).setMeta('evaluate', evaluateMap);
  }
}

function evaluateMap(evaluator: Evaluator, node: AstNode, values: VariableValues): unknown {
  if (node.op !== 'map') throw new Error('bug: no map');
  const entries = node.args.map(([key, value]) => [evaluator.run(key, values), evaluator.run(value, values)] as const);
  const made = Object.fromEntries(entries.map(([key, value]) => [String(numberOf(key) ?? key), value]));
  TYPED_ENTRIES.set(made, new Map(entries));
  return made;
}

/** The error that aborted the current evaluation, if any. Evaluations do not overlap. */
let panic: { readonly error: unknown } | undefined;

/**
 * Runs a function whose error aborts the whole evaluation: in Kubernetes, `sortBy` panics if its keys have a known
 * type, and `||` does not recover from a panic.
 */
export function panicOnError<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    panic ??= { error };
    throw error;
  }
}

/** Runs an evaluation. Throws the error that aborted it, regardless of the result. */
export function runWithPanics<T>(run: () => T): T {
  panic = undefined;
  const result = run();
  const ended = panic as { readonly error: unknown } | undefined;
  if (ended) throw ended.error;
  return result;
}
