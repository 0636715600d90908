import type { Member } from './routing';

/** A share of all requests of a tier, as a fraction in lowest terms: `4/5`, `1`. */
export function shareText(weight: number, total: number, parts = 1): string {
  const [top, bottom] = [BigInt(weight), BigInt(total) * BigInt(parts)];
  const divisor = greatest(top, bottom);
  return bottom === divisor ? String(top / divisor) : `${top / divisor}/${bottom / divisor}`;
}

/** A share for people: percent where that is exact, else the fraction. */
export function percentText(weight: number, total: number): string {
  const percent = (weight * 100) / total;
  return Number.isInteger(percent) ? `${percent} %` : shareText(weight, total);
}

/** The weights of all members of a tier together. */
export function totalWeight(members: readonly Member[], tier: Member['tier']): number {
  return members.reduce((sum, member) => (member.tier === tier ? sum + member.weight : sum), 0);
}

function greatest(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatest(b, a % b);
}
