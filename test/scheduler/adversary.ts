import type { Load } from '../../src/scheduler/capacity';

/**
 * Tries every arrangement of all pods but one on the nodes, also with some of them left out, and tells whether
 * any leaves no node for the one. Exponential: for a handful of pods on a handful of nodes.
 */
export function someArrangementStrands(
  devices: readonly number[],
  nodes: number,
  loads: readonly Load[],
): boolean {
  const pods = loads.flatMap(({ need, pods }) =>
    Array.from({ length: pods }, () => need as readonly number[]),
  );
  const distinct = [...new Map(pods.map((need) => [String(need), need])).values()];
  return distinct.some((victim) => {
    const others = [...pods];
    others.splice(others.indexOf(victim), 1);
    const used = Array.from({ length: nodes }, () => devices.map(() => 0));
    return strands(others, victim, devices, used);
  });
}

type Needs = readonly number[];

function strands(others: readonly Needs[], victim: Needs, devices: Needs, used: number[][]): boolean {
  if (used.every((node) => !fits(node, victim, devices))) return true;
  const [pod, ...rest] = others;
  if (!pod) return false;
  if (strands(rest, victim, devices, used)) return true;
  const tried = new Set<string>();
  return used.some((node, i) => {
    if (tried.has(String(node)) || !fits(node, pod, devices)) return false;
    tried.add(String(node));
    const next = used.map((other, j) => (i === j ? other.map((count, k) => count + (pod[k] ?? 0)) : other));
    return strands(rest, victim, devices, next);
  });
}

function fits(node: Needs, pod: Needs, devices: Needs): boolean {
  return devices.every((count, k) => (node[k] ?? 0) + (pod[k] ?? 0) <= count);
}
