import { mapConcurrently } from '../../base/concurrency';
import { listAt, textAt } from '../../base/json';
import { apiPathOf, type Collection, type Listing, type LiveObject } from '../live-object';
import type { ApiClient, ApiResponse } from './api-client';
import { UnreachableError } from './unreachable-error';

/** The page size of list requests. Pages limit the memory that the API server uses for a response. */
const PAGE_SIZE = 500;

export const MAX_CONCURRENT_DISCOVERIES = 8;

/** Lists all objects of a collection, or returns why they cannot be listed. Does not throw on failed requests. */
export async function listObjects(api: ApiClient, { path, apiVersion, kind }: Collection): Promise<Listing> {
  const objects: LiveObject[] = [];
  let next = '';
  do {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const answer = await fetchPage(api, `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_SIZE}${more}`);
    if (!('body' in answer)) return answer;
    const items = listAt(answer.body, ['items']) as LiveObject[];
    objects.push(...items.map((item) => ({ ...item, apiVersion, kind })));
    next = textAt(answer.body, ['metadata', 'continue']);
  } while (next !== '');
  return { objects };
}

async function fetchPage(
  api: ApiClient,
  path: string,
): Promise<Pick<ApiResponse, 'body'> | Extract<Listing, { missing: string }>> {
  try {
    const { status, body } = await api.get(path);
    if (status === 200) return { body };
    const why = textAt(body, ['message']) || `the API server answers ${status}`;
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
  return textAt(body, ['gitVersion']);
}

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
