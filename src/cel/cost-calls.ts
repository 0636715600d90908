import { exactly, plus, product, type Size, stepsOver, times, UNKNOWN } from './size';

/** A value that a call works on. */
export interface Operand {
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

type Rule = (target: Operand | undefined, args: readonly Operand[]) => CallCost | undefined;

const TEXT = 0.1;
const PATTERN = 0.25;
const NEW_LIST = 10;

/** What an address has at most, in bytes, and the pattern of a format with a name, in characters. */
const MOST_OF_ADDRESS = 16;
const MOST_OF_PATTERN = 128;
const ONE: CallCost = { steps: 1 };
const NOTHING: Operand = { size: UNKNOWN };

/** Functions that Kubernetes' estimate knows, by name. All others take one step. */
const RULES: Readonly<Record<string, Rule>> = {
  isSorted: traversal,
  sum: traversal,
  max: traversal,
  min: traversal,
  indexOf: traversal,
  lastIndexOf: traversal,
  lowerAscii: sameSize,
  upperAscii: sameSize,
  substring: sameSize,
  trim: sameSize,
  replace: (target, [old = NOTHING, replacement = NOTHING]) =>
    target && {
      steps: stepsOver(target.size.max, 2 * TEXT),
      size: replaced(target.size, old.size, replacement.size),
    },
  split: (target, [, limit]) => {
    if (!target) return undefined;
    const most = limit?.literal === undefined ? target.size.max : unsigned(limit.literal);
    return { steps: stepsOver(target.size.max, 2 * TEXT), size: { min: 0, max: most } };
  },
  join: (target, [separator]) => {
    if (!target) return undefined;
    const { size, element } = target;
    const between = { min: Math.max(0, size.min - 1), max: Math.max(0, size.max - 1) };
    const parts = element ? times(size, element.size) : exactly(0);
    const whole = separator ? plus(parts, times(separator.size, between)) : parts;
    return { steps: stepsOver(whole.max, TEXT), size: whole };
  },
  // What may be bytes may become text of the same size.
  string: (_, [value = NOTHING]) =>
    value.dynamic ? { steps: Math.max(1, stepsOver(value.size.max, TEXT)), size: value.size } : ONE,
  bytes: (_, [text = NOTHING]) => ({
    steps: stepsOver(text.size.max, TEXT),
    size: { min: text.size.min, max: product(text.size.max, 4) },
  }),
  find: search,
  findAll: search,
  quantity: parse,
  isQuantity: parse,
  semver: parse,
  isSemver: parse,
  isIP: parse,
  cidr: parse,
  isCIDR: parse,
  // As a method of a network it only reads the address.
  ip: (target, args) => (target ? ONE : parse(target, args)),
  url: (_, [text = NOTHING]) => ({ steps: stepsOver(text.size.max, TEXT), size: text.size }),
  containsIP: (_, [other]) => within(other, 'net.IP', stepsOver(2 * MOST_OF_ADDRESS, TEXT)),
  containsCIDR: (_, [other]) =>
    within(other, 'net.CIDR', stepsOver(2 * MOST_OF_ADDRESS, TEXT) + stepsOver(MOST_OF_ADDRESS, TEXT) + 1),
  validate: (_, [text = NOTHING]) => ({
    steps: stepsOver(stepsOver(text.size.max, TEXT), MOST_OF_PATTERN * PATTERN),
  }),
  format: (target) => target && { steps: stepsOver(target.size.max, TEXT) },
  startsWith: (_, [part = NOTHING]) => ({ steps: stepsOver(part.size.max, TEXT) }),
  endsWith: (_, [part = NOTHING]) => ({ steps: stepsOver(part.size.max, TEXT) }),
  contains: (target, [part = NOTHING]) =>
    target && { steps: product(stepsOver(target.size.max, TEXT), stepsOver(part.size.max, TEXT)) },
  matches: (target, [pattern = NOTHING]) => target && { steps: matching(target.size, pattern.size) },
  includes: () => ({ steps: 48 }),
  slice: (target, [start, end]) => {
    if (!target) return undefined;
    const from = natural(start, 0);
    const to = natural(end, target.size.max);
    // Kubernetes subtracts without a look at which is larger.
    return newList(exactly(to >= from ? to - from : Infinity), 1);
  },
  flatten: (target, [depth]) => target && newList(target.size, depth ? natural(depth, Infinity) : 1),
  reverse: (target) => target && newList(target.size, 1),
  distinct: (target) => target && newList(times(target.size, target.size), 2),
  sort: (target) =>
    target && newList(times(target.size, target.size), mayBeTraversed(target.element) ? 2 + TEXT : 2),
};

/** What a call takes besides the evaluation of its operands. */
export function callCost(name: string, target: Operand | undefined, args: readonly Operand[]): CallCost {
  return RULES[name]?.(target, args) ?? ONE;
}

/** Functions of namespaces that Kubernetes' estimate knows. All others take one step. */
const NAMESPACED: Readonly<Record<string, (name: string, args: readonly [Operand, Operand]) => CallCost>> = {
  Lists: (_, [count]) => newList(exactly(natural(count, Infinity)), 1),
  Sets: (name, [a, b]) => {
    const pairs = times(a.size, b.size).max;
    return { steps: 1 + stepsOver(pairs, name === 'equivalent' ? 2 : 1) };
  },
  Ip: (_, [text]) => ({ steps: stepsOver(text.size.max, 2 * TEXT) }),
  Strings: (_, [{ size }]) => ({
    steps: stepsOver(size.max, TEXT),
    size: { min: size.min + 2, max: product(size.max, 2) + 2 },
  }),
};

/** What a function of a namespace takes: `lists.range(3)`, `sets.contains(a, b)`. */
export function namespaceCost(namespace: string, name: string, args: readonly Operand[]): CallCost {
  const [first = NOTHING, second = NOTHING] = args;
  return NAMESPACED[namespace]?.(name, [first, second]) ?? ONE;
}

/** To compare goes over the smaller of two values, if they are texts, lists or maps, or could be. */
export function comparison(a: Size, b: Size): number {
  return stepsOver(Math.min(a.max, b.max), TEXT);
}

/** To add texts writes both. */
export function concatenation(a: Size, b: Size): number {
  return stepsOver(plus(a, b).max, TEXT);
}

function traversal(target: Operand | undefined, [sought]: readonly Operand[]): CallCost | undefined {
  if (!target) return undefined;
  const { size, element } = target;
  if (!element) return { steps: stepsOver(size.max, TEXT) };
  // What is looked for tells what the elements are.
  const type = element.type || sought?.type;
  const each = isTraversed({ ...element, type: type ?? '' }) ? 1 + stepsOver(element.size.max, TEXT) : 1;
  return { steps: product(size.max, each) };
}

/** Whether to compare elements is to go over them. */
function isTraversed(element: Operand['element']): boolean {
  return element?.type === 'string' || element?.type === 'bytes';
}

function mayBeTraversed(element: Operand['element']): boolean {
  return !element || element.type === 'dyn' || isTraversed(element);
}

function sameSize(target: Operand | undefined): CallCost | undefined {
  return target && { steps: stepsOver(target.size.max, TEXT), size: target.size };
}

function search(target: Operand | undefined, [pattern = NOTHING]: readonly Operand[]): CallCost | undefined {
  return target && { steps: matching(target.size, pattern.size), size: { min: 0, max: target.size.max } };
}

function parse(_: unknown, [text = NOTHING]: readonly Operand[]): CallCost {
  return { steps: stepsOver(text.size.max, TEXT) };
}

/** To look into a network compares bytes. What may be a text is read first. */
function within(other: Operand | undefined, parsed: string, steps: number): CallCost {
  const text = other && other.type !== parsed && other.type !== 'null' ? stepsOver(other.size.max, TEXT) : 0;
  return { steps: steps + text };
}

function matching(text: Size, pattern: Size): number {
  return product(stepsOver(text.max + 1, TEXT), stepsOver(pattern.max, PATTERN));
}

function newList(size: Size, factor: number): CallCost {
  return { steps: stepsOver(size.max, factor) + 1 + NEW_LIST, size };
}

/** A number that is written down, or 0 where that is negative. */
function natural(operand: Operand | undefined, otherwise: number): number {
  if (operand?.literal === undefined) return otherwise;
  return Math.max(0, Number(operand.literal));
}

/** A negative number becomes a very large one. */
function unsigned(value: bigint): number {
  return value < 0n ? Infinity : Number(value);
}

/** To replace nothing is to insert between all characters; what only shrinks counts as if it stayed. */
function replaced(text: Size, old: Size, replacement: Size): Size {
  return {
    min: replacedBy(text.min, old.max, replacement.min, old.max <= replacement.min),
    max: replacedBy(text.max, old.min, replacement.max, replacement.max <= old.min),
  };
}

/** The size with as many replacements as fit; with none where the text alone is the extreme. */
function replacedBy(text: number, old: number, replacement: number, none: boolean): number {
  if (old === 0) return product(text + 1, replacement) + text;
  return none ? text : product(Math.ceil(text / old), replacement);
}
