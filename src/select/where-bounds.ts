import type { FactType } from '../catalog/driver';
import { parseQuantity } from '../cel/quantity';
import { parseSemver } from '../cel/semver';
import { compareText } from '../order';
import type { Operator } from './comparison';

/** One comparison of a fact: `>= 79Gi`. */
export interface Bound {
  readonly operator: Operator;
  readonly value: string;
}

/** How values of each type compare. */
const ORDERS: Readonly<Record<FactType, (a: string, b: string) => number>> = {
  string: compareText,
  bool: compareText,
  int: (a, b) => Number(BigInt(a) - BigInt(b)),
  version: (a, b) => parseSemver(a).compare(parseSemver(b)),
  quantity: (a, b) => parseQuantity(a).compare(parseQuantity(b)),
};

const HOLDS: Readonly<Record<Operator, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Whether a value is within a bound. */
export function meets(type: FactType, value: string, { operator, value: bound }: Bound): boolean {
  return HOLDS[operator](ORDERS[type](value, bound));
}

/** Two bounds that no value meets at once, if there are such; nothing where a value may exist. */
export function clash(type: FactType, bounds: readonly Bound[]): readonly [Bound, Bound] | undefined {
  for (const [index, first] of bounds.entries()) {
    const second = bounds.slice(index + 1).find((other) => excludes(type, first, other));
    if (second) return [first, second];
  }
  return undefined;
}

function excludes(type: FactType, a: Bound, b: Bound): boolean {
  if (a.operator === '==') return !meets(type, a.value, b);
  if (b.operator === '==') return !meets(type, b.value, a);
  const [low, high] = isLower(a) ? [a, b] : [b, a];
  if (!isLower(low) || !isUpper(high)) return false;
  const order = ORDERS[type](low.value, high.value);
  return order > 0 || (order === 0 && !(low.operator === '>=' && high.operator === '<='));
}

function isLower({ operator }: Bound): boolean {
  return operator === '>' || operator === '>=';
}

function isUpper({ operator }: Bound): boolean {
  return operator === '<' || operator === '<=';
}
