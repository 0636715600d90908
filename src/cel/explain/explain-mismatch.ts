import type { PreparedDevice } from '../device';
import { compileSelector, type Selector } from '../selector';
import type { AstNode } from '../syntax-tree';
import { BoundExpression } from './expression-on-device';
import { explainCondition } from './mismatch-sentence';

/** The reason why a device does not match a selector. */
export interface Mismatch {
  /** The source of the part that fails. */
  readonly conjunct: string;

  /** The offset of the part in the selector. */
  readonly start: number;

  /** The offset after the part. */
  readonly end: number;

  /** The number of parts before it that hold. */
  readonly passed: number;

  /** The reason with the values of the device, as a clause: `memory 23034Mi is less than 40Gi`. */
  readonly sentence: string;
}

/**
 * Explains why a device does not match, by the first operand of the outermost `&&` that is false or an error. Returns
 * `undefined` if the device matches.
 *
 * @example
 * explainMismatch(selector, l4)?.sentence; // 'architecture is "Ada Lovelace", not "Hopper"'
 */
export function explainMismatch(selector: Selector, device: PreparedDevice): Mismatch | undefined {
  const reading = new BoundExpression(selector.expression, device);
  const failing = findFailingConjunct(reading);
  if (!failing) return undefined;
  const { node, outcome, passed } = failing;
  const { start, end } = reading.span(node);
  const conjunct = selector.expression.slice(start, end);
  return { conjunct, start, end, passed, sentence: explainCondition(node, outcome, reading) };
}

/** Finds the first operand of the outermost `&&` that is false or an error. `passed` operands before it are true. */
export function findFailingConjunct(reading: BoundExpression) {
  for (const [passed, node] of conjunctsOf(reading.root).entries()) {
    const { start, end } = reading.span(node);
    const outcome = compileSelector(reading.expression.slice(start, end)).match(reading.device);
    if (outcome.kind !== 'match') return { node, outcome, passed };
  }
  return undefined;
}

function conjunctsOf(node: AstNode): readonly AstNode[] {
  return node.op === '&&' ? node.args.flatMap(conjunctsOf) : [node];
}
