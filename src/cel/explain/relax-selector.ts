import { MUST_EQUAL, relationOf } from '../attribute-comparison';
import type { PreparedDevice } from '../device';
import { compileSelector, type Selector } from '../selector';
import { parseQuantity } from '../values/quantity';
import { type AstNode, callOf, stringLiteralOf } from '../syntax-tree';
import { findFailingConjunct } from './explain-mismatch';
import { BoundExpression, formatCelValue } from './expression-on-device';

export interface RelaxedSelector {
  readonly compiled: Selector;
  /** The original bound. */
  readonly from: string;
  /** What replaces it: the value of the device, or the whole Gi below it where a device with these matches too. */
  readonly to: string;
  /** What the device lacks of the original bound, as a share of the larger of both: from 0 to 1. */
  readonly gap: number;
}

/**
 * Finds the smallest change of one quantity or version in a selector that makes a device match. Returns `undefined` if
 * no such change helps. The function verifies the result with the device.
 *
 * @example
 * relaxSelector(atLeast40Gi, l4)?.to; // '22Gi'
 */
export function relaxSelector(selector: Selector, device: PreparedDevice): RelaxedSelector | undefined {
  const reading = new BoundExpression(selector.expression, device);
  const failing = findFailingConjunct(reading);
  const bounds = failing ? replaceBound(failing.node, reading) : [];
  return bounds.find(({ compiled }) => compiled.match(device).kind === 'match');
}

/** The functions that make a bound of a literal, each with the size of such a literal. */
const BOUNDS: ReadonlyMap<string, (literal: string) => number> = new Map([
  ['quantity', (literal) => parseQuantity(literal).asApproximateFloat()],
  ['semver', sizeOfVersion],
]);

/** A version as a number, in which each part is smaller than any step of the part before it. */
function sizeOfVersion(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/, 3).map(Number);
  return major + minor / 1e3 + patch / 1e6;
}

/** The selectors with another bound, the one that is easier to read first. */
function replaceBound(node: AstNode, reading: BoundExpression): RelaxedSelector[] {
  const relation = relationOf(node, true);
  if (!relation || relation.orders === MUST_EQUAL) return [];
  const call = callOf(relation.other);
  const [literal] = call?.args ?? [];
  const from = stringLiteralOf(literal);
  const sizeOf = call && BOUNDS.get(call.name);
  if (!literal || !sizeOf || from === undefined) return [];
  const value = formatCelValue(reading.value(relation.subject));
  if (value === undefined) return [];
  const { start, end } = reading.span(literal);
  const { expression } = reading;
  const gap = gapBetween(sizeOf(from), sizeOf(value));
  return [...wholeGiBelow(value), value].map((to) => {
    const compiled = compileSelector(expression.slice(0, start) + JSON.stringify(to) + expression.slice(end));
    return { compiled, from, to, gap };
  });
}

/** `22Gi` of `23034Mi`. Nothing of other values. */
function wholeGiBelow(value: string): string[] {
  const [, mebibytes] = /^(\d+)Mi$/.exec(value) ?? [];
  const whole = Math.floor(Number(mebibytes) / 1024);
  return whole > 0 ? [`${whole}Gi`] : [];
}

function gapBetween(from: number, to: number): number {
  const largest = Math.max(Math.abs(from), Math.abs(to));
  return largest === 0 ? 0 : Math.min(1, Math.abs(from - to) / largest);
}
