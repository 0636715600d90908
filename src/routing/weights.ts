import type { RouteMember } from './routing';

/** An entry of a service: what it declares, and the replicas or endpoints of each of its members. */
export interface WeightShare {
  readonly weight: number;
  readonly counts: readonly number[];
}

/** The largest weight that Gateway API takes. */
const MAX_WEIGHT = 1_000_000n;

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
export function computeWeights(shares: readonly WeightShare[]): number[][] {
  const scale = shares.reduce((all, share) => leastMultiple(all, sizeOf(share)), 1n);
  const exact = shares.flatMap((share) => {
    const perReplica = (BigInt(share.weight) * scale) / sizeOf(share);
    return share.counts.map((count) => perReplica * BigInt(count));
  });
  const fitting = fitWeights(exact);
  let next = 0;
  return shares.map(({ counts }) => fitting.slice(next, (next += counts.length)));
}

/**
 * The same proportions as integers without a common divisor. Those above what Gateway API takes are scaled down and
 * rounded, none to less than 1.
 */
export function fitWeights(exact: readonly bigint[]): number[] {
  const divisor = exact.reduce(greatestCommonDivisor, 0n);
  const largest = exact.reduce((most, weight) => (weight > most ? weight : most), 0n);
  return exact.map((weight) => Number(fitWeight(weight, divisor, largest)));
}

/** 1 for an entry without members, which then divides nothing. */
function sizeOf({ counts }: WeightShare): bigint {
  return BigInt(counts.reduce((sum, count) => sum + count, 0) || 1);
}

function fitWeight(weight: bigint, divisor: bigint, largest: bigint): bigint {
  if (largest / divisor <= MAX_WEIGHT) return weight / divisor;
  const rounded = (2n * weight * MAX_WEIGHT + largest) / (2n * largest);
  return rounded > 1n ? rounded : 1n;
}

function leastMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

/** A share of all requests of a tier, as a fraction in lowest terms: `4/5`, `1`. */
export function formatShare(weight: number, total: number, parts = 1): string {
  const [top, bottom] = [BigInt(weight), BigInt(total) * BigInt(parts)];
  const divisor = greatestCommonDivisor(top, bottom);
  return bottom === divisor ? String(top / divisor) : `${top / divisor}/${bottom / divisor}`;
}

/** A share for people: percent where that is exact, else the fraction. */
export function formatShareAsPercent(weight: number, total: number): string {
  const percent = (weight * 100) / total;
  return Number.isInteger(percent) ? `${percent} %` : formatShare(weight, total);
}

/** The weights of all members of a tier together. */
export function totalWeightOf(members: readonly RouteMember[], tier: RouteMember['tier']): number {
  return members.reduce((sum, member) => (member.tier === tier ? sum + member.weight : sum), 0);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
