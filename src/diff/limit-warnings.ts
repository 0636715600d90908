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
    const counted =
      clients && after.by === 'Key' ? ` (${nameClient(clients.after)} instead of ${nameClient(clients.before)})` : '';
    const lacking =
      counted !== '' && clients?.after.kind === 'Jwt'
        ? 'Requests whose token lacks the claim count as one client. '
        : '';
    const most = describeChange(before, after, `${SENDERS[after.by]}${counted}`);
    return {
      code: 'limit-lowered',
      what: `${id} accepts at most ${most}, at each of ${formatCount(proxies)} gateway proxies`,
      hint: `${lacking}Requests above the limit get 429. Check what clients send`,
    };
  });
}

/** Finds times after which requests end that could last longer before. */
export function findEarlierEnds({ id, was, is }: ServicePair): ServiceWarning[] {
  const ends = compareAccess(was, is).ends.map(({ of, after }) => `after ${formatSeconds(after)}${END_WORDS[of]}`);
  if (ends.length === 0) return [];
  const what = `${id} ends requests ${joinAnd(ends)}, earlier than before`;
  return [{ code: 'limit-lowered', what, hint: 'Check how long the requests of clients take', about: /timeouts/ }];
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

/** `60 requests a minute instead of 300 of each client`, `60 requests a minute of each client instead of 300 an hour of all`. */
function describeChange(before: RateLimit | undefined, after: RateLimit, whose: string): string {
  const now = formatCounted(after);
  if (!before) return `${now} ${whose}, without a limit before`;
  const isSame = before.per === after.per && before.by === after.by;
  if (isSame) return `${now} instead of ${formatCount(before.requests)} ${whose}`;
  const former = before.per === after.per ? formatCount(before.requests) : formatCounted(before);
  return `${now} ${whose} instead of ${former} ${SENDERS[before.by]}`;
}

/** `300 requests a minute`. */
function formatCounted({ requests, per }: RateLimit): string {
  return `${formatCount(requests)} requests ${formatPeriod(per)}`;
}

/** `a minute`, of `Minute`. */
export function formatPeriod(per: string): string {
  return `${per === 'Hour' ? 'an' : 'a'} ${per.toLowerCase()}`;
}
