import { mapConcurrently } from '../../base/concurrency';
import { attemptAll } from '../../base/attempt';
import { suggestObjectName } from '../../base/name-suggestion';
import { createServiceClient, type ServiceClientOptions } from '../../live/smoke/service-client';
import { listSmokeTargets, reportUnrouted, type SmokeTarget, testService } from '../../live/smoke/smoke-test';
import { formatSmoke } from '../../report/smoke-text';
import { commandError, meantHint } from '../command-error';
import { parseTimeout } from '../command-flags';
import { createOutOfDateLockError, PLACES } from '../decide-fleet';
import { decideValidResources } from '../decide-valid-resources';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { faultExitCodesOf, printFaults, toFaultFields } from '../resource-errors';
import type { SmokeDocument } from '../json-documents';
import { type Io, printResult } from '../output';
import { LIVE } from '../read-inputs';
import { runSmokeModels, type SmokeModelsFlags } from './smoke-models';

export interface SmokeFlags extends SmokeModelsFlags {
  /** The services to test, as `namespace/name`. Default: all. */
  readonly service?: readonly string[];
  /** Whether to ask the providers of endpoints for their models, instead of services for completions. */
  readonly models?: boolean;
  readonly via?: string;
  readonly timeout: string;
}

/** The maximum number of services that are tested concurrently. */
const MAX_CONCURRENT_SERVICES = 4;

/**
 * `fleetwright smoke`: requests one completion from each service at each of its public URLs, and one from each model
 * with a separate route. Exits with 6 if one fails. With `--models`, it asks providers of endpoints for their models.
 *
 * @throws FleetwrightError when the lock file is out of date: the expected services are unknown then
 */
export async function runSmoke(target: string, flags: SmokeFlags, io: Io): Promise<ExitCode> {
  refuseOtherFlags(flags);
  const options = clientOptionsOf(flags, io);
  if (flags.models) return runSmokeModels(target, flags, options, io);
  const decided = decideValidResources(target, { ...flags, ...PLACES, ...LIVE }, io);
  const { fleet, routing } = decided;
  if (decided.outOfDate) throw createOutOfDateLockError(target, flags, decided);
  const targets = selectTargets(listSmokeTargets(fleet.services, routing), flags.service);
  const services = await mapConcurrently(MAX_CONCURRENT_SERVICES, targets, async (one) =>
    one.url === undefined ? reportUnrouted(one.service) : testService(one, createServiceClient(one.url, options)),
  );
  printResult<SmokeDocument>(
    'Smoke',
    { services, ...toFaultFields(decided) },
    () => formatSmoke(services, flags.quiet),
    { flags, io },
  );
  printFaults(decided, flags, io);
  const isAmiss = services.some(({ level }) => level === 'failure');
  return chooseExitCode([...faultExitCodesOf(decided), ...(isAmiss ? [EXIT.amiss] : [])]);
}

/** Flags that need `--models`, and flags that do not go with it. */
function refuseOtherFlags({ models, endpoint, write, service }: SmokeFlags): void {
  const needing = endpoint ? '--endpoint' : write ? '--write' : undefined;
  if (!models && needing) throw commandError('bad-flag', needing, 'it has no effect without --models', 'Add --models');
  if (!models || !service) return;
  throw commandError('bad-flag', '--service', '--models checks endpoints, not services', 'Select them with --endpoint');
}

function selectTargets(all: readonly SmokeTarget[], names: readonly string[] | undefined): readonly SmokeTarget[] {
  const known = all.map(({ service }) => service);
  const missing = names?.find((name) => !known.includes(name));
  if (missing !== undefined) {
    const hint = meantHint(suggestObjectName(missing, known), 'Write NAMESPACE/NAME of a ModelService');
    throw commandError('unknown-service', missing, 'the fleet has no service of this name', hint);
  }
  return names === undefined ? all : all.filter(({ service }) => names.includes(service));
}

function clientOptionsOf(flags: SmokeFlags, { env, hide }: Io): ServiceClientOptions {
  const { timeout, key, via } = attemptAll({
    timeout: () => parseTimeout(flags),
    key: () => parseKey(flags, env),
    via: () => parseVia(flags),
  });
  if (key !== undefined) hide(key);
  return { timeout, ...(key !== undefined && { key }), ...(via !== undefined && { via }) };
}

function parseKey({ keyEnv }: SmokeFlags, env: Io['env']): string | undefined {
  if (keyEnv === undefined) return undefined;
  // Secrets often end with a line feed, which is not part of the key.
  const key = env[keyEnv]?.trim();
  if (key) return key;
  // The message omits the name of the variable, which can be the key by mistake.
  const hint = 'Use the name of the variable with the key, not the key itself';
  throw commandError('no-key', '--key-env', 'the environment variable does not exist', hint);
}

function parseVia({ via }: SmokeFlags): string | undefined {
  if (via === undefined || isWebAddress(via)) return via;
  const what = `'${via}' is not a URL to connect to`;
  throw commandError('bad-flag', '--via', what, 'Write a URL: http://127.0.0.1:8080');
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
