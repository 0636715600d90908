import { API_NEEDS } from '../live/doctor/served-apis';
import { type Right } from '../live/doctor/rights';
import { LOOKED_AT, type SeenCluster } from '../live/doctor/site';
import type { Collection } from '../live/collection';
import { type Listing, textAt } from '../live/live-object';
import type { ApiServer } from './api-server';
import { askRights } from './ask-rights';
import { inParallel } from './in-parallel';
import { listObjects, resourcesOf } from './list-objects';
import { Unreachable } from './unreachable';

/** At most so many questions are under way at once. */
const MOST_AT_ONCE = 8;

/**
 * Reads all that a doctor looks at.
 *
 * @throws Unreachable when the API server gives no answer, or does not know who asks
 */
export async function seeCluster(api: ApiServer, rights: readonly Right[]): Promise<SeenCluster> {
  const version = await serverVersion(api);
  const lists = await listAll(api, LOOKED_AT);
  const versions = [...new Set(API_NEEDS.map(({ apiVersion }) => apiVersion))];
  const served = await inParallel(MOST_AT_ONCE, versions, async (apiVersion) =>
    [...(await resourcesOf(api, apiVersion)).keys()].map((kind) => `${apiVersion} ${kind}`),
  );
  return { version, lists, served: new Set(served.flat()), rights: await askRights(api, rights) };
}

/**
 * What an API server says it is: `v1.36.0`.
 *
 * @throws Unreachable when it gives no answer, or does not know who asks
 */
export async function serverVersion(api: ApiServer): Promise<string> {
  const { status, body } = await api.get('/version');
  if (status === 401) throw new Unreachable('it does not accept the credentials of the kubeconfig');
  return textAt(body, ['gitVersion']);
}

/** The objects of several collections, by name. */
export async function listAll<K extends string>(
  api: ApiServer,
  collections: Readonly<Record<K, Collection>>,
): Promise<Readonly<Record<K, Listing>>> {
  const entries = Object.entries(collections) as [K, Collection][];
  const listed = await inParallel(MOST_AT_ONCE, entries, async ([name, collection]) => [
    name,
    await listObjects(api, collection),
  ]);
  return Object.fromEntries(listed) as Record<K, Listing>;
}
