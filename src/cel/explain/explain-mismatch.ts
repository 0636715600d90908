import type { PreparedDevice } from '../device';
import { compileSelector, type Selector } from '../selector';
import type { AstNode } from '../syntax-tree';
import { BoundExpression } from './bound-expression';
import { explainCondition } from './mismatch-sentence';

/** Why a device does not match a selector. */
export interface Mismatch {
  /** The part of the selector that fails, as it is written. */
  readonly conjunct: string;

  /** Its offset in the selector. */
  readonly start: number;

  /** The offset behind it. */
  readonly end: number;

  /** How many parts before it hold. */
  readonly passed: number;

  /** The reason in the values of the device, as a clause: `memory 23034Mi is less than 40Gi`. */
  readonly sentence: string;
}

/**
 * Why a device does not match: the first operand of the outermost `&&` that is false or an error; nothing for a
 * device that matches.
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

/** The operands of the outermost `&&`, from left to right. */
export function conjunctsOf(node: AstNode): readonly AstNode[] {
  return node.op === '&&' ? node.args.flatMap(conjunctsOf) : [node];
}
