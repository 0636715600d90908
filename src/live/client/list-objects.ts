import { mapConcurrently } from '../../base/concurrency';
import { listAt, textAt } from '../../base/json';
import { clipText } from '../../base/text';
import { apiPathOf, type Collection, type Listing, type LiveObject } from '../live-object';
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
    const answer = await fetchPage(api, `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_SIZE}${more}`);
    if (!('body' in answer)) return answer;
    const items = readItems(answer.body);
    if ('why' in items) return { missing: 'failed', why: items.why };
    for (const item of items) objects.push({ ...item, apiVersion, kind });
    next = textAt(answer.body, ['metadata', 'continue']);
    if (next === '') return { objects };
    if (tokens.has(next)) return { missing: 'failed', why: 'its list names a page again that was read' };
    if (tokens.size === MAX_PAGES) return { missing: 'failed', why: `its list has more than ${MAX_PAGES} pages` };
    if (end.aborted) return { missing: 'failed', why: `its list did not end within ${formatSeconds(api)} s` };
    tokens.add(next);
  }
}

function formatSeconds({ timeout }: ApiClient): number {
  return (MAX_LIST_TIMEOUTS * timeout) / 1000;
}

/** What the API server says about a request that it refuses. */
export function formatRefusal({ status, body }: ApiResponse): string {
  return clipText(textAt(body, ['message'])) || `the API server answers ${status}`;
}

async function fetchPage(
  api: ApiClient,
  path: string,
): Promise<Pick<ApiResponse, 'body'> | Extract<Listing, { missing: string }>> {
  try {
    const response = await api.get(path);
    const { status, body } = response;
    if (status === 200) return { body };
    const why = formatRefusal(response);
    if (status === 404) return { missing: 'unserved', why };
    return { missing: status === 401 || status === 403 ? 'forbidden' : 'failed', why };
  } catch (error) {
    if (error instanceof UnreachableError) return { missing: 'failed', why: error.message };
    throw error;
  }
}

/** The names of the resources of an API version, such as `deployments`, by kind. Empty if the version is not served. */
export async function discoverResources(api: ApiClient, apiVersion: string): Promise<ReadonlyMap<string, string>> {
  const { status, body } = await api.get(apiPathOf(apiVersion));
  const resources = status === 200 ? listAt(body, ['resources']) : [];
  const named = resources.map((one) => [textAt(one, ['kind']), textAt(one, ['name'])] as const);
  // Names with a slash are subresources, such as `deployments/scale`.
  return new Map(named.filter(([, name]) => !name.includes('/')));
}

/** The version that an API server reports: `v1.36.0`. Throws if it does not answer or accept the credentials. */
export async function readServerVersion(api: ApiClient): Promise<string> {
  const { status, body } = await api.get('/version');
  if (status === 401) throw new UnreachableError('it does not accept the credentials of the kubeconfig');
  return clipText(textAt(body, ['gitVersion']), MAX_VERSION_LENGTH);
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
