import type { Load } from '../../src/scheduler/capacity';
import type { Want } from '../../src/scheduler/need';

type Amounts = readonly number[];
type Wants = readonly Want[];

/**
 * Tries every arrangement of all pods but one on the nodes, with every choice of devices, also with some pods left
 * out, and tells whether any leaves no node for the one. Exponential: for a handful of pods on a handful of nodes.
 */
export function someArrangementStrands(amounts: Amounts, nodes: number, loads: readonly Load[]): boolean {
  const pods = loads.flatMap(({ need, pods }) => Array.from({ length: pods }, () => need as Wants));
  const distinct = [...new Map(pods.map((need) => [JSON.stringify(need), need])).values()];
  return distinct.some((victim) => {
    const others = [...pods];
    others.splice(others.indexOf(victim), 1);
    const free = Array.from({ length: nodes }, () => amounts);
    return strands(others, { victim, free, seen: new Set() });
  });
}

interface Search {
  readonly victim: Wants;
  readonly free: readonly Amounts[];
  /** States that were looked at, whichever node is which. */
  readonly seen: Set<string>;
}

function strands(others: readonly Wants[], search: Search): boolean {
  const { victim, free, seen } = search;
  const state = `${others.length} ${free.map(String).sort().join(' ')}`;
  if (seen.has(state)) return false;
  seen.add(state);
  if (free.every((node) => choices(victim, node).length === 0)) return true;
  const [pod, ...rest] = others;
  if (!pod) return false;
  const put = free.flatMap((node, i) => choices(pod, node).map((left) => free.with(i, left)));
  return [free, ...put].some((after) => strands(rest, { ...search, free: after }));
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
