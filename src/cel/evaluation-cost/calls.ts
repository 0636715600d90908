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

/** Steps per character of a text, per character of a pattern, and per new list. */
const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const NEW_LIST = 10;

/** The maximum size of an address in bytes, and the maximum pattern of a named format in characters. */
const MAX_ADDRESS = 16;
const MAX_PATTERN = 128;
const ONE: CallCost = { steps: 1 };
const NOTHING: CostOperand = { size: UNKNOWN_SIZE };

/** The cost of a function of the Kubernetes estimate, from its first argument. */
const FUNCTIONS: Readonly<Record<string, (argument: CostOperand) => CallCost>> = {
  // A value that may be bytes can become text of the same size.
  string: ({ dynamic, size }) => (dynamic ? { steps: Math.max(1, countSteps(size.max, PER_CHARACTER)), size } : ONE),
  bytes: ({ size }) => ({
    steps: countSteps(size.max, PER_CHARACTER),
    size: { min: size.min, max: multiplyFactors(size.max, 4) },
  }),
  quantity: costOfReading,
  isQuantity: costOfReading,
  semver: costOfReading,
  isSemver: costOfReading,
  ip: costOfReading,
  isIP: costOfReading,
  cidr: costOfReading,
  isCIDR: costOfReading,
  url: costOfCopy,
};

/** The cost of a method of the Kubernetes estimate, from its receiver and its arguments. */
const METHODS: Readonly<Record<string, (target: CostOperand, first: CostOperand, second: CostOperand) => CallCost>> = {
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
  replace: ({ size }, old, replacement) => ({
    steps: countSteps(size.max, 2 * PER_CHARACTER),
    size: sizeAfterReplace(size, old.size, replacement.size),
  }),
  split: ({ size }, _, { literal }) => {
    const max = literal === undefined ? size.max : toUnsigned(literal);
    return { steps: countSteps(size.max, 2 * PER_CHARACTER), size: { min: 0, max } };
  },
  join: ({ size, element }, separator) => {
    const between = { min: Math.max(0, size.min - 1), max: Math.max(0, size.max - 1) };
    const parts = element ? multiplySizes(size, element.size) : toExactSize(0);
    const joined = separator === NOTHING ? parts : addSizes(parts, multiplySizes(separator.size, between));
    return { steps: countSteps(joined.max, PER_CHARACTER), size: joined };
  },
  find: costOfSearch,
  findAll: costOfSearch,
  containsIP: (_, other) => costOfContainment(other, 'net.IP', countSteps(2 * MAX_ADDRESS, PER_CHARACTER)),
  containsCIDR: (_, other) =>
    costOfContainment(
      other,
      'net.CIDR',
      countSteps(2 * MAX_ADDRESS, PER_CHARACTER) + countSteps(MAX_ADDRESS, PER_CHARACTER) + 1,
    ),
  validate: (_, { size }) => ({
    steps: countSteps(countSteps(size.max, PER_CHARACTER), MAX_PATTERN * PER_PATTERN_CHARACTER),
  }),
  format: costOfReading,
  startsWith: (_, part) => costOfReading(part),
  endsWith: (_, part) => costOfReading(part),
  contains: (target, part) => ({ steps: multiplyFactors(costOfReading(target).steps, costOfReading(part).steps) }),
  matches: (target, pattern) => ({ steps: costOfMatching(target.size, pattern.size) }),
  includes: () => ({ steps: 48 }),
  slice: ({ size }, start, end) => {
    const from = naturalNumberOf(start, 0);
    const to = naturalNumberOf(end, size.max);
    // Kubernetes subtracts without a comparison, so the result can underflow to a very large number.
    return costOfNewList(toExactSize(to >= from ? to - from : Infinity), 1);
  },
  flatten: ({ size }, depth) => costOfNewList(size, depth === NOTHING ? 1 : naturalNumberOf(depth, Infinity)),
  reverse: ({ size }) => costOfNewList(size, 1),
  distinct: ({ size }) => costOfNewList(multiplySizes(size, size), 2),
  sort: ({ size, element }) =>
    costOfNewList(multiplySizes(size, size), mayBeTraversed(element) ? 2 + PER_CHARACTER : 2),
};

