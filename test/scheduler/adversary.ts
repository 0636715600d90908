import type { KindAmount } from '../../src/scheduler/packing/pod-footprint';
import type { PodLoad } from '../../src/scheduler/packing/worst-case';

type Amounts = readonly number[];
type Wants = readonly KindAmount[];

/**
 * Tries every arrangement of all pods but one on the nodes, with every choice of devices, also with some pods left
 * out, and tells whether any leaves no node for the one. Exponential: for a handful of pods on a handful of nodes.
 */
export function someArrangementStrands(amounts: Amounts, nodes: number, loads: readonly PodLoad[]): boolean {
  const pods = loads.flatMap(({ footprint: need, pods }) => Array.from({ length: pods }, () => need as Wants));
  const distinct = [...new Map(pods.map((need) => [JSON.stringify(need), need])).values()];
  return distinct.some((victim) => {
    const others = [...pods];
    others.splice(others.indexOf(victim), 1);
    const free = Array.from({ length: nodes }, () => amounts);
    return strands(others, { victim, free, seen: new Set(), least: new Map() });
  });
}

interface Search {
  readonly victim: Wants;
  readonly free: readonly Amounts[];
  /** States that were looked at, whichever node is which. */
  readonly seen: Set<string>;
  /** The fewest devices without which a node has no place for the victim, by what is free there. */
  readonly least: Map<string, number>;
}

function strands(others: readonly Wants[], search: Search): boolean {
  const { free, seen } = search;
  const state = `${others.length} ${free.map(String).sort().join(' ')}`;
  if (seen.has(state)) return false;
  seen.add(state);
  const missing = sum(free.map((node) => leastTaken(node, search)));
  if (missing === 0) return true;
  const [pod, ...rest] = others;
  // What is left to put cannot take as much.
  if (!pod || sum(others.flat().map(({ count }) => count)) < missing) return false;
  const unlike = free.filter((node, i) => free.findIndex((other) => String(other) === String(node)) === i);
  const put = unlike.flatMap((node) => choices(pod, node).map((left) => free.with(free.indexOf(node), left)));
  return [...put, free].some((after) => strands(rest, { ...search, free: after }));
}

function leastTaken(node: Amounts, { victim, least }: Search): number {
  const known = least.get(String(node));
  if (known !== undefined) return known;
  const without = partsOf(node).filter((left) => choices(victim, left).length === 0);
  const found = Math.min(...without.map((left) => sum(node) - sum(left)));
  least.set(String(node), found);
  return found;
}

/** Every part of what is free on a node, all of it and nothing included. */
function partsOf([first, ...rest]: Amounts): Amounts[] {
  if (first === undefined) return [[]];
  const others = partsOf(rest);
  return Array.from({ length: first + 1 }, (_, left) => others.map((other) => [left, ...other])).flat();
}

function sum(numbers: Amounts): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** What each choice of devices for a pod leaves of a node. None when it does not fit. */
export function choices([first, ...rest]: Wants, free: Amounts): Amounts[] {
  if (!first) return [free];
  const left = splits(first.count, first.kinds, free).flatMap((after) => choices(rest, after));
  return [...new Map(left.map((amounts) => [String(amounts), amounts])).values()];
}

function splits(count: number, [kind, ...rest]: readonly number[], free: Amounts): Amounts[] {
  if (kind === undefined) return count === 0 ? [free] : [];
  const has = free[kind] ?? 0;
  return Array.from({ length: Math.min(count, has) + 1 }, (_, taken) => taken).flatMap((taken) =>
    splits(count - taken, rest, free.with(kind, has - taken)),
  );
}
