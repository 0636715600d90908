import { formatAmount } from '../../base/money';
import { joinAnd, pluralize } from '../../base/text';
import type { RaisedSurge, ReservedForRollouts } from '../../diff/raised-surges';
import { formatAccelerators } from '../../plan/remedy-messages';

/** The most pools to name. */
const MAX_NAMED = 3;

/** `8 GPUs of us/h100 worth $7,300 a month and 4 GPUs of eu/h100`; of many pools `… and those of 2 more pools`. */
export function formatReserved(reserved: readonly ReservedForRollouts[]): string {
  const parts = reserved.map(({ pool, cost, ...has }) => {
    const price = cost ? ` worth ${formatAmount(cost.perMonth, cost.currency)} a month` : '';
    return `${formatAccelerators(has)} of ${pool}${price}`;
  });
  // To name one more takes no more room than to count it.
  if (parts.length <= MAX_NAMED + 1) return joinAnd(parts);
  const more = pluralize(parts.length - MAX_NAMED, 'more pool');
  return joinAnd([...parts.slice(0, MAX_NAMED), `those of ${more}`]);
}

/**
 * `the surge of ml/q reserves 8 GPUs of us/h100 worth $7,300 a month, idle between rollouts`; of pools that scale,
 * `idle between rollouts unless the pool scales down`.
 */
export function describeRaisedSurges(
  surges: readonly RaisedSurge[] = [],
  format: (deployment: string) => string = String,
): string[] {
  return surges.map(({ deployment, reserved }) => {
    const scaling = reserved.filter(({ scales }) => scales).length;
    const pools =
      reserved.length === 1 ? 'the pool scales' : scaling < reserved.length ? 'a pool scales' : 'the pools scale';
    const unless = scaling > 0 ? ` unless ${pools} down` : '';
    return `the surge of ${format(deployment)} reserves ${formatReserved(reserved)}, idle between rollouts${unless}`;
  });
}
