import type { Load } from './capacity';
import type { Want } from './need';

/** Above this many pods the exact search would take too long, and first-fit decreasing has to do. */
const MOST_SEARCHED = 12;

/**
 * The fewest identical nodes into which pods can be packed, for clusters whose scheduler packs. First-fit
 * decreasing, and an exact search where that may be improved and the pods are few. A pod that may choose between
 * kinds takes a node of its own.
 *
 * @example
 * nodesToPack([8], [{ need: [{ count: 1, kinds: [0] }], pods: 4 }, { need: [{ count: 8, kinds: [0] }], pods: 1 }]); // 2
 */
export function nodesToPack(amounts: readonly number[], loads: readonly Load[]): number {
  const alone = podsOf(loads.filter(({ need }) => isFlexible(need)));
  const items = loads.flatMap(({ need, pods }): Item[] =>
    isFlexible(need) || pods === 0 ? [] : [{ pod: vectorOf(need, amounts.length), pods }],
  );
  items.sort(
    (a, b) => largestShare(b.pod, amounts) - largestShare(a.pod, amounts) || compareVectors(b.pod, a.pod),
  );
  const greedy = firstFit(items, amounts);
  const least = lowerBound(items, amounts);
  if (greedy === least || podsOf(items) > MOST_SEARCHED) return alone + greedy;
  return alone + fewest(items, amounts, { least, greedy });
}

type Vector = readonly number[];

/** Pods that take the same. */
interface Item {
  readonly pod: Vector;
  readonly pods: number;
}

/** Nodes that have the same left. */
interface Group {
  readonly free: Vector;
  readonly nodes: number;
}

function podsOf(items: readonly { readonly pods: number }[]): number {
  return items.reduce((sum, { pods }) => sum + pods, 0);
}

function isFlexible(need: Load['need']): need is 'node' {
  return need === 'node' || need.some(({ kinds }) => kinds.length > 1);
}

function vectorOf(wants: readonly Want[], kinds: number): Vector {
  return Array.from({ length: kinds }, (_, kind) =>
    wants.filter((want) => want.kinds[0] === kind).reduce((sum, { count }) => sum + count, 0),
  );
}

/** First fit, many pods at a time: neighbouring nodes that have the same left are one group. */
function firstFit(items: readonly Item[], amounts: Vector): number {
  let groups: readonly Group[] = [];
  let stranded = 0;
  for (const { pod, pods } of items) {
    // As many empty nodes as the pods can need stand at the end; those that stay empty do not count.
    let left = pods;
    const after = [...groups, { free: amounts, nodes: pods }].flatMap((group) => {
      const filled = fill(group, pod, left);
      left -= filled.taken;
      return filled.groups;
    });
    groups = after.filter(({ free }) => free !== amounts);
    stranded += left;
  }
  return stranded + groups.reduce((sum, { nodes }) => sum + nodes, 0);
}

/** Puts pods on the nodes of a group, one node after the other, as many on each as fit. */
function fill({ free, nodes }: Group, pod: Vector, pods: number): { groups: Group[]; taken: number } {
  const each = Math.min(
    ...pod.map((count, kind) => (count > 0 ? Math.floor((free[kind] ?? 0) / count) : Infinity)),
  );
  const taken = Math.min(pods, each * nodes);
  const full = Math.floor(taken / each) || 0;
  const rest = taken - full * each || 0;
  const groups = [
    { free: less(free, pod, each), nodes: full },
    { free: less(free, pod, rest), nodes: rest > 0 ? 1 : 0 },
    { free, nodes: nodes - full - (rest > 0 ? 1 : 0) },
  ];
  return { groups: groups.filter((group) => group.nodes > 0), taken };
}

/** The fewest nodes that an exact search finds, between two bounds. */
function fewest(
  items: readonly Item[],
  amounts: Vector,
  { least, greedy }: { least: number; greedy: number },
): number {
  const pods = items.flatMap(({ pod, pods }) => Array.from({ length: pods }, () => pod));
  const empty = (nodes: number): Vector[] => Array.from({ length: nodes }, () => amounts);
  let nodes = least;
  while (nodes < greedy && !packs(pods, empty(nodes))) nodes++;
  return nodes;
}

/** Depth first; nodes with the same left are tried once. */
function packs([pod, ...rest]: readonly Vector[], free: readonly Vector[]): boolean {
  if (!pod) return true;
  const tried = new Set<string>();
  return free.some((node, i) => {
    const state = String(node);
    if (tried.has(state) || !fits(pod, node)) return false;
    tried.add(state);
    return packs(rest, [...free.slice(0, i), less(node, pod), ...free.slice(i + 1)]);
  });
}

function lowerBound(items: readonly Item[], amounts: Vector): number {
  const total = (kind: number): number =>
    items.reduce((sum, { pod, pods }) => sum + pods * (pod[kind] ?? 0), 0);
  return Math.max(0, ...amounts.map((amount, kind) => (amount > 0 ? Math.ceil(total(kind) / amount) : 0)));
}

function fits(pod: Vector, free: Vector): boolean {
  return pod.every((count, kind) => count <= (free[kind] ?? 0));
}

function less(free: Vector, pod: Vector, pods = 1): Vector {
  return pods === 0 ? free : free.map((amount, kind) => amount - pods * (pod[kind] ?? 0));
}

function largestShare(pod: Vector, amounts: Vector): number {
  return Math.max(0, ...pod.map((count, kind) => (count > 0 ? count / (amounts[kind] ?? 1) : 0)));
}

function compareVectors(a: Vector, b: Vector): number {
  return a.map((count, kind) => count - (b[kind] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
