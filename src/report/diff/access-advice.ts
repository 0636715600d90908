import { capitalize } from '../../base/text';
import { NO_CREDENTIALS } from '../../diff/access-changes';
import type { GateFinding } from '../../diff/gate-findings';
import { SECOND_GATEWAY_ADVICE } from '../../routing/checks/routing-checks';

const ACCESS_HINT =
  'Keep what clients use until they have other credentials; if they can lose access, add --accept-removals to plan --gate';

const FIRST_CREDENTIALS_HINT = `${capitalize(SECOND_GATEWAY_ADVICE)}; if they have credentials or can lose access, add --accept-removals to plan --gate`;

const MOVED_KEYS_HINT = 'Copy the keys into that Secret first; if it has them, add --accept-removals to plan --gate';

/** What to do before clients lose access. Those that needed no credentials have none that could be kept. */
export function adviseOnAccess({ lostClients, refused }: Extract<GateFinding, { kind: 'access-lost' }>): string {
  if (lostClients.length + refused.length === 0) return MOVED_KEYS_HINT;
  const isFirst = lostClients.length === 0 && refused.every((whose) => NO_CREDENTIALS.has(whose));
  return isFirst ? FIRST_CREDENTIALS_HINT : ACCESS_HINT;
}
