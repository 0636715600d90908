import { celTypeOf } from '../cel-js-internals';
import { type AstNode, childrenOf } from '../syntax-tree';
import {
  addSizes,
  countSteps,
  type Estimate,
  estimatedSizeOf,
  multiplyFactors,
  multiplySizes,
  type Size,
  toExactSize,
  UNKNOWN_SIZE,
} from './sizes';

/** An operand of a call. */
export interface CostOperand {
  readonly size: Size;

  /** The type and size of the elements of a list, or of the keys of a map. The type is empty if it is open. */
  readonly element?: { readonly type: string; readonly size: Size };

  /** The value of an integer literal. */
  readonly literal?: bigint;

  /** Whether its type is known only during evaluation. */
  readonly dynamic?: boolean;

  /** The name of its type, `dyn` if it is known only during evaluation. */
  readonly type?: string;
}

/** The steps of a call without its operands, and the size of the result if the type does not determine it. */
interface CallCost {
  readonly steps: number;
  readonly size?: Size;
}

type CostRule = (target: CostOperand | undefined, args: readonly CostOperand[]) => CallCost | undefined;

/** Steps per character of a text, per character of a pattern, and per new list. */
const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const NEW_LIST = 10;

/** The maximum size of an address in bytes, and the maximum pattern of a named format in characters. */
const MAX_ADDRESS = 16;
const MAX_PATTERN = 128;
const ONE: CallCost = { steps: 1 };
const NOTHING: CostOperand = { size: UNKNOWN_SIZE };

/** Cost rules of the Kubernetes estimate, by function name. All other functions take one step. */
const RULES: Readonly<Record<string, CostRule>> = {
  isSorted: costOfTraversal,
  sum: costOfTraversal,
  max: costOfTraversal,
  min: costOfTraversal,
  indexOf: costOfTraversal,
  lastIndexOf: costOfTraversal,
  lowerAscii: costOfCopy,
  upperAscii: costOfCopy,
  substring: costOfCopy,
  trim: costOfCopy,
  replace: (target, [old = NOTHING, replacement = NOTHING]) =>
    target && {
      steps: countSteps(target.size.max, 2 * PER_CHARACTER),
      size: sizeAfterReplace(target.size, old.size, replacement.size),
    },
  split: (target, [, limit]) => {
    if (!target) return undefined;
    const max = limit?.literal === undefined ? target.size.max : toUnsigned(limit.literal);
    return { steps: countSteps(target.size.max, 2 * PER_CHARACTER), size: { min: 0, max } };
  },
  join: (target, [separator]) => {
    if (!target) return undefined;
    const { size, element } = target;
    const between = { min: Math.max(0, size.min - 1), max: Math.max(0, size.max - 1) };
    const parts = element ? multiplySizes(size, element.size) : toExactSize(0);
    const joined = separator ? addSizes(parts, multiplySizes(separator.size, between)) : parts;
    return { steps: countSteps(joined.max, PER_CHARACTER), size: joined };
  },
  // A value that may be bytes can become text of the same size.
  string: (_, [value = NOTHING]) =>
    value.dynamic ? { steps: Math.max(1, countSteps(value.size.max, PER_CHARACTER)), size: value.size } : ONE,
  bytes: (_, [text = NOTHING]) => ({
    steps: countSteps(text.size.max, PER_CHARACTER),
    size: { min: text.size.min, max: multiplyFactors(text.size.max, 4) },
  }),
  find: costOfSearch,
  findAll: costOfSearch,
  quantity: costOfParsing,
  isQuantity: costOfParsing,
  semver: costOfParsing,
  isSemver: costOfParsing,
  isIP: costOfParsing,
  cidr: costOfParsing,
  isCIDR: costOfParsing,
  // As a method of a network, `ip` only reads the address.
  ip: (target, args) => (target ? ONE : costOfParsing(target, args)),
  url: (_, [text = NOTHING]) => ({ steps: countSteps(text.size.max, PER_CHARACTER), size: text.size }),
  containsIP: (_, [other]) => costOfContainment(other, 'net.IP', countSteps(2 * MAX_ADDRESS, PER_CHARACTER)),
  containsCIDR: (_, [other]) =>
    costOfContainment(
      other,
      'net.CIDR',
      countSteps(2 * MAX_ADDRESS, PER_CHARACTER) + countSteps(MAX_ADDRESS, PER_CHARACTER) + 1,
    ),
  validate: (_, [text = NOTHING]) => ({
    steps: countSteps(countSteps(text.size.max, PER_CHARACTER), MAX_PATTERN * PER_PATTERN_CHARACTER),
  }),
  format: (target) => target && { steps: countSteps(target.size.max, PER_CHARACTER) },
  startsWith: (_, [part = NOTHING]) => ({ steps: countSteps(part.size.max, PER_CHARACTER) }),
  endsWith: (_, [part = NOTHING]) => ({ steps: countSteps(part.size.max, PER_CHARACTER) }),
  contains: (target, [part = NOTHING]) =>
    target && {
      steps: multiplyFactors(countSteps(target.size.max, PER_CHARACTER), countSteps(part.size.max, PER_CHARACTER)),
    },
  matches: (target, [pattern = NOTHING]) => target && { steps: costOfMatching(target.size, pattern.size) },
  includes: () => ({ steps: 48 }),
  slice: (target, [start, end]) => {
    if (!target) return undefined;
    const from = naturalNumberOf(start, 0);
    const to = naturalNumberOf(end, target.size.max);
    // Kubernetes subtracts without a comparison, so the result can underflow to a very large number.
    return costOfNewList(toExactSize(to >= from ? to - from : Infinity), 1);
  },
  flatten: (target, [depth]) => target && costOfNewList(target.size, depth ? naturalNumberOf(depth, Infinity) : 1),
  reverse: (target) => target && costOfNewList(target.size, 1),
  distinct: (target) => target && costOfNewList(multiplySizes(target.size, target.size), 2),
  sort: (target) =>
    target &&
    costOfNewList(multiplySizes(target.size, target.size), mayBeTraversed(target.element) ? 2 + PER_CHARACTER : 2),
};

