/**
 * Devices that several pods share: of each capacity of a device, a pod takes an amount, and the sum of all amounts
 * is at most what the device has. The cluster chooses the device of each pod and moves no pod to another one.
 */
export interface DevicePart {
  /** What the pod takes of each capacity of a device. */
  readonly taken: readonly number[];
  /** What a device has of each. */
  readonly of: readonly number[];
}

/** The largest part of any capacity of a device, from 0 to 1. */
export function partOfDevice({ taken, of }: DevicePart): number {
  return Math.max(0, ...taken.map((amount, c) => (amount > 0 ? amount / (of[c] ?? amount) : 0)));
}

/** The smallest part of any capacity of a device. A bound: pods that take as much of every capacity fill a device. */
export function leastPartOf({ taken, of }: DevicePart): number {
  return Math.min(1, ...taken.map((amount, c) => (amount > 0 ? amount / (of[c] ?? amount) : 0)));
}

/**
 * When a node has no place for a pod that takes parts of shared devices: when other pods leave too little on so many
 * devices that fewer remain than it takes.
 */
export interface SharedLimit {
  /** The number of devices without room that keep the pod out. */
  readonly devices: number;
  /** What has to be taken of a device, of any one capacity, so that it has too little left for the pod. */
  readonly least: readonly number[];
  readonly of: readonly number[];
}

/** The limit of a pod that takes a part of `count` devices each, on a node with `has` of them. */
export function sharedLimitOf(count: number, { taken, of }: DevicePart, has: number): SharedLimit {
  const least = of.map((amount, c) => {
    const wanted = taken[c] ?? 0;
    return wanted > 0 ? amount - wanted + 1 : Infinity;
  });
  return { devices: has - count + 1, least, of };
}

interface TakenParts {
  readonly count: number;
  readonly part?: DevicePart;
}

/** Whether a pod leaves too little on enough devices, without the help of others. */
export function usesUpAlone({ devices, least }: SharedLimit, { count, part }: TakenParts): boolean {
  return count >= devices && least.some((amount, c) => (part?.taken[c] ?? 0) >= amount);
}

/** How much has to be taken on a node so that a limit is used up, and what each of some pods takes towards it. */
export interface SharedUsage {
  readonly limit: number;
  readonly weights: readonly number[];
}

/** The number of units of a device where a limit depends on several capacities, and of parts of a node. */
export const UNITS = 2 ** 24;

/**
 * How much pods take towards a limit that no pod reaches alone. On each device without room, they take at least
 * `least` of some capacity, rounded up to what amounts of these pods can add up to. No pod counts for more than that
 * on a device, nor on more devices than have to be without room.
 */
export function measureShared(
  { devices, least, of }: SharedLimit,
  pods: readonly (TakenParts | undefined)[],
): SharedUsage {
  const reached = least.map((amount, c) =>
    leastSum(
      amount,
      of[c] ?? 0,
      pods.map((pod) => pod?.part?.taken[c] ?? 0),
    ),
  );
  const finite = reached.flatMap((amount, c) => (Number.isFinite(amount) ? [{ amount, c }] : []));
  const [first, ...others] = finite;
  if (!first) return { limit: Infinity, weights: pods.map(() => 0) };
  const units = others.length > 0 ? UNITS : first.amount;
  const unitsOf = ({ taken }: DevicePart): number =>
    Math.max(...finite.map(({ amount, c }) => Math.ceil((Math.min(taken[c] ?? 0, amount) * units) / amount)));
  const weights = pods.map((pod) => (pod?.part ? Math.min(pod.count, devices) * unitsOf(pod.part) : 0));
  return { limit: devices * units, weights };
}

/** The least sum of some amounts, repeated at will, at or above `least`. Infinity if it is more than a device has. */
function leastSum(least: number, has: number, amounts: readonly number[]): number {
  const step = amounts.reduce(gcd, 0);
  if (step === 0 || !Number.isFinite(least)) return Infinity;
  const sum = Math.ceil(least / step) * step;
  return sum > has ? Infinity : sum;
}

/** The greatest common divisor of two numbers. */
export function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
