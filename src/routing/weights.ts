import { formatPercent } from '../base/figures';
import type { RouteMember } from './routing';

/** The weight of a service entry, and the number of replicas or endpoints of each member. */
export interface WeightShare {
  readonly weight: number;
  readonly counts: readonly number[];
}

/** The largest weight in Gateway API. */
const MAX_WEIGHT = 1_000_000n;

/**
 * Computes the weight of each member of each entry. Entries share requests exactly as declared, and every replica of an
 * entry gets the same share. The weights are integers without a common divisor. Entries without members get no
 * requests.
 *
 * If exact integers exceed the limit of Gateway API, they are scaled down and rounded, to at least 1.
 *
 * @example
 * computeWeights([{ weight: 80, counts: [2, 1] }, { weight: 20, counts: [1] }]); // [[8, 4], [3]]
 */
export function computeWeights(shares: readonly WeightShare[]): number[][] {
  const scale = shares.reduce((all, share) => leastCommonMultiple(all, sizeOf(share)), 1n);
  const exact = shares.flatMap((share) => {
    const perReplica = (BigInt(share.weight) * scale) / sizeOf(share);
    return share.counts.map((count) => perReplica * BigInt(count));
  });
  const fitting = fitWeights(exact);
  let next = 0;
  return shares.map(({ counts }) => fitting.slice(next, (next += counts.length)));
}

/**
 * Converts weights to integers without a common divisor. If a weight exceeds the limit of Gateway API, all are scaled
 * down and rounded, to at least 1.
 */
export function fitWeights(exact: readonly bigint[]): number[] {
  const divisor = exact.reduce(greatestCommonDivisor, 0n);
  const largest = exact.reduce((most, weight) => (weight > most ? weight : most), 0n);
  return exact.map((weight) => Number(fitWeight(weight, divisor, largest)));
}

/** Returns 1 for an entry without members, to avoid a division by zero. */
function sizeOf({ counts }: WeightShare): bigint {
  return BigInt(counts.reduce((sum, count) => sum + count, 0) || 1);
}

function fitWeight(weight: bigint, divisor: bigint, largest: bigint): bigint {
  if (largest / divisor <= MAX_WEIGHT) return weight / divisor;
  const rounded = (2n * weight * MAX_WEIGHT + largest) / (2n * largest);
  return rounded > 1n ? rounded : 1n;
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

/** Formats a share of the requests of a tier as a fraction in lowest terms: `4/5`, `1`. */
export function formatShare(weight: number, total: number, parts = 1): string {
  const [top, bottom] = [BigInt(weight), BigInt(total) * BigInt(parts)];
  const divisor = greatestCommonDivisor(top, bottom);
  return bottom === divisor ? String(top / divisor) : `${top / divisor}/${bottom / divisor}`;
}

/** Formats a share for people: `80 %`, `33.3 %`. */
export function formatShareAsPercent(weight: number, total: number): string {
  const percent = (weight * 100) / total;
  return Number.isInteger(percent) ? `${percent} %` : formatPercent(weight / total);
}

/** Returns the total weight of the members of a tier. */
export function totalWeightOf(members: readonly RouteMember[], tier: RouteMember['tier']): number {
  return members.reduce((sum, member) => (member.tier === tier ? sum + member.weight : sum), 0);
}
