import type { Remedy } from '../scheduler/remedy';

const BYTES = /^(\d+)(Ki|Mi|Gi|Ti)$/;
const UNITS: Readonly<Record<string, number>> = { Ki: 1, Mi: 1024, Gi: 1024 ** 2, Ti: 1024 ** 3 };

/** A device that has this part of a quantity publishes less than its nominal size, and has it by name. */
const NOMINAL_PART = 0.9;

/**
 * Whether a remedy writes the quantity that was probably meant: one digit less, as 79Gi for 790Gi, or what a device
 * publishes of its nominal size, as 79Gi for 80Gi.
 */
export function isProbablyMeant(remedy: Remedy): boolean {
  if (remedy.kind !== 'bound') return false;
  const [from, to] = [BYTES.exec(remedy.from), BYTES.exec(remedy.to)];
  if (!from || !to) return false;
  return sizeOf(to) >= NOMINAL_PART * sizeOf(from) || (from[2] === to[2] && hasDigitMore(from[1] ?? '', to[1] ?? ''));
}

/** Whether a remedy asks for less of a quantity: 79Gi for 100Gi. */
export function asksForLess({ from, to }: Extract<Remedy, { kind: 'bound' }>): boolean {
  const [was, is] = [BYTES.exec(from), BYTES.exec(to)];
  return was !== null && is !== null && sizeOf(is) < sizeOf(was);
}

function sizeOf([, digits, unit]: RegExpExecArray): number {
  return Number(digits) * (UNITS[unit ?? ''] ?? 0);
}

/** Whether a number is another one with one digit more. */
function hasDigitMore(long: string, short: string): boolean {
  return Array.from(long, (_, i) => long.slice(0, i) + long.slice(i + 1)).includes(short);
}
