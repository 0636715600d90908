import type { ModelEndpoint } from '../../api/model-endpoint';
import { qualifiedNameOf } from '../../api/resource';
import { listAt, textAt, valueAt } from '../../base/json';
import { compareText, sortUnique } from '../../base/order';
import { pluralize } from '../../base/text';
import { MODEL_PROVIDERS } from '../../catalog/model-providers';
import { credentialHeaderOf, modelsUrlOf } from '../../routing/backends';
import type { FindingLevel } from '../finding';
import type { ServiceClientOptions } from './service-client';
import { formatRefusal, type ServiceClient } from './service-response';

/** The models that an endpoint declares, compared with those that its provider lists. */
export interface EndpointModels {
  /** A warning where they differ, a failure where the provider gives no list. */
  readonly level: FindingLevel;

  /** `namespace/name`. */
  readonly endpoint: string;

  /** The address of the list. */
  readonly url: string;

  /** As a clause: `2 models are new`, or what went wrong. */
  readonly what: string;

  /** The models that are listed and not declared, sorted. */
  readonly added: readonly string[];

  /** The models that are declared and not listed, sorted. */
  readonly gone: readonly string[];
}

/** The options of a client for the provider of an endpoint. */
export function endpointClientOptionsOf(endpoint: ModelEndpoint, options: ServiceClientOptions): ServiceClientOptions {
  const { provider } = endpoint.spec;
  const headers = provider && MODEL_PROVIDERS[provider].list?.headers;
  return { ...options, credential: credentialHeaderOf(endpoint), ...(headers && { headers }) };
}

/** Asks the provider of an endpoint for its models, and compares them with the declared ones. */
export async function compareModels(endpoint: ModelEndpoint, client: ServiceClient): Promise<EndpointModels> {
  const { pathname, search, href } = modelsUrlOf(endpoint);
  const subject = { endpoint: qualifiedNameOf(endpoint), url: href };
  const reply = await client.send(`${pathname}${search}`);
  const fail = (what: string): EndpointModels => ({ ...subject, level: 'failure', what, added: [], gone: [] });
  if ('failed' in reply) return fail(reply.failed);
  if (reply.status !== 200) return fail(formatRefusal(pathname.slice(1), reply, client.keyShown));
  const listed = readModels(reply.body);
  if ('what' in listed) return fail(`${pathname.slice(1)} ${listed.what}`);
  return { ...subject, ...judgeModels(endpoint, listed.models) };
}

/** The maximum length of the name of a model, as in the declaration of an endpoint. */
const MAX_NAME_LENGTH = 253;

/** Reads a list of models. Together lists them without `data` around. */
function readModels(body: unknown): { readonly models: readonly string[] } | { readonly what: string } {
  const entries = Array.isArray(body) ? (body as unknown[]) : listAt(body, ['data']);
  const models = sortUnique(entries.map((entry) => textAt(entry, ['id'])).filter((name) => name !== ''));
  if (models.length === 0) return { what: 'lists no model' };
  if (models.some((name) => name.length > MAX_NAME_LENGTH)) return { what: 'lists a model whose name is too long' };
  if (valueAt(body, ['has_more']) === true) return { what: 'lists more models than fit on a page' };
  return { models };
}

function judgeModels({ spec }: ModelEndpoint, listed: readonly string[]) {
  const known = new Set(listed);
  // With `model`, the declared names are those of clients, and the provider has one other name for all of them.
  const declared = spec.model ? [spec.model.as] : spec.models;
  const added = spec.model ? [] : listed.filter((name) => !declared.includes(name));
  const gone = declared.filter((name) => !known.has(name)).sort(compareText);
  const changes = [countModels(added.length, 'new'), countModels(gone.length, 'gone')].filter((text) => text !== '');
  if (changes.length > 0) return { level: 'warning' as const, what: changes.join(' and '), added, gone };
  return { level: 'ok' as const, what: `it lists ${pluralize(declared.length, 'declared model')}`, added, gone };
}

function countModels(count: number, state: string): string {
  return count === 0 ? '' : `${pluralize(count, 'model')} ${count === 1 ? 'is' : 'are'} ${state}`;
}
