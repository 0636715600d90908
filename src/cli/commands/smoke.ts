import { mapConcurrently } from '../../base/concurrency';
import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { suggestObjectName } from '../../base/name-suggestion';
import { createServiceClient, type ServiceClientOptions } from '../../live/smoke/service-client';
import { listSmokeTargets, reportUnrouted, type SmokeTarget, testService } from '../../live/smoke/smoke-test';
import { formatSmoke } from '../../report/smoke-text';
import { parseTimeout } from '../command-flags';
import { type CommonFlags, createStaleLockError, decideFleet } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import type { SmokeDocument } from '../json-documents';
import { type Io, printResult } from '../output';
import { readLock } from '../read-inputs';

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
const MAX_CONCURRENT_SERVICES = 4;

/**
 * `fleetwright smoke`: asks every service for one completion, at each of its public URLs, and for one of each model
 * that has a route of its own. Exits with 4 where one gives none.
 *
 * @throws FleetwrightError when the lock is stale: nobody knows then what should answer
 */
export async function runSmoke(target: string, flags: SmokeFlags, io: Io): Promise<ExitCode> {
  const options = clientOptionsOf(flags, io);
  const { fleet, routing, stale } = decideFleet(target, flags, io, readLock);
  if (stale) throw createStaleLockError(target, flags);
  const asked = selectTargets(listSmokeTargets(fleet.services, routing), flags.service);
  const services = await mapConcurrently(MAX_CONCURRENT_SERVICES, asked, async (one) =>
    one.url === undefined
      ? reportUnrouted(one.service)
      : testService(one, createServiceClient(one.url, options)),
  );
  const { quiet = false } = flags;
  printResult<SmokeDocument>('Smoke', { services }, () => formatSmoke(services, quiet), {
    flags,
    io,
  });
  return services.some(({ level }) => level === 'failure') ? EXIT.refused : EXIT.ok;
}

function selectTargets(
  all: readonly SmokeTarget[],
  names: readonly string[] | undefined,
): readonly SmokeTarget[] {
  const known = all.map(({ service }) => service);
  for (const name of names ?? []) if (!known.includes(name)) throw unknownServiceError(name, known);
  return names === undefined ? all : all.filter(({ service }) => names.includes(service));
}

function unknownServiceError(name: string, known: readonly string[]): FleetwrightError {
  const near = suggestObjectName(name, known);
  const hint = near ? `Did you mean '${near}'?` : 'Write NAMESPACE/NAME of a ModelService';
  const what = 'the fleet has no service of this name';
  return new FleetwrightError([errorAt('unknown-service', name, what, hint)]);
}

function clientOptionsOf({ keyEnv, via, ...flags }: SmokeFlags, { env }: Io): ServiceClientOptions {
  const timeout = parseTimeout(flags);
  // The end of the line of a file, as Secrets often have it, is no part of a key.
  const key = keyEnv === undefined ? undefined : env[keyEnv]?.trim();
  if (keyEnv !== undefined && !key) throw noKeyError();
  if (via !== undefined && !isWebAddress(via)) throw badAddressError(via);
  return { timeout, ...(key !== undefined && { key }), ...(via !== undefined && { via }) };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The name is not told: it may be the key, by mistake. */
function noKeyError(): FleetwrightError {
  const what = 'the environment has no variable of this name';
  const hint = 'Name the one that holds the key, not the key itself';
  return new FleetwrightError([errorAt('no-key', '--key-env', what, hint)]);
}

function badAddressError(text: string): FleetwrightError {
  const what = `'${text}' is no address to connect to`;
  return new FleetwrightError([errorAt('bad-flag', '--via', what, 'Write a URL: http://127.0.0.1:8080')]);
}
