import { formatSeconds } from '../base/duration';
import { formatCount } from '../base/figures';
import { joinAnd } from '../base/text';
import type { Auth, RateLimit } from '../routing/traffic-types';
import { compareAccess } from './access-changes';
import type { ServicePair, ServiceWarning } from './service-pair';

/** Finds limits of requests that are new, or lower than before. */
export function findLowerLimits({ id, was, is }: ServicePair): ServiceWarning[] {
  const { limits, clients } = compareAccess(was, is);
  return limits.map(({ before, after, proxies }) => {
    const counted = clients && after.by === 'Key' ? describeClients(clients) : '';
    return {
      code: 'limit-lowered',
      what: `${id} accepts at most ${describeChange(before, after)}, at each of ${formatCount(proxies)} gateway proxies`,
      hint: `${counted}Requests above the limit get 429. Check what clients send`,
    };
  });
}

/** Finds times after which requests end that could last longer before. */
export function findEarlierEnds({ id, was, is }: ServicePair): ServiceWarning[] {
  const { ends } = compareAccess(was, is);
  if (ends.length === 0) return [];
  const after = ends.map((one) => `after ${formatSeconds(one.after)}${END_WORDS[one.of]}`);
  const what = `${id} ends requests ${joinAnd(after)}, earlier than before`;
  const streamed = ends.some(({ of }) => of === 'request') ? ': streamed answers end too' : '';
  return [
    { code: 'limit-lowered', what, hint: `Check how long the requests of clients take${streamed}`, about: /timeouts/ },
  ];
}

const END_WORDS: Readonly<Record<'request' | 'idle', string>> = { request: '', idle: ' without a byte' };

/** `a value of the claim sub`, `a key`: what counts as one client. */
function nameClient(auth: Auth): string {
  return auth.kind === 'Jwt' ? `a value of the claim ${auth.clientClaim}` : 'a key';
}

const SENDERS: Readonly<Record<RateLimit['by'], string>> = {
  Key: 'of each client',
  Service: 'of all clients together',
};

/** `A client is now a value of the claim sub, and no longer a key. `, and what others share. */
function describeClients({ before, after }: Readonly<Record<'before' | 'after', Auth>>): string {
  const changed = `A client is now ${nameClient(after)}, and no longer ${nameClient(before)}. `;
  return after.kind === 'Jwt' ? `${changed}Requests whose token lacks the claim count as one client. ` : changed;
}

/** `60 requests a minute of each client instead of 300`, `60 requests a minute of each client instead of 300 of all`. */
function describeChange(before: RateLimit | undefined, after: RateLimit): string {
  const now = `${formatCounted(after)} ${SENDERS[after.by]}`;
  if (!before) return `${now}, without a limit before`;
  const former = before.per === after.per ? formatCount(before.requests) : formatCounted(before);
  const whose = before.per === after.per && before.by === after.by ? '' : ` ${SENDERS[before.by]}`;
  return `${now} instead of ${former}${whose}`;
}

/** `300 requests a minute`. */
function formatCounted({ requests, per }: RateLimit): string {
  return `${formatCount(requests)} requests ${formatPeriod(per)}`;
}

/** `a minute`, of `Minute`. */
export function formatPeriod(per: string): string {
  return `${per === 'Hour' ? 'an' : 'a'} ${per.toLowerCase()}`;
}
