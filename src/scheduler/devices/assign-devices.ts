/**
 * Assigns devices to every request of a pod at once, exactly. A request takes from the kinds of device that it
 * matches, and a kind gives at most what a node has. Uses augmenting paths, so that a request that matches several
 * kinds makes way for one that does not.
 *
 * @param wants the number of devices that each request needs
 * @param has the number of devices of each kind on a node
 * @param matches the kinds that each request accepts
 * @returns the devices that each request takes of each kind, or undefined if they cannot all be met
 *
 * @example
 * assignDevices([4, 4], [4, 4], [[0, 1], [0]]); // [[0, 4], [4, 0]]
 */
export function assignDevices(
  wants: readonly number[],
  has: readonly number[],
  matches: readonly (readonly number[])[],
): number[][] | undefined {
  const free = [...has];
  const taken = wants.map(() => has.map(() => 0));
  for (const [request, want] of wants.entries()) {
    for (let missing = want; missing > 0; ) {
      const moved = augment(request, missing, { free, taken, matches, seen: new Set() });
      if (moved === 0) return undefined;
      missing -= moved;
    }
  }
  return taken;
}

interface FlowSearch {
  readonly free: number[];
  readonly taken: number[][];
  readonly matches: readonly (readonly number[])[];
  readonly seen: Set<number>;
}

/** Gives `request` up to `most` devices. Moves other requests to other kinds if that makes room. */
function augment(request: number, most: number, search: FlowSearch): number {
  for (const kind of search.matches[request] ?? []) {
    if (search.seen.has(kind)) continue;
    search.seen.add(kind);
    const given = takeFree(kind, most, search) || takeFromOthers(kind, most, search);
    if (given === 0) continue;
    addDevices(search.taken, request, kind, given);
    return given;
  }
  return 0;
}

function takeFree(kind: number, most: number, { free }: FlowSearch): number {
  const given = Math.min(most, free[kind] ?? 0);
  free[kind] = (free[kind] ?? 0) - given;
  return given;
}

/** Takes devices of `kind` from a request that holds some and can have others instead. */
function takeFromOthers(kind: number, most: number, search: FlowSearch): number {
  for (const [holder, kinds] of search.taken.entries()) {
    const held = Math.min(most, kinds[kind] ?? 0);
    const moved = held > 0 ? augment(holder, held, search) : 0;
    if (moved === 0) continue;
    addDevices(search.taken, holder, kind, -moved);
    return moved;
  }
  return 0;
}

function addDevices(taken: number[][], request: number, kind: number, count: number): void {
  const kinds = taken[request];
  if (kinds) kinds[kind] = (kinds[kind] ?? 0) + count;
}
