/** An entry of a service: what it declares, and the replicas or endpoints of each of its members. */
export interface Share {
  readonly weight: number;
  readonly counts: readonly number[];
}

/** The largest weight that Gateway API takes. */
const MOST = 1_000_000n;

/**
 * The weight of each member of each entry, so that entries share requests exactly as they declare and every replica
 * of an entry gets the same: integers without a common divisor. Entries without members get nothing.
 *
 * Only where the exact integers are above what Gateway API takes are they scaled down and rounded, none to less
 * than 1.
 *
 * @example
 * exactWeights([{ weight: 80, counts: [2, 1] }, { weight: 20, counts: [1] }]); // [[8, 4], [3]]
 */
export function exactWeights(shares: readonly Share[]): number[][] {
  const scale = shares.reduce((all, share) => leastMultiple(all, sizeOf(share)), 1n);
  const exact = shares.flatMap((share) => {
    const perReplica = (BigInt(share.weight) * scale) / sizeOf(share);
    return share.counts.map((count) => perReplica * BigInt(count));
  });
  const fitting = fittingWeights(exact);
  let next = 0;
  return shares.map(({ counts }) => fitting.slice(next, (next += counts.length)));
}

/**
 * The same proportions as integers without a common divisor. Those above what Gateway API takes are scaled down and
 * rounded, none to less than 1.
 */
export function fittingWeights(exact: readonly bigint[]): number[] {
  const divisor = exact.reduce(greatestDivisor, 0n);
  const largest = exact.reduce((most, weight) => (weight > most ? weight : most), 0n);
  return exact.map((weight) => Number(fitted(weight, divisor, largest)));
}

/** 1 for an entry without members, which then divides nothing. */
function sizeOf({ counts }: Share): bigint {
  return BigInt(counts.reduce((sum, count) => sum + count, 0) || 1);
}

function fitted(weight: bigint, divisor: bigint, largest: bigint): bigint {
  if (largest / divisor <= MOST) return weight / divisor;
  const rounded = (2n * weight * MOST + largest) / (2n * largest);
  return rounded > 1n ? rounded : 1n;
}

function leastMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestDivisor(a, b)) * b;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}
