import { formatCount } from '../../base/figures';
import { formatChange, joinAnd } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';

/** `idle GPUs: 26 -> 24 (24 on eu, which is lost)`. Empty where as many are idle. */
export function formatIdle(idle: FleetDiff['idleAccelerators']): string[] {
  const { before, after } = idle;
  return before === after ? [] : [`idle GPUs: ${formatChange(before, after)}${describeIdleLost(idle)}`];
}

/** ` (24 on eu, which is lost)`: idle accelerators that no replica can take. Empty where there are none. */
export function describeIdleLost({ lost = [] }: FleetDiff['idleAccelerators']): string {
  if (lost.length === 0) return '';
  const count = formatCount(lost.reduce((sum, { accelerators }) => sum + accelerators, 0));
  return ` (${count} on ${joinAnd(lost.map(({ cluster }) => cluster))}, which ${lost.length === 1 ? 'is' : 'are'} lost)`;
}
