import { FleetwrightError } from '../errors';
import { type AskedService, askedServices } from '../live/smoke/asked-services';
import { smokeService, withoutDoor } from '../live/smoke/service-smoke';
import { formatSmoke } from '../live/smoke/smoke-text';
import { nearestNamed } from '../nearest';
import { type CommonFlags, decideFleet } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readLock } from './inputs';
import { inParallel } from '../kubernetes/in-parallel';
import { timeLimit } from './time-limit';
import { staleLock } from './lock';
import type { SmokeDocument } from './live-documents';
import { type Io, print } from './output';
import { asker, type SendOptions } from './send-request';

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
 * `fleetwright smoke`: asks every service for one completion, at each of its public URLs, and for one of each model
 * that has a route of its own. Exits with 4 where one gives none.
 *
 * @throws FleetwrightError when the lock is stale: nobody knows then what should answer
 */
export async function smoke(target: string, flags: SmokeFlags, io: Io): Promise<ExitCode> {
  const options = sendOptions(flags, io);
  const { fleet, routing, stale } = decideFleet(target, flags, io, readLock);
  if (stale) throw staleLock(target, flags);
  const asked = chosen(askedServices(fleet.services, routing), flags.service);
  const services = await inParallel(MOST_AT_ONCE, asked, async (one) =>
    one.url === undefined ? withoutDoor(one.service) : smokeService(one, asker(one.url, options)),
  );
  const { quiet = false } = flags;
  print<SmokeDocument>('Smoke', { services }, (style) => formatSmoke(services, style, quiet), { flags, io });
  return services.some(({ level }) => level === 'failure') ? EXIT.refused : EXIT.ok;
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
  // The end of the line of a file, as Secrets often have it, is no part of a key.
  const key = keyEnv === undefined ? undefined : env[keyEnv]?.trim();
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
