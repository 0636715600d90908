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
  const alone = loads.filter(({ need }) => isFlexible(need)).reduce((sum, { pods }) => sum + pods, 0);
  const pods = loads.flatMap(({ need, pods }) =>
    isFlexible(need) ? [] : Array.from({ length: pods }, () => vectorOf(need, amounts.length)),
  );
  pods.sort((a, b) => largestShare(b, amounts) - largestShare(a, amounts) || compareVectors(b, a));
  const greedy = firstFit(pods, amounts);
  const least = lowerBound(pods, amounts);
  if (greedy === least || pods.length > MOST_SEARCHED) return alone + greedy;
  let nodes = least;
  while (
    nodes < greedy &&
    !packs(
      pods,
      Array.from({ length: nodes }, () => amounts),
    )
  )
    nodes++;
  return alone + nodes;
}

type Vector = readonly number[];

function isFlexible(need: Load['need']): need is 'node' {
  return need === 'node' || need.some(({ kinds }) => kinds.length > 1);
}

function vectorOf(wants: readonly Want[], kinds: number): Vector {
  return Array.from({ length: kinds }, (_, kind) =>
    wants.filter((want) => want.kinds[0] === kind).reduce((sum, { count }) => sum + count, 0),
  );
}

function firstFit(pods: readonly Vector[], amounts: Vector): number {
  const nodes: Vector[] = [];
  for (const pod of pods) {
    const found = nodes.findIndex((free) => fits(pod, free));
    if (found < 0) nodes.push(less(amounts, pod));
    else nodes[found] = less(nodes[found] ?? amounts, pod);
  }
  return nodes.length;
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

function lowerBound(pods: readonly Vector[], amounts: Vector): number {
  const total = (kind: number): number => pods.reduce((sum, pod) => sum + (pod[kind] ?? 0), 0);
  return Math.max(0, ...amounts.map((amount, kind) => (amount > 0 ? Math.ceil(total(kind) / amount) : 0)));
}

function fits(pod: Vector, free: Vector): boolean {
  return pod.every((count, kind) => count <= (free[kind] ?? 0));
}

function less(free: Vector, pod: Vector): Vector {
  return free.map((amount, kind) => amount - (pod[kind] ?? 0));
}

function largestShare(pod: Vector, amounts: Vector): number {
  return Math.max(0, ...pod.map((count, kind) => (count > 0 ? count / (amounts[kind] ?? 1) : 0)));
}

function compareVectors(a: Vector, b: Vector): number {
  return a.map((count, kind) => count - (b[kind] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
