import { sortUnique } from '../base/order';
import { PROXIES } from '../render/routing/envoy-proxy';
import type { RoutedService, ServiceListener } from '../routing/routing';
import type { Auth, RateLimit, Timeouts } from '../routing/traffic-types';

/** What a change takes from clients of a service, or opens to them, at addresses that it keeps. */
export interface AccessChange {
  /** The names of clients whose keys are no longer accepted, sorted. Never the keys. */
  readonly lostClients: readonly string[];

  /** Clients that keep their name, and whose key comes from another Secret, which may have the same key. */
  readonly movedClients: readonly MovedClient[];

  /** Other clients that lose access: `without a key`, `with a token of https://issuer`. */
  readonly refused: readonly string[];

  /** What is accepted instead, of which one service cannot accept both: keys or tokens, and tokens of one issuer. */
  readonly instead?: Auth;

  /** Whether clients need no authentication any more. */
  readonly opened: boolean;

  /** Limits that are new, or lower than before. */
  readonly limits: readonly LimitChange[];

  /** What tells clients apart before and after. Absent: the same, or nothing. */
  readonly clients?: { readonly before: Auth; readonly after: Auth };

  /** Times after which requests end that could last longer before. */
  readonly ends: readonly EarlierEnd[];
}

/** A time in seconds that is new, or shorter than before. */
interface EarlierEnd {
  /** Of a request as a whole, or without a byte. */
  readonly of: 'request' | 'idle';
  readonly after: number;
}

/** The Secrets of the key of a client, each `namespace/name`. */
interface MovedClient {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

interface LimitChange {
  /** Absent: there was no limit for these requests. */
  readonly before?: RateLimit;
  readonly after: RateLimit;

