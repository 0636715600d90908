import { callOf, children, isNamed, type Node } from './syntax';

/** The limit of Kubernetes for the evaluation of one selector on one device, in its own units. */
export const MOST_COST = 1_000_000;

/** What a list, map or string is taken to hold at most where its size is not written down. */
const UNKNOWN_SIZE = 64;

interface Estimate {
  /** Steps to evaluate it, at most. */
  readonly cost: number;

  /** Elements of its value, or characters. */
  readonly size: number;
}

type Sizes = ReadonlyMap<string, number>;

const COMPREHENSIONS = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'map',
  'filter',
  'transformList',
  'transformMap',
]);

/** How large a value a function makes, from the sizes of its receiver and its arguments. */
const GROWTH: Readonly<Record<string, (receiver: number, args: readonly number[]) => number>> = {
  flatten: (receiver) => receiver * UNKNOWN_SIZE,
  join: (receiver, [separator = 0]) => receiver * (UNKNOWN_SIZE + separator),
  replace: (receiver, [, replacement = 0]) => receiver * Math.max(1, replacement),
  split: (receiver) => receiver,
  findAll: (receiver) => receiver,
};

/**
 * A bound for the steps of an evaluation, from the syntax alone. Coarse: it exists so that no selector runs for
 * seconds, and says little about the cost that Kubernetes would count.
 */
export function costOf(root: Node): number {
  return estimate(root, new Map()).cost;
}

function estimate(node: Node, sizes: Sizes): Estimate {
  const call = callOf(node);
  if (call?.receiver && COMPREHENSIONS.has(call.name)) return comprehension(call.receiver, call.args, sizes);
  if (call?.name === 'bind' && isNamed(call.receiver, 'cel')) return binding(call.args, sizes);

  const parts = children(node).map((child) => estimate(child, sizes));
  const size = sizeOf(node, parts, sizes);
  // A value that grew takes its time too, though it is made in one step.
  const own = 1 + Math.max(0, size - UNKNOWN_SIZE) / 10;
  return { cost: parts.reduce((sum, part) => sum + part.cost, own), size };
}

function comprehension(range: Node, args: readonly Node[], sizes: Sizes): Estimate {
  const over = estimate(range, sizes);
  const inner = new Map(sizes);
  for (const arg of args) {
    if (arg.op === 'id') inner.set(arg.args, Math.max(UNKNOWN_SIZE, sizes.get(arg.args) ?? 0));
  }
  const body = args.map((arg) => estimate(arg, inner)).reduce((sum, part) => sum + part.cost, 0);
  return { cost: over.cost + over.size * body, size: over.size };
}

function binding([name, value, body]: readonly Node[], sizes: Sizes): Estimate {
  if (name?.op !== 'id' || !value || !body) return { cost: 1, size: UNKNOWN_SIZE };
  const bound = estimate(value, sizes);
  const result = estimate(body, new Map(sizes).set(name.args, bound.size));
  return { cost: bound.cost + result.cost, size: result.size };
}

function sizeOf(node: Node, parts: readonly Estimate[], sizes: Sizes): number {
  const [first = 0, ...rest] = parts.map((part) => part.size);
  switch (node.op) {
    case 'value':
      return typeof node.args === 'string' ? node.args.length : 1;
    case 'id':
      return sizes.get(node.args) ?? UNKNOWN_SIZE;
    case 'list':
    case 'map':
      return node.args.length;
    case '+':
      return rest.reduce((sum, size) => sum + size, first);
    case '?:':
      return Math.max(...rest);
    case 'rcall':
      return isNamed(node.args[1], 'lists') ? rangeSize(node.args[2]) : growth(node.args[0], first, rest);
    default:
      return UNKNOWN_SIZE;
  }
}

function growth(name: string, receiver: number, args: readonly number[]): number {
  return GROWTH[name]?.(receiver, args) ?? UNKNOWN_SIZE;
}

/** The size of `lists.range(n)`. */
function rangeSize([count]: readonly Node[]): number {
  return count?.op === 'value' && typeof count.args === 'bigint' ? Number(count.args) : MOST_COST;
}
