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

/** A value that a call works on. */
export interface CostOperand {
  readonly size: Size;

  /** What its elements are: a type for a list, empty where nothing tells it, and nothing for any other value. */
  readonly element?: { readonly type: string; readonly size: Size };

  /** The number that is written down, if it is one. */
  readonly literal?: bigint;

  /** Whether only evaluation can tell its type. */
  readonly dynamic?: boolean;

  /** The name of its type, `dyn` where only evaluation can tell. */
  readonly type?: string;
}

/** What a call takes besides its operands, and how large its value is where its type does not tell. */
export interface CallCost {
  readonly steps: number;
  readonly size?: Size;
}

type CostRule = (target: CostOperand | undefined, args: readonly CostOperand[]) => CallCost | undefined;

const TEXT = 0.1;
const PATTERN = 0.25;
const NEW_LIST = 10;

/** What an address has at most, in bytes, and the pattern of a format with a name, in characters. */
const MAX_ADDRESS = 16;
const MAX_PATTERN = 128;
const ONE: CallCost = { steps: 1 };
const NOTHING: CostOperand = { size: UNKNOWN_SIZE };

/** Functions that Kubernetes' estimate knows, by name. All others take one step. */
const RULES: Readonly<Record<string, CostRule>> = {
  isSorted: costOfTraversal,
  sum: costOfTraversal,
  max: costOfTraversal,
  min: costOfTraversal,
  indexOf: costOfTraversal,
  lastIndexOf: costOfTraversal,
  lowerAscii: sameSize,
  upperAscii: sameSize,
  substring: sameSize,
  trim: sameSize,
  replace: (target, [old = NOTHING, replacement = NOTHING]) =>
    target && {
      steps: countSteps(target.size.max, 2 * TEXT),
      size: sizeAfterReplace(target.size, old.size, replacement.size),
    },
  split: (target, [, limit]) => {
    if (!target) return undefined;
    const most = limit?.literal === undefined ? target.size.max : unsigned(limit.literal);
    return { steps: countSteps(target.size.max, 2 * TEXT), size: { min: 0, max: most } };
  },
  join: (target, [separator]) => {
    if (!target) return undefined;
    const { size, element } = target;
    const between = { min: Math.max(0, size.min - 1), max: Math.max(0, size.max - 1) };
    const parts = element ? multiplySizes(size, element.size) : toExactSize(0);
    const whole = separator ? addSizes(parts, multiplySizes(separator.size, between)) : parts;
    return { steps: countSteps(whole.max, TEXT), size: whole };
  },
  // What may be bytes may become text of the same size.
  string: (_, [value = NOTHING]) =>
    value.dynamic ? { steps: Math.max(1, countSteps(value.size.max, TEXT)), size: value.size } : ONE,
  bytes: (_, [text = NOTHING]) => ({
    steps: countSteps(text.size.max, TEXT),
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
  // As a method of a network it only reads the address.
  ip: (target, args) => (target ? ONE : costOfParsing(target, args)),
  url: (_, [text = NOTHING]) => ({ steps: countSteps(text.size.max, TEXT), size: text.size }),
  containsIP: (_, [other]) => costOfContainment(other, 'net.IP', countSteps(2 * MAX_ADDRESS, TEXT)),
  containsCIDR: (_, [other]) =>
    costOfContainment(
      other,
      'net.CIDR',
      countSteps(2 * MAX_ADDRESS, TEXT) + countSteps(MAX_ADDRESS, TEXT) + 1,
    ),
  validate: (_, [text = NOTHING]) => ({
    steps: countSteps(countSteps(text.size.max, TEXT), MAX_PATTERN * PATTERN),
  }),
  format: (target) => target && { steps: countSteps(target.size.max, TEXT) },
  startsWith: (_, [part = NOTHING]) => ({ steps: countSteps(part.size.max, TEXT) }),
  endsWith: (_, [part = NOTHING]) => ({ steps: countSteps(part.size.max, TEXT) }),
  contains: (target, [part = NOTHING]) =>
    target && { steps: multiplyFactors(countSteps(target.size.max, TEXT), countSteps(part.size.max, TEXT)) },
  matches: (target, [pattern = NOTHING]) => target && { steps: costOfMatching(target.size, pattern.size) },
  includes: () => ({ steps: 48 }),
  slice: (target, [start, end]) => {
    if (!target) return undefined;
    const from = naturalNumberOf(start, 0);
    const to = naturalNumberOf(end, target.size.max);
    // Kubernetes subtracts without a look at which is larger.
    return costOfNewList(toExactSize(to >= from ? to - from : Infinity), 1);
  },
  flatten: (target, [depth]) =>
    target && costOfNewList(target.size, depth ? naturalNumberOf(depth, Infinity) : 1),
  reverse: (target) => target && costOfNewList(target.size, 1),
  distinct: (target) => target && costOfNewList(multiplySizes(target.size, target.size), 2),
  sort: (target) =>
    target &&
    costOfNewList(multiplySizes(target.size, target.size), mayBeTraversed(target.element) ? 2 + TEXT : 2),
};

/** What a call takes besides the evaluation of its operands. */
export function costOfCall(
  name: string,
  target: CostOperand | undefined,
  args: readonly CostOperand[],
): CallCost {
  return RULES[name]?.(target, args) ?? ONE;
}

/** Functions of namespaces that Kubernetes' estimate knows. All others take one step. */
const NAMESPACED: Readonly<
  Record<string, (name: string, args: readonly [CostOperand, CostOperand]) => CallCost>
> = {
  Lists: (_, [count]) => costOfNewList(toExactSize(naturalNumberOf(count, Infinity)), 1),
  Sets: (name, [a, b]) => {
    const pairs = multiplySizes(a.size, b.size).max;
    return { steps: 1 + countSteps(pairs, name === 'equivalent' ? 2 : 1) };
  },
  Ip: (_, [text]) => ({ steps: countSteps(text.size.max, 2 * TEXT) }),
  Strings: (_, [{ size }]) => ({
    steps: countSteps(size.max, TEXT),
    size: { min: size.min + 2, max: multiplyFactors(size.max, 2) + 2 },
  }),
};

/** What a function of a namespace takes: `lists.range(3)`, `sets.contains(a, b)`. */
export function costOfNamespaceCall(namespace: string, name: string, args: readonly CostOperand[]): CallCost {
  const [first = NOTHING, second = NOTHING] = args;
  return NAMESPACED[namespace]?.(name, [first, second]) ?? ONE;
}

/** To compare goes over the smaller of two values, if they are texts, lists or maps, or could be. */
export function costOfComparison(a: Size, b: Size): number {
  return countSteps(Math.min(a.max, b.max), TEXT);
}

/** To add texts writes both. */
export function costOfConcatenation(a: Size, b: Size): number {
  return countSteps(addSizes(a, b).max, TEXT);
}

function costOfTraversal(
  target: CostOperand | undefined,
  [sought]: readonly CostOperand[],
): CallCost | undefined {
  if (!target) return undefined;
  const { size, element } = target;
  if (!element) return { steps: countSteps(size.max, TEXT) };
  // What is looked for tells what the elements are.
  const type = element.type || sought?.type;
  const each = isTraversed({ ...element, type: type ?? '' }) ? 1 + countSteps(element.size.max, TEXT) : 1;
  return { steps: multiplyFactors(size.max, each) };
}

/** Whether to compare elements is to go over them. */
function isTraversed(element: CostOperand['element']): boolean {
  return element?.type === 'string' || element?.type === 'bytes';
}

function mayBeTraversed(element: CostOperand['element']): boolean {
  return !element || element.type === 'dyn' || isTraversed(element);
}

function sameSize(target: CostOperand | undefined): CallCost | undefined {
  return target && { steps: countSteps(target.size.max, TEXT), size: target.size };
}

function costOfSearch(
  target: CostOperand | undefined,
  [pattern = NOTHING]: readonly CostOperand[],
): CallCost | undefined {
  return (
    target && { steps: costOfMatching(target.size, pattern.size), size: { min: 0, max: target.size.max } }
  );
}

function costOfParsing(_: unknown, [text = NOTHING]: readonly CostOperand[]): CallCost {
  return { steps: countSteps(text.size.max, TEXT) };
}

/** To look into a network compares bytes. What may be a text is read first. */
function costOfContainment(other: CostOperand | undefined, parsed: string, steps: number): CallCost {
  const text = other && other.type !== parsed && other.type !== 'null' ? countSteps(other.size.max, TEXT) : 0;
  return { steps: steps + text };
}

function costOfMatching(text: Size, pattern: Size): number {
  return multiplyFactors(countSteps(text.max + 1, TEXT), countSteps(pattern.max, PATTERN));
}

function costOfNewList(size: Size, factor: number): CallCost {
  return { steps: countSteps(size.max, factor) + 1 + NEW_LIST, size };
}

/** A number that is written down, or 0 where that is negative. */
function naturalNumberOf(operand: CostOperand | undefined, otherwise: number): number {
  if (operand?.literal === undefined) return otherwise;
  return Math.max(0, Number(operand.literal));
}

/** A negative number becomes a very large one. */
function unsigned(value: bigint): number {
  return value < 0n ? Infinity : Number(value);
}

/** To replace nothing is to insert between all characters; what only shrinks counts as if it stayed. */
function sizeAfterReplace(text: Size, old: Size, replacement: Size): Size {
  return {
    min: lengthAfterReplace(text.min, old.max, replacement.min, old.max <= replacement.min),
    max: lengthAfterReplace(text.max, old.min, replacement.max, replacement.max <= old.min),
  };
}

/** The size with as many replacements as fit; with none where the text alone is the extreme. */
function lengthAfterReplace(text: number, old: number, replacement: number, none: boolean): number {
  if (old === 0) return multiplyFactors(text + 1, replacement) + text;
  return none ? text : multiplyFactors(Math.ceil(text / old), replacement);
}

const TEXT_STEP = 0.1;

/** The most characters that Kubernetes reckons a format with a name to have. */
const MAX_FORMAT = 64;

/** What `==` takes for two values of a type of Kubernetes. `!=` has no such figures. */
const KUBERNETES_TYPES: Readonly<Record<string, (right: Estimate) => number>> = {
  'kubernetes.Quantity': () => 1,
  'kubernetes.Semver': () => 1,
  'net.IP': () => 1,
  'net.CIDR': () => 1,
  'kubernetes.URL': ({ size = toExactSize(1) }) => countSteps(size.max, TEXT_STEP),
  'kubernetes.NamedFormat': () => countSteps(MAX_FORMAT, TEXT_STEP),
};

/** What `==` or `!=` takes besides the evaluation of its sides. */
export function costOfEquality(node: AstNode, left: Estimate, right: Estimate): number {
  const [type, other] = childrenOf(node).map((operand) => celTypeOf(operand)?.name ?? '');
  const known = node.op === '==' && type === other ? KUBERNETES_TYPES[type ?? ''] : undefined;
  return known ? known(right) : costOfComparison(estimatedSizeOf(left), estimatedSizeOf(right));
}
