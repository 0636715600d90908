import { MUST_EQUAL, relationOf } from '../attribute-comparison';
import type { PreparedDevice } from '../device';
import { compileSelector, type Selector } from '../selector';
import { type AstNode, callOf, stringLiteralOf } from '../syntax-tree';
import { BoundExpression, formatCelValue } from './bound-expression';
import { conjunctsOf } from './explain-mismatch';

/** A selector with one bound lowered, or raised, to what a device publishes. */
export interface RelaxedSelector {
  readonly compiled: Selector;
  /** The bound as it is written, and the value of the device that takes its place. */
  readonly from: string;
  readonly to: string;
}

/**
 * The smallest change of one quantity or version in a selector with which a device matches it; nothing where no
 * such change helps. The result is tried, not guessed.
 *
 * @example
 * relax(atLeast40Gi, l4)?.to; // '23034Mi'
 */
export function relaxSelector(selector: Selector, device: PreparedDevice): RelaxedSelector | undefined {
  const reading = new BoundExpression(selector.expression, device);
  const failing = conjunctsOf(reading.root).find((node) => {
    const { start, end } = reading.span(node);
    return compileSelector(selector.expression.slice(start, end)).match(device).kind !== 'match';
  });
  const relaxed = failing && replaceBound(failing, reading);
  return relaxed?.compiled.match(device).kind === 'match' ? relaxed : undefined;
}

/** Functions whose one literal argument is a bound that can be written anew. */
const BOUNDS: ReadonlySet<string> = new Set(['quantity', 'semver']);

function replaceBound(node: AstNode, reading: BoundExpression): RelaxedSelector | undefined {
  const relation = relationOf(node, true);
  if (!relation || relation.orders === MUST_EQUAL) return undefined;
  const call = callOf(relation.other);
  const [literal] = call?.args ?? [];
  const from = stringLiteralOf(literal);
  if (!call || !literal || !BOUNDS.has(call.name) || from === undefined) return undefined;
  const to = formatCelValue(reading.value(relation.subject));
  if (to === undefined) return undefined;
  const { start, end } = reading.span(literal);
  const { expression } = reading;
  const compiled = compileSelector(expression.slice(0, start) + JSON.stringify(to) + expression.slice(end));
  return { compiled, from, to };
}
