import { NO_CREDENTIALS } from '../../diff/access-changes';
import type { GateFinding } from '../../diff/gate-findings';
import { SECOND_GATEWAY_ADVICE } from '../../routing/checks/routing-checks';
import { type Advice, orAccept } from './choices';

const ACCESS_ADVICE = orAccept(
  { text: "keep the former credentials in 'auth' until clients have others" },
  'if they can lose access',
);

/** Of what accepts one kind of credentials, a second one serves for the time in between. */
function adviseOnSecond(noun: string, kind: string, what: string): Advice {
  return orAccept(
    {
      text: `leave the ${noun} as it is, add a second ${kind} with ${what}, and remove the first when its clients use the second`,
      more: [`One ${noun} accepts keys, or tokens of one issuer`],
    },
    'if its clients can lose access',
  );
}

const SECOND_SERVICE_ADVICE = adviseOnSecond('service', 'ModelService', 'the same endpoints and the new auth');

const SECOND_INGRESS_ADVICE = adviseOnSecond('ingress gateway', 'InferenceGateway', 'the new auth');

const FIRST_CREDENTIALS_ADVICE = orAccept(
  { text: SECOND_GATEWAY_ADVICE },
  'if they have credentials or can lose access',
);

const MOVED_KEYS_ADVICE = orAccept({ text: 'copy the keys into that Secret first' }, 'if it has them');

/** What to do before clients lose access. Those that needed no credentials have none that could be kept. */
export function adviseOnAccess(finding: Extract<GateFinding, { kind: 'access-lost' }>): Advice {
  const { service, lostClients, refused, instead } = finding;
  if (instead) return service.spec.auth === undefined ? SECOND_INGRESS_ADVICE : SECOND_SERVICE_ADVICE;
  if (lostClients.length + refused.length === 0) return MOVED_KEYS_ADVICE;
  const isFirst = lostClients.length === 0 && refused.every((whose) => NO_CREDENTIALS.has(whose));
  return isFirst ? FIRST_CREDENTIALS_ADVICE : ACCESS_ADVICE;
}
