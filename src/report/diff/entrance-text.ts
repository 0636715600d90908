import { sortUnique } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import type { Entrance } from '../../diff/route-changes';
import type { Auth } from '../../routing/traffic-types';

/** How names and what must not be missed are written. */
interface Markup {
  readonly code: (text: string) => string;
  readonly strong: (text: string) => string;
}

const PLAIN: Markup = { code: (text) => text, strong: (text) => text };

/**
 * `https://models.example.com/ml/chat/ on the internet, with keys of partner`: where clients find a service, and who may
 * call it.
 *
 * @param isOpenHost whether the host has other services without authentication, and had them before. Default: not known
 */
export function describeEntrance(
  { url, reach, auth }: Entrance,
  { code, strong }: Markup = PLAIN,
  isOpenHost = false,
): string {
  const where = reach === 'Public' ? ` ${strong('on the internet')}` : '';
  const who = describeClients(auth, code);
  if (auth.kind !== 'None') return `${code(url)}${where}, ${who}`;
  return `${code(url)}${where}, ${isOpenHost ? `${who} as other services there` : strong(who)}`;
}

/** The most clients that are named. */
const MAX_CLIENTS = 3;

/** `with keys of partner`. */
export function describeClients(auth: Auth, code: Markup['code']): string {
  return auth.kind === 'None' ? 'without authentication' : `with ${nameCredentials(auth, code)}`;
}

/** `keys of partner`, `tokens of https://login.example.com for the audience chat`. */
export function nameCredentials(auth: Auth, code: Markup['code'] = PLAIN.code): string {
  if (auth.kind === 'None') return 'no credentials';
  if (auth.kind === 'ApiKeys')
    return `keys of ${joinNamed(
      auth.keys.map(({ name }) => name),
      'client',
      code,
    )}`;
  const { issuer, audiences } = auth;
  const noun = audiences.length === 1 ? 'audience' : 'audiences';
  const audience = audiences.length === 0 ? '' : ` for the ${noun} ${joinAnd(audiences.map(code))}`;
  return `tokens of ${code(issuer)}${audience}`;
}

/** The names, or their number where they are many. */
function joinNamed(names: readonly string[], noun: string, code: Markup['code']): string {
  const all = sortUnique(names);
  return all.length > MAX_CLIENTS ? pluralize(all.length, noun) : joinAnd(all.map(code));
}
