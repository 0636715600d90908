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

/** Flags of `fleetwright smoke`. */
export interface SmokeFlags extends CommonFlags {
  /** The services to test, as `namespace/name`. Default: all. */
  readonly service?: readonly string[];

  /** The environment variable that contains the API key. Default: no key is sent. */
  readonly keyEnv?: string;

  /** The address to connect to instead of the hosts of the gateways. */
  readonly via?: string;

  /** The time limit of each request in seconds. Default: 60. */
  readonly timeout: string;
}

/** The maximum number of services that are tested concurrently. */
const MAX_CONCURRENT_SERVICES = 4;

/**
 * `fleetwright smoke`: requests one completion from each service at each of its public URLs, and one from each model
 * with a separate route. Exits with 4 if one fails.
 *
 * @throws FleetwrightError when the lock is stale: the expected services are unknown then
 */
export async function runSmoke(target: string, flags: SmokeFlags, io: Io): Promise<ExitCode> {
  const options = clientOptionsOf(flags, io);
  const { fleet, routing, stale } = decideFleet(target, flags, io, readLock);
  if (stale) throw createStaleLockError(target, flags);
  const targets = selectTargets(listSmokeTargets(fleet.services, routing), flags.service);
  const services = await mapConcurrently(MAX_CONCURRENT_SERVICES, targets, async (one) =>
    one.url === undefined ? reportUnrouted(one.service) : testService(one, createServiceClient(one.url, options)),
  );
  const { quiet = false } = flags;
  printResult<SmokeDocument>('Smoke', { services }, () => formatSmoke(services, quiet), {
    flags,
    io,
  });
  return services.some(({ level }) => level === 'failure') ? EXIT.refused : EXIT.ok;
}

function selectTargets(all: readonly SmokeTarget[], names: readonly string[] | undefined): readonly SmokeTarget[] {
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
  // Secrets often end with a line feed, which is not part of the key.
  const key = keyEnv === undefined ? undefined : env[keyEnv]?.trim();
  if (keyEnv !== undefined && !key) throw noKeyError();
  if (via !== undefined && !isWebAddress(via)) throw badAddressError(via);
  return { timeout, ...(key !== undefined && { key }), ...(via !== undefined && { via }) };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The error for a missing key. It omits the variable name, which can be the key by mistake. */
function noKeyError(): FleetwrightError {
  const what = 'the environment has no variable of this name';
  const hint = 'Name the one that holds the key, not the key itself';
  return new FleetwrightError([errorAt('no-key', '--key-env', what, hint)]);
}

function badAddressError(text: string): FleetwrightError {
  const what = `'${text}' is no address to connect to`;
  return new FleetwrightError([errorAt('bad-flag', '--via', what, 'Write a URL: http://127.0.0.1:8080')]);
}
