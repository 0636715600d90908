import { mapConcurrently } from '../../base/concurrency';
import { CLUSTER_LABEL } from '../../api/labels';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { RENDERED_KINDS } from '../../render/rendered-kinds';
import type { ApiClient } from '../client/api-client';
import { discoverResources, listObjects } from '../client/list-objects';
import { collectionOf, type Listing } from '../listing';

const MAX_CONCURRENT_LISTS = 8;

const SELECTOR = [...Object.entries(MANAGED_BY).map(([key, value]) => `${key}=${value}`), CLUSTER_LABEL].join();

/** Lists the objects with the labels of Fleetwright in all namespaces, by kind. Kinds that are not served are omitted. */
export async function readLabelledObjects(api: ApiClient): Promise<ReadonlyMap<string, Listing>> {
  const versions = Object.entries(RENDERED_KINDS);
  const found = await mapConcurrently(MAX_CONCURRENT_LISTS, versions, async ([apiVersion, kinds]) => {
    const discovery = await discoverResources(api, apiVersion);
    if ('missing' in discovery) {
      return discovery.missing === 'unserved' ? [] : kinds.map((kind) => ({ apiVersion, kind, ...discovery }));
    }
    return kinds.flatMap((kind) => {
      const plural = discovery.resources.get(kind);
      const query = `?labelSelector=${encodeURIComponent(SELECTOR)}`;
      return plural === undefined ? [] : [collectionOf(apiVersion, kind, `${plural}${query}`)];
    });
  });
  const listed = await mapConcurrently(MAX_CONCURRENT_LISTS, found.flat(), async (one) => {
    return [`${one.apiVersion} ${one.kind}`, 'missing' in one ? one : await listObjects(api, one)] as const;
  });
  return new Map(listed);
}