  /** The proxies that have it, each of which counts alone. */
  readonly proxies: number;
}

/** Compares the access to a service before and after a change. */
export function compareAccess(was: RoutedService, is: RoutedService): AccessChange {
  const later = new Map(is.gateways.map((one) => [keyOf(one), one]));
  const pairs = was.gateways.flatMap((before) => {
    const after = later.get(keyOf(before));
    return after ? [{ before, after }] : [];
  });
  const limits = pairs.flatMap(({ before, after }) => compareLimits(before.rateLimits, after.rateLimits));
  const moved = pairs.flatMap(({ before, after }) => listMovedClients(before.auth, after.auth));
  const kept = new Set(moved.map(({ name }) => name));
  const lost = pairs.flatMap(({ before, after }) => listLostClients(before.auth, after.auth));
  const clients = pairs.find(({ before, after }) => countsOtherClients(before.auth, after.auth));
  const ends = pairs.flatMap(({ before, after }) => listEarlierEnds(before.timeouts, after.timeouts));
  const instead = pairs.find(({ before, after }) => excludeEachOther(before.auth, after.auth))?.after.auth;
  return {
    lostClients: sortUnique(lost.filter((name) => !kept.has(name))),
    movedClients: [...new Map(moved.map((one) => [JSON.stringify(one), one])).values()],
    refused: sortUnique(pairs.flatMap(({ before, after }) => listRefused(before.auth, after.auth))),
    ...(instead && { instead }),
    opened: pairs.some(({ before, after }) => before.auth.kind !== 'None' && after.auth.kind === 'None'),
    ...(clients && { clients: { before: clients.before.auth, after: clients.after.auth } }),
    ends: [...new Map(ends.map((one) => [JSON.stringify(one), one])).values()],
    limits: [...new Map(limits.map((one) => [JSON.stringify(one), one])).values()].map((one) => {
      return { ...one, proxies: countProxies(is, one.after) };
    }),
  };
}

/** The field that declares the key of a client, of a service and of a gateway. */
export function fieldOfKey(client: string): string {
  return `spec.auth.apiKeys[${client}]`;
}

function keyOf({ gateway, url }: ServiceListener): string {
  return `${gateway} ${url}`;
}

/** Whether one service cannot accept the credentials of both. */
export function excludeEachOther(before: Auth, after: Auth): boolean {
  if (before.kind === 'None' || after.kind === 'None') return false;
  if (before.kind !== 'Jwt' || after.kind !== 'Jwt') return before.kind !== after.kind;
  return before.issuer !== after.issuer;
}

/** Whether something else tells clients apart: keys, or a claim of tokens. */
function countsOtherClients(before: Auth, after: Auth): boolean {
  if (before.kind === 'None' || after.kind === 'None') return false;
  return before.kind === 'Jwt' && after.kind === 'Jwt'
    ? before.clientClaim !== after.clientClaim
    : before.kind !== after.kind;
}

function listEarlierEnds(before: Timeouts, after: Timeouts): EarlierEnd[] {
  return (['request', 'idle'] as const).flatMap((of) => {
    const [was = Infinity, is = Infinity] = [before[of], after[of]];
    return is < was ? [{ of, after: is }] : [];
  });
}

/** Clients of which no Secret with their key is accepted. Each entry of an accepted Secret is a key. */
function listLostClients(before: Auth, after: Auth): string[] {
  if (before.kind !== 'ApiKeys' || after.kind === 'None') return [];
  const accepted = new Set(after.kind === 'ApiKeys' ? after.keys.map(secretOf) : []);
  return before.keys.filter((key) => !accepted.has(secretOf(key))).map(({ name }) => name);
}

/** Clients that keep their name, and whose key is in a Secret of which no key was accepted before. */
function listMovedClients(before: Auth, after: Auth): MovedClient[] {
  if (before.kind !== 'ApiKeys' || after.kind !== 'ApiKeys') return [];
  const lost = new Set(listLostClients(before, after));
  const later = new Map(after.keys.map((key) => [key.name, secretOf(key)]));
  return before.keys.flatMap((key): MovedClient[] => {
    const secret = later.get(key.name);
    return lost.has(key.name) && secret !== undefined ? [{ name: key.name, before: secretOf(key), after: secret }] : [];
  });
}

/** The Secret with the key of a client: `namespace/name`. */
export function secretOf({ secret: { namespace, name } }: { readonly secret: SecretId }): string {
  return `${namespace}/${name}`;
}

/** A rate limit, or what looks like one. */
type LimitFields = { readonly [field in keyof RateLimit]?: unknown };

interface SecretId {
  readonly namespace: string;
  readonly name: string;
}

/** Those of `refused` who needed no credentials before. */
export const NO_CREDENTIALS: ReadonlySet<string> = new Set(['without a key', 'without a token']);

function listRefused(before: Auth, after: Auth): string[] {
  if (after.kind === 'None') return [];
  if (before.kind === 'None') return [after.kind === 'ApiKeys' ? 'without a key' : 'without a token'];
  if (before.kind !== 'Jwt') return [];
  if (after.kind !== 'Jwt' || after.issuer !== before.issuer) return [`with a token of ${before.issuer}`];
  const kept = new Set(after.audiences);
  if (kept.size === 0) return [];
  if (before.audiences.length === 0) return [`with a token for other audiences than ${after.audiences.join(', ')}`];
  return before.audiences.filter((one) => !kept.has(one)).map((one) => `with a token for ${one}`);
}

/** Counts the proxies of gateways that limit requests for a service in this way. Each of them counts alone. */
export function countProxies({ gateways }: RoutedService, { requests, per, by }: LimitFields): number {
  const isSame = (one: RateLimit): boolean => one.requests === requests && one.per === per && one.by === by;
  return gateways.filter(({ rateLimits }) => rateLimits.some(isSame)).length * PROXIES;
}

function compareLimits(before: readonly RateLimit[], after: readonly RateLimit[]): Omit<LimitChange, 'proxies'>[] {
  return after.flatMap((limit) => {
    const same = before.filter(({ by }) => by === limit.by);
    // A limit of each client becomes one of all clients together, or the other way round.
    const former = before.filter(({ by }) => by !== limit.by && !after.some((one) => one.by === by));
    const candidates = same.length > 0 ? same : former;
    const old = candidates.find(({ per }) => per === limit.per) ?? candidates[0];
    if (!old) return [{ after: limit }];
    const isShared = old.by === 'Key' && limit.by === 'Service';
    return isShared || perSecond(limit) < perSecond(old) ? [{ before: old, after: limit }] : [];
  });
}

const SECONDS: Readonly<Record<RateLimit['per'], number>> = { Second: 1, Minute: 60, Hour: 3600 };

function perSecond({ requests, per }: RateLimit): number {
  return requests / SECONDS[per];
}
