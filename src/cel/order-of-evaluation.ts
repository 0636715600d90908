import { checkedNode } from './checked-node';
import type { Evaluator, Values } from './macro';
import { callOf, type Node, nodesOf } from './syntax';

/** Functions of quantities whose results tell what happened to a quantity before. */
const TELLING = new Set(['add', 'sub', 'isInteger', 'asInteger', 'asApproximateFloat']);

/**
 * Whether an expression can tell in which order its parts run, and what earlier runs did to the quantities of a
 * device: Kubernetes' arithmetic changes its operands.
 */
export function tellsOrder(root: Node): boolean {
  return nodesOf(root).some((node) => TELLING.has(callOf(node)?.name ?? ''));
}

/** Makes the operands of calls and lists run from left to right, as in cel-go. The library begins with the last. */
export function runLeftToRight(root: Node): void {
  for (const node of nodesOf(root)) {
    const checked = checkedNode(node);
    if (node.op === 'list' && node.args.length > 1) checked.setMeta('evaluate', list);
    if (node.op === 'call' && checked.handle) checked.setMeta('evaluate', call);
    if (node.op === 'rcall' && checked.receiverWithArgs) checked.setMeta('evaluate', method);
  }
}

function list(evaluator: Evaluator, node: Node, values: Values): unknown {
  return results(node.args as readonly Node[], evaluator, values);
}

function call(evaluator: Evaluator, node: Node, values: Values): unknown {
  const operands = results((node.args as readonly [string, readonly Node[]])[1], evaluator, values);
  const handle = checkedNode(node).handle as unknown as (...all: unknown[]) => unknown;
  return handle(operands, node, evaluator);
}

function method(evaluator: Evaluator, node: Node, values: Values): unknown {
  const { handle, receiverWithArgs = [] } = checkedNode(node);
  const operands = results(receiverWithArgs, evaluator, values);
  return (handle as unknown as (...all: unknown[]) => unknown)(operands, evaluator, node);
}

function results(nodes: readonly Node[], evaluator: Evaluator, values: Values): unknown[] {
  return nodes.map((node) => evaluator.run(node, values));
}