/** Returns the steps of a call without the evaluation of its operands. Calls without a rule take one step. */
export function costOfCall(
  name: string,
  target: CostOperand | undefined,
  [first = NOTHING, second = NOTHING]: readonly CostOperand[],
): CallCost {
  return (target ? METHODS[name]?.(target, first, second) : FUNCTIONS[name]?.(first)) ?? ONE;
}

/** Cost rules of functions in namespaces. All other functions take one step. */
const NAMESPACED: Readonly<Record<string, (name: string, a: CostOperand, b: CostOperand) => CallCost>> = {
  Lists: (_, count) => costOfNewList(toExactSize(naturalNumberOf(count, Infinity)), 1),
  Sets: (name, a, b) => {
    const pairs = multiplySizes(a.size, b.size).max;
    return { steps: 1 + countSteps(pairs, name === 'equivalent' ? 2 : 1) };
  },
  Ip: (_, { size }) => ({ steps: countSteps(size.max, 2 * PER_CHARACTER) }),
  Strings: (_, { size }) => ({
    steps: countSteps(size.max, PER_CHARACTER),
    size: { min: size.min + 2, max: multiplyFactors(size.max, 2) + 2 },
  }),
};

/** Returns the steps of a function in a namespace: `lists.range(3)`, `sets.contains(a, b)`. */
export function costOfNamespaceCall(
  namespace: string,
  name: string,
  [first = NOTHING, second = NOTHING]: readonly CostOperand[],
): CallCost {
  return NAMESPACED[namespace]?.(name, first, second) ?? ONE;
}

/** Returns the steps of a comparison, which reads the smaller of two texts, lists or maps. */
export function costOfComparison(a: Size, b: Size): number {
  return countSteps(Math.min(a.max, b.max), PER_CHARACTER);
}

/** Returns the steps of a concatenation of texts, which writes both. */
export function costOfConcatenation(a: Size, b: Size): number {
  return countSteps(addSizes(a, b).max, PER_CHARACTER);
}

function costOfTraversal({ size, element }: CostOperand, searched: CostOperand): CallCost {
  if (!element) return costOfReading({ size });
  // If the element type is open, the searched value determines it.
  const type = element.type || (searched.type ?? '');
  const each = isTraversed({ ...element, type }) ? 1 + countSteps(element.size.max, PER_CHARACTER) : 1;
  return { steps: multiplyFactors(size.max, each) };
}

function isTraversed(element: CostOperand['element']): boolean {
  return element?.type === 'string' || element?.type === 'bytes';
}

function mayBeTraversed(element: CostOperand['element']): boolean {
  return !element || element.type === 'dyn' || isTraversed(element);
}

function costOfReading({ size }: CostOperand): CallCost {
  return { steps: countSteps(size.max, PER_CHARACTER) };
}

function costOfCopy({ size }: CostOperand): CallCost {
  return { ...costOfReading({ size }), size };
}

function costOfSearch({ size }: CostOperand, pattern: CostOperand): CallCost {
  return { steps: costOfMatching(size, pattern.size), size: { min: 0, max: size.max } };
}

/** Returns the steps of a search in a network, which compares bytes. A value that may be a text is parsed first. */
function costOfContainment(other: CostOperand, parsed: string, steps: number): CallCost {
  const isParsed = other.type === parsed || other.type === 'null';
  return { steps: steps + (isParsed ? 0 : costOfReading(other).steps) };
}

function costOfMatching(text: Size, pattern: Size): number {
  return multiplyFactors(countSteps(text.max + 1, PER_CHARACTER), countSteps(pattern.max, PER_PATTERN_CHARACTER));
}

function costOfNewList(size: Size, factor: number): CallCost {
  return { steps: countSteps(size.max, factor) + 1 + NEW_LIST, size };
}

/** Returns the value of an integer literal, or 0 if it is negative. */
function naturalNumberOf({ literal }: CostOperand, otherwise: number): number {
  return literal === undefined ? otherwise : Math.max(0, Number(literal));
}

/** A negative limit becomes a very large toUnsigned number. */
function toUnsigned(value: bigint): number {
  return value < 0n ? Infinity : Number(value);
}

/** Replacements that only shrink the text do not reduce its maximum. */
function sizeAfterReplace(text: Size, old: Size, replacement: Size): Size {
  return {
    min: lengthAfterReplace(text.min, old.max, replacement.min, old.max <= replacement.min),
    max: lengthAfterReplace(text.max, old.min, replacement.max, replacement.max <= old.min),
  };
}

/** An empty `old` inserts the replacement between all characters. */
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
