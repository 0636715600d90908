import type { ModelEndpoint } from '../../api/model-endpoint';
import { qualifiedNameOf } from '../../api/resource';
import { mapConcurrently } from '../../base/concurrency';
import { suggestObjectName } from '../../base/name-suggestion';
import { groupBy, sortedBy } from '../../base/order';
import { readTextFile } from '../../files/read-file';
import { writeFileAtomic } from '../../files/write-file';
import { compareModels, type EndpointModels, endpointClientOptionsOf } from '../../live/smoke/endpoint-models';
import { createServiceClient, type ServiceClientOptions } from '../../live/smoke/service-client';
import type * as EditModels from '../../manifest/edit-models';
import { formatEndpointModels } from '../../report/endpoint-models-text';
import { modelsUrlOf } from '../../routing/backends';
import { commandError, meantHint } from '../command-error';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import type { EndpointModelsDocument } from '../json-documents';
import { type Io, printResult } from '../output';
import { type DeclaredFleet, LIVE, readFleet } from '../read-inputs';

export interface SmokeModelsFlags extends CommonFlags {
  /** The endpoints to ask, as `namespace/name`. Default: all. */
  readonly endpoint?: readonly string[];

  /** Whether to write what changed into the declarations. */
  readonly write?: boolean;
  readonly keyEnv?: string;
}

/** The maximum number of providers that are asked concurrently. */
const MAX_CONCURRENT_PROVIDERS = 4;

/**
 * `fleetwright smoke --models`: asks the provider of each endpoint for its models, and compares them with the declared
 * ones. Changes the declarations only with `--write`. Exits with 6 if a provider gives no list.
 */
export async function runSmokeModels(
  target: string,
  flags: SmokeModelsFlags,
  options: ServiceClientOptions,
  io: Io,
): Promise<ExitCode> {
  const declared = readFleet(target, { ...flags, ...LIVE }, io);
  if (flags.write) refuseUnwritable(declared);
  const endpoints = selectEndpoints(declared.fleet.endpoints, flags);
  const compared = await mapConcurrently(MAX_CONCURRENT_PROVIDERS, endpoints, async (endpoint) =>
    compareModels(
      endpoint,
      createServiceClient(modelsUrlOf(endpoint).href, endpointClientOptionsOf(endpoint, options)),
    ),
  );
  const written = flags.write ? writeModels(declared, endpoints, compared) : [];
  printResult<EndpointModelsDocument>(
    'EndpointModels',
    { endpoints: compared, written },
    () => formatEndpointModels(compared, written, flags.quiet),
    { flags, io },
  );
  return compared.some(({ level }) => level === 'failure') ? EXIT.amiss : EXIT.ok;
}

function refuseUnwritable({ source }: DeclaredFleet): void {
  if (source === 'files') return;
  const what = source === 'program' ? 'a program declares the fleet' : 'standard input declares the fleet';
  throw commandError(
    'bad-flag',
    '--write',
    `${what}, so it cannot be changed`,
    'Remove --write, and change the models by hand',
  );
}

/** Selects the endpoints to ask. A key is sent to one provider only, because others must not see it. */
function selectEndpoints(
  all: readonly ModelEndpoint[],
  { endpoint: names, keyEnv }: SmokeModelsFlags,
): ModelEndpoint[] {
  const known = all.map(qualifiedNameOf);
  const missing = names?.find((name) => !known.includes(name));
  if (missing !== undefined) {
    const hint = meantHint(suggestObjectName(missing, known), 'Write NAMESPACE/NAME of a ModelEndpoint');
    throw commandError('unknown-endpoint', missing, 'the fleet has no endpoint of this name', hint);
  }
  // Nothing outside its cluster reaches an endpoint inside one.
  const selected = all.filter((one) => (names ? names.includes(qualifiedNameOf(one)) : !one.spec.inside));
  if (keyEnv !== undefined && selected.length > 1) {
    const what = `the key would be sent to ${selected.length} endpoints`;
    throw commandError('bad-flag', '--key-env', what, 'Select one with --endpoint NAMESPACE/NAME');
  }
  return sortedBy(selected, qualifiedNameOf);
}

/** The most models that an endpoint can declare. */
const MAX_MODELS = 256;

/** Writes changed models into the files that declare the endpoints. Returns the paths of changed files. */
function writeModels(
  { locate }: DeclaredFleet,
  endpoints: readonly ModelEndpoint[],
  compared: readonly EndpointModels[],
): string[] {
  // Loaded on first use because it loads the YAML library.
  const { editModels } = require('../../manifest/edit-models') as typeof EditModels;
  const changes = compared.flatMap((change, index) => {
    const resource = endpoints[index];
    const isChanged = change.added.length + change.gone.length > 0;
    return resource && isChanged && !resource.spec.model ? [{ resource, change }] : [];
  });
  const byFile = groupBy(changes, ({ resource }) => locate(resource, []).replace(/:\d+:\d+$/, ''));
  const texts = [...byFile].map(([path, inFile]): [string, string] => [
    path,
    inFile.reduce((text, { resource, change }) => {
      const { namespace = 'default', name } = resource.metadata;
      if (resource.spec.models.length + change.added.length - change.gone.length > MAX_MODELS) {
        const what = `its provider lists more than the ${MAX_MODELS} models that an endpoint can have`;
        throw commandError('bad-flag', change.endpoint, what, 'Remove --write, and add models by hand');
      }
      const edited = path.endsWith('.json') ? undefined : editModels(text, { namespace, name, ...change });
      if (edited !== undefined) return edited;
      const what = `its models in ${path} cannot be changed alone`;
      throw commandError('bad-flag', change.endpoint, what, 'Remove --write, and change them by hand');
    }, readTextFile(path)),
  ]);
  for (const [path, text] of texts) writeFileAtomic(path, text);
  return texts.map(([path]) => path).sort();
}
