import { celTypeOf } from '../cel-js-internals';
import type { AstNode, CallNode } from '../syntax-tree';
import { costOfCall } from './calls';
import {
  type CostScope,
  type EntrySizes,
  type Estimate,
  estimatedSizeOf,
  type Estimator,
  multiplyFactors,
  sumSteps,
  toExactSize,
  unionSizes,
  UNKNOWN_SIZE,
} from './sizes';

/** The steps of a loop as CEL expands its macros: before and after the loop, and for each element in addition to its parts. */
interface LoopCost {
  readonly around: number;
  readonly each: number;
  readonly makes: 'value' | 'list' | 'map';
}

const NEW_LIST = 10;
const NEW_MAP = 30;

const LOOPS: Readonly<Record<string, LoopCost>> = {
  all: { around: 1, each: 3, makes: 'value' },
  exists: { around: 1, each: 4, makes: 'value' },
  exists_one: { around: 2, each: 2, makes: 'value' },
  existsOne: { around: 2, each: 2, makes: 'value' },
  map: { around: NEW_LIST + 1, each: NEW_LIST + 2, makes: 'list' },
  transformList: { around: NEW_LIST + 1, each: NEW_LIST + 2, makes: 'list' },
  filter: { around: NEW_LIST + 1, each: NEW_LIST + 3, makes: 'list' },
  transformMap: { around: NEW_MAP + 1, each: 3, makes: 'map' },
  transformMapEntry: { around: NEW_MAP + 1, each: 2, makes: 'map' },
};

/** The usual number of arguments. With one more argument, the first two are variables. */
const USUAL_ARGUMENTS: Readonly<Record<string, number>> = { all: 2, exists: 2, exists_one: 2, existsOne: 2 };

/** Estimates a macro that iterates over a list or a map. Returns `undefined` for any other call. */
export function costOfMacro(
  { name, receiver, args }: CallNode,
  scope: CostScope,
  estimate: Estimator,
): Estimate | undefined {
  if (name === 'sortBy' && receiver) return costOfSorting(receiver, args, scope, estimate);
  const loop = LOOPS[name];
  if (!loop || !receiver || args.length < 2) return undefined;
  const two = name.startsWith('transform') || args.length > (USUAL_ARGUMENTS[name] ?? Infinity);
  const range = estimate(receiver, scope);
  const inner = new Map(scope);
  for (const [i, variable] of args.slice(0, two ? 2 : 1).entries()) {
    if (variable.op === 'id')
      inner.set(variable.args, estimateElement(receiver, range, two ? (i === 0 ? 'key' : 'value') : 'only'));
  }
  const parts = args.slice(two ? 2 : 1).map((part) => estimate(part, inner));
  const count = estimatedSizeOf(range);
  const steps = range.steps + loop.around + multiplyFactors(count.max, sumSteps(parts) + loop.each);
  if (loop.makes === 'value') return { steps, size: toExactSize(1) };
  return { steps, size: count, entries: resultSizesOf(loop, name, range, parts) };
}

/** `list.sortBy(x, f(x))` is `cel.bind(l, list, l.@sortByAssociatedKeys(l.map(x, f(x))))`. */
function costOfSorting(
  list: AstNode,
  args: readonly AstNode[],
  scope: CostScope,
  estimate: Estimator,
): Estimate | undefined {
  const range = estimate(list, scope);
  const keys = costOfMacro({ name: 'map', receiver: list, args }, scope, (node, inner) =>
    node === list ? { ...range, steps: 1 } : estimate(node, inner),
  );
  const key = args[1] && celTypeOf(args[1])?.name;
  if (!keys || key === undefined) return undefined;
  const element = { type: key === 'dyn' ? 'string' : key, size: toExactSize(1) };
  const sort = costOfCall('sort', { size: estimatedSizeOf(keys), element }, []);
  const steps = NEW_LIST + range.steps + 1 + keys.steps + sort.steps;
  return { steps, size: sort.size };
}

/** Estimates a loop variable: an element of a list, a key of a map, or with two variables one of both. */
function estimateElement(node: AstNode, { path = [], entries }: Estimate, which: 'key' | 'value' | 'only'): Estimate {
  const container = entries?.container ?? celTypeOf(node)?.kind;
  const list = container === 'list';
  const value = which === 'value' || (which === 'only' && list);
  const step = value ? (list ? '@items' : '@values') : list ? '@indices' : '@keys';
  return { steps: 1, path: [...path, step], size: value ? entries?.value : entries?.key };
}

/** Kubernetes includes the size of the initial empty list. */
function resultSizesOf(
  { makes }: LoopCost,
  name: string,
  range: Estimate,
  parts: readonly Estimate[],
): EntrySizes | undefined {
  if (makes === 'map') return undefined;
  const element = name === 'filter' ? range.entries?.value : parts.at(-1)?.size;
  return { container: 'list', key: toExactSize(1), value: unionSizes(toExactSize(0), element ?? UNKNOWN_SIZE) };
}
