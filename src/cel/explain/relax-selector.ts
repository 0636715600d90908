import { MUST_EQUAL, relationOf } from '../attribute-comparison';
import type { PreparedDevice } from '../device';
import { compileSelector, type Selector } from '../selector';
import { type AstNode, callOf, stringLiteralOf } from '../syntax-tree';
import { findFailingConjunct } from './explain-mismatch';
import { BoundExpression, formatCelValue } from './expression-on-device';

interface RelaxedSelector {
  readonly compiled: Selector;
  /** The original bound, and the value of the device that replaces it. */
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the smallest change of one quantity or version in a selector that makes a device match. Returns `undefined` if
 * no such change helps. The function verifies the result with the device.
 *
 * @example
 * relaxSelector(atLeast40Gi, l4)?.to; // '23034Mi'
 */
export function relaxSelector(selector: Selector, device: PreparedDevice): RelaxedSelector | undefined {
  const reading = new BoundExpression(selector.expression, device);
  const failing = findFailingConjunct(reading);
  const relaxed = failing && replaceBound(failing.node, reading);
  return relaxed?.compiled.match(device).kind === 'match' ? relaxed : undefined;
}

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