/** Returns the steps of a call without the evaluation of its operands. */
export function costOfCall(name: string, target: CostOperand | undefined, args: readonly CostOperand[]): CallCost {
  return RULES[name]?.(target, args) ?? ONE;
}

/** Cost rules of functions in namespaces. All other functions take one step. */
const NAMESPACED: Readonly<Record<string, (name: string, args: readonly [CostOperand, CostOperand]) => CallCost>> = {
  Lists: (_, [count]) => costOfNewList(toExactSize(naturalNumberOf(count, Infinity)), 1),
  Sets: (name, [a, b]) => {
    const pairs = multiplySizes(a.size, b.size).max;
    return { steps: 1 + countSteps(pairs, name === 'equivalent' ? 2 : 1) };
  },
  Ip: (_, [text]) => ({ steps: countSteps(text.size.max, 2 * PER_CHARACTER) }),
  Strings: (_, [{ size }]) => ({
    steps: countSteps(size.max, PER_CHARACTER),
    size: { min: size.min + 2, max: multiplyFactors(size.max, 2) + 2 },
  }),
};

/** Returns the steps of a function in a namespace: `lists.range(3)`, `sets.contains(a, b)`. */
export function costOfNamespaceCall(namespace: string, name: string, args: readonly CostOperand[]): CallCost {
  const [first = NOTHING, second = NOTHING] = args;
  return NAMESPACED[namespace]?.(name, [first, second]) ?? ONE;
}

/** Returns the steps of a comparison, which reads the smaller of two texts, lists or maps. */
export function costOfComparison(a: Size, b: Size): number {
  return countSteps(Math.min(a.max, b.max), PER_CHARACTER);
}

/** Returns the steps of a concatenation of texts, which writes both. */
export function costOfConcatenation(a: Size, b: Size): number {
  return countSteps(addSizes(a, b).max, PER_CHARACTER);
}

function costOfTraversal(target: CostOperand | undefined, [searched]: readonly CostOperand[]): CallCost | undefined {
  if (!target) return undefined;
  const { size, element } = target;
  if (!element) return { steps: countSteps(size.max, PER_CHARACTER) };
  // If the element type is open, the searched value determines it.
  const type = element.type || searched?.type;
  const each = isTraversed({ ...element, type: type ?? '' }) ? 1 + countSteps(element.size.max, PER_CHARACTER) : 1;
  return { steps: multiplyFactors(size.max, each) };
}

