import { capitalize } from '../../base/text';
import { NO_CREDENTIALS } from '../../diff/access-changes';
import type { GateFinding } from '../../diff/gate-findings';
import { SECOND_GATEWAY_ADVICE } from '../../routing/checks/routing-checks';

const ACCESS_HINT =
  'Keep what clients use until they have other credentials; if they can lose access, add --accept-removals to plan --gate';

/** Of what accepts one kind of credentials, a second one serves for the time in between. */
function adviseOnSecond(noun: string, kind: string, what: string): string {
  return `One ${noun} accepts keys, or tokens of one issuer: leave it as it is, add a second ${kind} with ${what}, and remove the first when its clients use the second; if they can lose access, add --accept-removals to plan --gate`;
}

const SECOND_SERVICE_HINT = adviseOnSecond('service', 'ModelService', 'the same endpoints and the new auth');

const SECOND_GATEWAY_HINT = adviseOnSecond('ingress gateway', 'InferenceGateway', 'the new auth');

const FIRST_CREDENTIALS_HINT = `${capitalize(SECOND_GATEWAY_ADVICE)}; if they have credentials or can lose access, add --accept-removals to plan --gate`;

const MOVED_KEYS_HINT = 'Copy the keys into that Secret first; if it has them, add --accept-removals to plan --gate';

/** What to do before clients lose access. Those that needed no credentials have none that could be kept. */
export function adviseOnAccess(finding: Extract<GateFinding, { kind: 'access-lost' }>): string {
  const { service, lostClients, refused, instead } = finding;
  if (instead) return service.spec.auth === undefined ? SECOND_GATEWAY_HINT : SECOND_SERVICE_HINT;
  if (lostClients.length + refused.length === 0) return MOVED_KEYS_HINT;
  const isFirst = lostClients.length === 0 && refused.every((whose) => NO_CREDENTIALS.has(whose));
  return isFirst ? FIRST_CREDENTIALS_HINT : ACCESS_HINT;
}
