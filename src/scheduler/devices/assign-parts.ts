import type { DevicePart } from '../packing/shared-devices';
import { assignDevices } from './assign-devices';

/** A kind of device of a node, and what each request takes of one device if pods share the devices of the kind. */
interface OfferedKind {
  readonly has: number;
  readonly parts?: readonly (DevicePart | undefined)[];
}

/**
 * Like `assignDevices`, if several requests of a pod may take parts of the same shared device. A request that could
 * take devices of other kinds instead is not moved to these when the parts do not fit.
 */
export function assignParts(
  wants: readonly number[],
  kinds: readonly OfferedKind[],
  matches: readonly (readonly number[])[],
): number[][] | undefined {
  const all = wants.reduce((sum, count) => sum + count, 0);
  const has = kinds.map((kind) => (kind.parts ? all : kind.has));
  const taken = assignDevices(wants, has, matches);
  const fits =
    taken && kinds.every((kind, k) => !kind.parts || fitOnDevices(listParts(kind.parts, taken, k), kind.has));
  return fits ? taken : undefined;
}

function listParts(
  parts: readonly (DevicePart | undefined)[],
  taken: readonly (readonly number[])[],
  kind: number,
): DevicePart[] {
  return parts.flatMap((part, r) =>
    Array.from({ length: part ? (taken[r]?.[kind] ?? 0) : 0 }, () => part ?? []).flat(),
  );
}

/** Whether a number of devices has room for all parts at once. Exact. */
function fitOnDevices(
  parts: readonly DevicePart[],
  devices: number,
  used: readonly (readonly number[])[] = [],
): boolean {
  const [part, ...rest] = parts;
  if (!part) return true;
  const { taken, of } = part;
  const onUsed = used.some((sums, d) => {
    const after = sums.map((sum, c) => sum + (taken[c] ?? 0));
    return after.every((sum, c) => sum <= (of[c] ?? 0)) && fitOnDevices(rest, devices, used.with(d, after));
  });
  return onUsed || (used.length < devices && fitOnDevices(rest, devices, [...used, taken]));
}
