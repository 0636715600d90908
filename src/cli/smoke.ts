import { FleetwrightError } from '../errors';
import { type AskedService, smokeService, withoutDoor } from '../live/smoke/service-smoke';
import { formatSmoke } from '../live/smoke/smoke-text';
import { nearestNamed } from '../nearest';
import { qualifiedName } from '../api/resource';
import { routingDocument } from '../routing/document';
import { groupBy, sortedBy } from '../order';
import { type CommonFlags, type Decided, decideFleet } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readLock } from './inputs';
import { inParallel } from '../kubernetes/in-parallel';
import { timeLimit } from './time-limit';
import { staleLock } from './lock';
import type { SmokeDocument } from './live-documents';
import { type Io, print } from './output';
import { sender, type SendOptions } from './send-request';

export interface SmokeFlags extends CommonFlags {
  /** Only these, `namespace/name`. Default: all. */
  readonly service?: readonly string[];

  /** The variable of the environment that holds a key. Default: none is shown. */
  readonly keyEnv?: string;

  /** Where to connect instead of to the hosts of the gateways. */
  readonly via?: string;

  /** Seconds for each request. Default: 60. */
  readonly timeout: string;
}

/** Services that are asked at once. */
const MOST_AT_ONCE = 4;

/**
 * `fleetwright smoke`: asks every service for one completion, at each of its public URLs. Exits with 4 where one gives
 * none.
 *
 * @throws FleetwrightError when the lock is stale: nobody knows then what should answer
 */
export async function smoke(target: string, flags: SmokeFlags, io: Io): Promise<ExitCode> {
  const options = sendOptions(flags, io);
  const decided = decideFleet(target, flags, io, readLock);
  if (decided.stale) throw staleLock(target, flags);
  const asked = chosen(askedServices(decided), flags.service);
  const services = await inParallel(MOST_AT_ONCE, asked, async (one) =>
    one.url === undefined ? withoutDoor(one.service) : smokeService(one, sender(one.url, options)),
  );
  const { quiet = false } = flags;
  print<SmokeDocument>('Smoke', { services }, (style) => formatSmoke(services, style, quiet), { flags, io });
  return services.some(({ level }) => level === 'failure') ? EXIT.refused : EXIT.ok;
}

/** Every service at each of its URLs, as the routing document has them; those without any too. */
function askedServices({ fleet, routing }: Decided): AskedService[] {
  const routed = routingDocument(routing).services;
  const open = routed.flatMap(({ key: service, urls, models }) =>
    [...groupBy(urls, ({ url }) => url)].map(([url, same]): AskedService => {
      const doors = same.map(({ gateway, cluster }) => `${gateway} on ${cluster}`);
      return { service, url, doors, models };
    }),
  );
  const known = new Set(open.map(({ service }) => service));
  const closed = fleet.services.map(qualifiedName).filter((service) => !known.has(service));
  const none = closed.map((service): AskedService => ({ service, doors: [], models: [] }));
  return sortedBy([...open, ...none], ({ service }) => service);
}

function chosen(all: readonly AskedService[], names: readonly string[] | undefined): readonly AskedService[] {
  const known = all.map(({ service }) => service);
  for (const name of names ?? []) if (!known.includes(name)) throw unknownService(name, known);
  return names === undefined ? all : all.filter(({ service }) => names.includes(service));
}

function unknownService(name: string, known: readonly string[]): FleetwrightError {
  const near = nearestNamed(name, known);
  const hint = near ? `Did you mean '${near}'?` : 'Write NAMESPACE/NAME of a ModelService';
  const what = 'the fleet has no service of this name';
  return new FleetwrightError([{ code: 'unknown-service', where: name, what, hint }]);
}

function sendOptions({ keyEnv, via, ...flags }: SmokeFlags, { env }: Io): SendOptions {
  const timeout = timeLimit(flags);
  const key = keyEnv === undefined ? undefined : env[keyEnv];
  if (keyEnv !== undefined && !key) throw noKey();
  if (via !== undefined && !isWebAddress(via)) throw notAnAddress(via);
  return { timeout, ...(key !== undefined && { key }), ...(via !== undefined && { via }) };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The name is not told: it may be the key, by mistake. */
function noKey(): FleetwrightError {
  const what = 'the environment has no variable of this name';
  const hint = 'Name the one that holds the key, not the key itself';
  return new FleetwrightError([{ code: 'no-key', where: '--key-env', what, hint }]);
}

function notAnAddress(text: string): FleetwrightError {
  const what = `'${text}' is no address to connect to`;
  return new FleetwrightError([
    { code: 'bad-flag', where: '--via', what, hint: 'Write a URL: http://127.0.0.1:8080' },
  ]);
}