/** Reports whether a comparison reads every character of an element. */
function isTraversed(element: CostOperand['element']): boolean {
  return element?.type === 'string' || element?.type === 'bytes';
}

function mayBeTraversed(element: CostOperand['element']): boolean {
  return !element || element.type === 'dyn' || isTraversed(element);
}

function costOfCopy(target: CostOperand | undefined): CallCost | undefined {
  return target && { steps: countSteps(target.size.max, PER_CHARACTER), size: target.size };
}

function costOfSearch(
  target: CostOperand | undefined,
  [pattern = NOTHING]: readonly CostOperand[],
): CallCost | undefined {
  return target && { steps: costOfMatching(target.size, pattern.size), size: { min: 0, max: target.size.max } };
}

function costOfParsing(_: unknown, [text = NOTHING]: readonly CostOperand[]): CallCost {
  return { steps: countSteps(text.size.max, PER_CHARACTER) };
}

/** Returns the steps of a search in a network, which compares bytes. A value that may be a text is parsed first. */
function costOfContainment(other: CostOperand | undefined, parsed: string, steps: number): CallCost {
  const text = other && other.type !== parsed && other.type !== 'null' ? countSteps(other.size.max, PER_CHARACTER) : 0;
  return { steps: steps + text };
}

function costOfMatching(text: Size, pattern: Size): number {
  return multiplyFactors(countSteps(text.max + 1, PER_CHARACTER), countSteps(pattern.max, PER_PATTERN_CHARACTER));
}

function costOfNewList(size: Size, factor: number): CallCost {
  return { steps: countSteps(size.max, factor) + 1 + NEW_LIST, size };
}

/** Returns the value of an integer literal, or 0 if it is negative. */
function naturalNumberOf(operand: CostOperand | undefined, otherwise: number): number {
  if (operand?.literal === undefined) return otherwise;
  return Math.max(0, Number(operand.literal));
}

/** A negative limit becomes a very large toUnsigned number. */
function toUnsigned(value: bigint): number {
  return value < 0n ? Infinity : Number(value);
}

/**
 * An empty `old` inserts the replacement between all characters. Replacements that only shrink the text do not reduce
 * its maximum.
 */
function sizeAfterReplace(text: Size, old: Size, replacement: Size): Size {
  return {
    min: lengthAfterReplace(text.min, old.max, replacement.min, old.max <= replacement.min),
    max: lengthAfterReplace(text.max, old.min, replacement.max, replacement.max <= old.min),
  };
}

/** Returns the length with the maximum number of replacements, or the length of the text if `none` is set. */
function lengthAfterReplace(text: number, old: number, replacement: number, none: boolean): number {
  if (old === 0) return multiplyFactors(text + 1, replacement) + text;
  return none ? text : multiplyFactors(Math.ceil(text / old), replacement);
}

/** The maximum length of a named format in the Kubernetes estimate, in characters. */
const MAX_FORMAT = 64;

/** The steps of `==` between two values of a Kubernetes type. `!=` has no such rules. */
const KUBERNETES_TYPES: Readonly<Record<string, (right: Estimate) => number>> = {
  'kubernetes.Quantity': () => 1,
  'kubernetes.Semver': () => 1,
  'net.IP': () => 1,
  'net.CIDR': () => 1,
  'kubernetes.URL': ({ size = toExactSize(1) }) => countSteps(size.max, PER_CHARACTER),
  'kubernetes.NamedFormat': () => countSteps(MAX_FORMAT, PER_CHARACTER),
};

/** Returns the steps of `==` or `!=` without the evaluation of the operands. */
export function costOfEquality(node: AstNode, left: Estimate, right: Estimate): number {
  const [type, other] = childrenOf(node).map((operand) => celTypeOf(operand)?.name ?? '');
  const known = node.op === '==' && type === other ? KUBERNETES_TYPES[type ?? ''] : undefined;
  return known ? known(right) : costOfComparison(estimatedSizeOf(left), estimatedSizeOf(right));
}
