import { formatAmount } from '../../base/money';
import { joinNames } from '../../base/text';
import type { RaisedSurge, ReservedForRollouts } from '../../diff/raised-surges';
import { formatAccelerators } from '../../plan/remedy-messages';

/** The most pools to name. */
const MAX_NAMED = 3;

/** `8 GPUs of us/h100 worth $7,300 a month`. */
export function formatReserved(reserved: readonly ReservedForRollouts[]): string {
  const parts = reserved.map(({ pool, cost, ...has }) => {
    const price = cost ? ` worth ${formatAmount(cost.perMonth, cost.currency)} a month` : '';
    return `${formatAccelerators(has)} of ${pool}${price}`;
  });
  return joinNames(parts, MAX_NAMED, ' and ');
}

/** `the surge of ml/q reserves 8 GPUs of us/h100 worth $7,300 a month, idle between rollouts`. */
export function describeRaisedSurges(
  surges: readonly RaisedSurge[] = [],
  format: (deployment: string) => string = String,
): string[] {
  return surges.map(({ deployment, reserved }) => {
    return `the surge of ${format(deployment)} reserves ${formatReserved(reserved)}, idle between rollouts`;
  });
}
