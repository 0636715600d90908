import type { NodeShape } from '../compile/shapes';
import { type CounterSetShape, Parent, type ParentState } from '../packing/counter-sets';

/** What is left of a node while requests get devices. */
interface Left {
  readonly counts: readonly number[];
  /** By counter set, what each of its parents has given out. */
  readonly parents: readonly (readonly ParentState[])[];
}

/** The most states that are tried. Pods have few requests, and parents of one state are tried once. */
const MAX_STATES = 20_000;

/**
 * Whether a node has devices for all requests of a pod at once, where some are partitions. Exact, unless there are too
 * many ways to try; then it says no.
 *
 * @param kinds the kinds that each request accepts
 */
export function fitPartitions(
  wants: readonly number[],
  kinds: readonly (readonly number[])[],
  node: NodeShape,
): boolean {
  const sets = node.counterSets ?? [];
  const parents = sets.map(
    (set) =>
      new Parent(
        set,
        kinds.map((accepted) => listDevices(set, accepted, node)),
      ),
  );
  const units = wants.flatMap((count, request) => Array.from({ length: count }, () => request));
  const seen = new Set<string>();
  const search = (at: number, left: Left): boolean => {
    const request = units[at];
    if (request === undefined) return true;
    const key = `${at} ${left.counts.join()} ${left.parents.map((states) => states.join('/')).join(' ')}`;
    if (seen.has(key) || seen.size > MAX_STATES) return false;
    seen.add(key);
    return listNext(request, left, { kinds: kinds[request] ?? [], node, parents }).some((next) => search(at + 1, next));
  };
  return search(0, {
    counts: node.counts,
    parents: sets.map(({ count }, s) => Array.from({ length: count }, () => parents[s]?.empty ?? [])),
  });
}

interface Offer {
  readonly kinds: readonly number[];
  readonly node: NodeShape;
  readonly parents: readonly Parent[];
}

/** What each choice of a device for a request leaves of a node. */
function listNext(request: number, { counts, parents: given }: Left, { kinds, node, parents }: Offer): Left[] {
  const whole = kinds.flatMap((kind): Left[] => {
    const has = counts[kind] ?? 0;
    return has > 0 && !node.kinds[kind]?.partition ? [{ counts: counts.with(kind, has - 1), parents: given }] : [];
  });
  const divided = given.flatMap((states, s) => {
    const different = states.filter((state, p) => states.findIndex((other) => String(other) === String(state)) === p);
    return different.flatMap((state) => {
      const after = parents[s]?.after(state, request) ?? [];
      return after.map((next): Left => {
        const all = states.with(states.indexOf(state), next).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
        return { counts, parents: given.with(s, all) };
      });
    });
  });
  return [...whole, ...divided];
}

function listDevices(set: CounterSetShape, kinds: readonly number[], node: NodeShape): number[] {
  return kinds.flatMap((kind) => {
    const partition = node.kinds[kind]?.partition;
    return partition?.set === set ? partition.devices : [];
  });
}
