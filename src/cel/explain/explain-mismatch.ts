import type { PreparedDevice } from '../device';
import { compileSelector, type Selector } from '../selector';
import type { AstNode } from '../syntax-tree';
import { BoundExpression } from './bound-expression';
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
  for (const [passed, node] of conjunctsOf(reading.root).entries()) {
    const { start, end } = reading.span(node);
    const conjunct = selector.expression.slice(start, end);
    const outcome = compileSelector(conjunct).match(device);
    if (outcome.kind === 'match') continue;
    return { conjunct, start, end, passed, sentence: explainCondition(node, outcome, reading) };
  }
  return undefined;
}

/** Returns the operands of the outermost `&&`, from left to right. */
export function conjunctsOf(node: AstNode): readonly AstNode[] {
  return node.op === '&&' ? node.args.flatMap(conjunctsOf) : [node];
}
