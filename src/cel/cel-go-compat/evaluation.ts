import { asCheckedNode, type Evaluator, type VariableValues } from '../cel-js-internals';
import { allNodesOf, type AstNode, callOf } from '../syntax-tree';
import { entriesOf, numberOf } from '../values/kinds';

/** Functions of quantities whose results tell what happened to a quantity before. */
const ORDER_DEPENDENT = new Set(['add', 'sub', 'isInteger', 'asInteger', 'asApproximateFloat']);

/**
 * Whether an expression can tell in which order its parts run, and what earlier runs did to the quantities of a
 * device: Kubernetes' arithmetic changes its operands.
 */
export function dependsOnOrder(root: AstNode): boolean {
  return allNodesOf(root).some((node) => ORDER_DEPENDENT.has(callOf(node)?.name ?? ''));
}

/** Makes the operands of calls and lists run from left to right, as in cel-go. The library begins with the last. */
export function evaluateLeftToRight(root: AstNode): void {
  for (const node of allNodesOf(root)) {
    const checked = asCheckedNode(node);
    if (node.op === 'list' && node.args.length > 1) checked.setMeta('evaluate', evaluateList);
    if (node.op === 'call' && checked.handle) checked.setMeta('evaluate', evaluateCall);
    if (node.op === 'rcall' && checked.receiverWithArgs) checked.setMeta('evaluate', evaluateMethod);
  }
}

function evaluateList(evaluator: Evaluator, node: AstNode, values: VariableValues): unknown {
  return evaluateAll(node.args as readonly AstNode[], evaluator, values);
}

function evaluateCall(evaluator: Evaluator, node: AstNode, values: VariableValues): unknown {
  const operands = evaluateAll((node.args as readonly [string, readonly AstNode[]])[1], evaluator, values);
  const handle = asCheckedNode(node).handle as unknown as (...all: unknown[]) => unknown;
  return handle(operands, node, evaluator);
}

function evaluateMethod(evaluator: Evaluator, node: AstNode, values: VariableValues): unknown {
  const { handle, receiverWithArgs = [] } = asCheckedNode(node);
  const operands = evaluateAll(receiverWithArgs, evaluator, values);
  return (handle as unknown as (...all: unknown[]) => unknown)(operands, evaluator, node);
}

function evaluateAll(nodes: readonly AstNode[], evaluator: Evaluator, values: VariableValues): unknown[] {
  return nodes.map((node) => evaluator.run(node, values));
}

/** The entries of maps that are written down with other keys than texts: the library has only the texts of them. */
const TYPED_ENTRIES = new WeakMap<object, ReadonlyMap<unknown, unknown>>();

/** What tells keys by their types. */
const KEY_TYPE_DEPENDENT = new Set(['format', 'transformMapEntry']);

/** The entries of a map with the keys that it was written with; nothing for any other value. */
export function typedEntriesOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  const written = typeof value === 'object' && value !== null ? TYPED_ENTRIES.get(value) : undefined;
  return written ? [...written] : entriesOf(value);
}

/** Makes the maps of a checked tree be written with their keys, where it has a call that tells them. */
export function recordTypedKeys(root: AstNode): void {
  const nodes = allNodesOf(root);
  if (!nodes.some((node) => KEY_TYPE_DEPENDENT.has(callOf(node)?.name ?? ''))) return;
  for (const node of nodes) {
    if (node.op === 'map' && asCheckedNode(node).checkedType?.keyType?.name !== 'string')
      asCheckedNode(node).setMeta('evaluate', evaluateMap);
  }
}

function evaluateMap(evaluator: Evaluator, node: AstNode, values: VariableValues): unknown {
  if (node.op !== 'map') throw new Error('bug: no map');
  const entries = node.args.map(
    ([key, value]) => [evaluator.run(key, values), evaluator.run(value, values)] as const,
  );
  const made = Object.fromEntries(entries.map(([key, value]) => [String(numberOf(key) ?? key), value]));
  TYPED_ENTRIES.set(made, new Map(entries));
  return made;
}

/** What ended the evaluation that runs; nothing while nothing did. Evaluations do not overlap. */
let panic: { readonly error: unknown } | undefined;

/**
 * Does something whose error ends the whole evaluation: Kubernetes' `sortBy` panics, where its keys are of a known
 * type, and `||` does not pass over that.
 */
export function panicOnError<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    panic ??= { error };
    throw error;
  }
}

/** Runs an evaluation, and throws what ended it, whatever it came to. */
export function runWithPanics<T>(run: () => T): T {
  panic = undefined;
  const result = run();
  const ended = panic as { readonly error: unknown } | undefined;
  if (ended) throw ended.error;
  return result;
}
