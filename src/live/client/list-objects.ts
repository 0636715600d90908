import { mapConcurrently } from '../../base/concurrency';
import { listAt, textAt } from '../../base/json';
import { clipText } from '../../base/text';
import { apiPathOf, type Collection, type Listing, type MissingListing } from '../listing';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { type ExpectedAnswer, isKubernetesRefusal, readAnswer, whyRefused } from './api-answer';
import type { ApiClient, ApiResponse } from './api-client';
import { readItems } from './list-items';
import { UnreachableError } from './unreachable-error';

/** The page size of list requests. Pages limit the memory that the API server uses for a response. */
const PAGE_SIZE = 500;

export const MAX_CONCURRENT_DISCOVERIES = 8;

/** The maximum number of pages of a list: half a million objects, three times those of the largest clusters. */
const MAX_PAGES = 1000;

/** How many times the limit of one request the pages of a list may take together. */
const MAX_LIST_TIMEOUTS = 20;

/** Lists all objects of a collection, or returns why they cannot be listed. Does not throw on failed requests. */
export async function listObjects(api: ApiClient, { path, apiVersion, kind }: Collection): Promise<Listing> {
  const objects: LiveObject[] = [];
  const end = AbortSignal.timeout(MAX_LIST_TIMEOUTS * api.timeout);
  const tokens = new Set(['']);
  for (let next = ''; ; ) {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const page = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_SIZE}${more}`;
    const answer = await fetchAnswer(api, page, { apiVersion, kind: `${kind}List`, list: 'items' });
    if (!('body' in answer)) return answer;
    const items = readItems(listAt(answer.body, ['items']));
    if ('why' in items) return { missing: 'failed', why: items.why };
    for (const item of items) objects.push({ ...item, apiVersion, kind });
    next = textAt(answer.body, ['metadata', 'continue']);
    if (next === '') return { objects };
    if (tokens.has(next)) return { missing: 'failed', why: 'its list repeats a page' };
    if (tokens.size === MAX_PAGES) return { missing: 'failed', why: `its list has more than ${MAX_PAGES} pages` };
    if (end.aborted) return { missing: 'failed', why: `its list did not end within ${formatSeconds(api)} s` };
    tokens.add(next);
  }
}

function formatSeconds({ timeout }: ApiClient): number {
  return (MAX_LIST_TIMEOUTS * timeout) / 1000;
}

async function fetchAnswer(
  api: ApiClient,
  path: string,
  expected: ExpectedAnswer,
): Promise<Pick<ApiResponse, 'body'> | MissingListing> {
  try {
    return readAnswer(await api.get(path), expected);
  } catch (error) {
    if (error instanceof UnreachableError) return { missing: 'failed', why: error.message };
    throw error;
  }
}

/** The resources of an API version, such as `deployments`, by kind. */
export type Discovery = { readonly resources: ReadonlyMap<string, string> } | MissingListing;

/** Asks for the resources of an API version. Does not throw on failed requests. */
export async function discoverResources(api: ApiClient, apiVersion: string): Promise<Discovery> {
  const expected = { apiVersion, kind: 'APIResourceList', versionField: 'groupVersion', list: 'resources' } as const;
  const answer = await fetchAnswer(api, apiPathOf(apiVersion), expected);
  if ('missing' in answer) return answer;
  const named = listAt(answer.body, ['resources']).map(
    (one) => [textAt(one, ['kind']), textAt(one, ['name'])] as const,
  );
  // Names with a slash are subresources, such as `deployments/scale`.
  return { resources: new Map(named.filter(([, name]) => !name.includes('/'))) };
}

/**
 * The version that an API server reports: `v1.36.0`, or empty where the user may not read it.
 *
 * @throws UnreachableError if it does not accept the credentials, or what answers is not a Kubernetes API server
 */
export async function readServerVersion(api: ApiClient): Promise<string> {
  const response = await api.get('/version');
  if (response.status === 401) throw new UnreachableError('it does not accept the credentials of the kubeconfig');
  const version = clipText(textAt(response.body, ['gitVersion']), MAX_VERSION_LENGTH);
  if (response.status === 200 && version !== '') return version;
  if (response.status === 403 && isKubernetesRefusal(response)) return '';
  const why = response.status === 200 ? 'the answer to /version has no gitVersion' : whyRefused(response);
  throw new UnreachableError(`the server is not recognized as a Kubernetes API server: ${why}`);
}

const MAX_VERSION_LENGTH = 100;

/** The objects of several collections, by name. */
export async function listCollections<K extends string>(
  api: ApiClient,
  collections: Readonly<Record<K, Collection>>,
): Promise<Readonly<Record<K, Listing>>> {
  const entries = Object.entries(collections) as [K, Collection][];
  const listed = await mapConcurrently(MAX_CONCURRENT_DISCOVERIES, entries, async ([name, collection]) => [
    name,
    await listObjects(api, collection),
  ]);
  return Object.fromEntries(listed) as Record<K, Listing>;
}
