import { parseQuantity } from '../../cel/values/quantity';
import type { DeviceCapacity, DeviceKind, RequestAlternative } from '../compile/shapes';
import type { DevicePart } from '../packing/shared-devices';

/** A capacity of which a device has too little for a request, or that it does not have. */
export interface CapacityShortage {
  readonly capacity: string;
  readonly wanted: number;
  /** Absent if the device does not publish the capacity. */
  readonly has?: number;
}

/** What a request takes of a device, after the rounding of the driver, or of what the device has too little. */
export function partOf(
  { capacity: texts = {} }: Pick<RequestAlternative, 'capacity'>,
  kind: DeviceKind,
): DevicePart | CapacityShortage {
  const requested = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, parseQuantity(text).asApproximateFloat()]),
  );
  const unknown = Object.keys(requested).find((name) => !kind.capacities.some((capacity) => capacity.name === name));
  if (unknown !== undefined) return { capacity: unknown, wanted: requested[unknown] ?? 0 };
  const taken = kind.capacities.map((capacity) => roundUp(requested[capacity.name], capacity));
  const of = kind.capacities.map(({ amount }) => amount);
  const short = kind.capacities.findIndex((capacity, c) => !isAllowed(taken[c] ?? 0, capacity));
  const lacking = kind.capacities[short];
  return lacking ? { capacity: lacking.name, wanted: taken[short] ?? 0, has: lacking.amount } : { taken, of };
}

/**
 * What the allocator takes of a capacity for a requested amount: the next amount that the driver permits. It is the
 * requested amount if there is none, which no device has then.
 */
function roundUp(requested: number | undefined, { standard, values, range }: DeviceCapacity): number {
  if (requested === undefined) return standard;
  if (values) return values.find((value) => requested <= value) ?? requested;
  if (!range) return requested;
  const { min, step } = range;
  if (requested < min) return min;
  return step === undefined ? requested : min + step * Math.ceil((requested - min) / step);
}

function isAllowed(taken: number, { amount, standard, values, range }: DeviceCapacity): boolean {
  if (taken > amount) return false;
  if (taken === standard) return true;
  return values ? values.includes(taken) : taken <= (range?.max ?? amount);
}

/** Whether two parts of one device for the same request are possible, so that a count says nothing of devices. */
export function fitsTwice({ taken, of }: DevicePart): boolean {
  return taken.every((amount, c) => 2 * amount <= (of[c] ?? 0));
}
