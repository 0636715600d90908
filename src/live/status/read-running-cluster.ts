import { mapConcurrently } from '../../base/concurrency';
import { listAt, textAt } from '../../base/json';
import { groupBy } from '../../base/order';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import type { ApiClient } from '../client/api-client';
import { discoverResources, listCollections, listObjects, readServerVersion } from '../client/list-objects';
import { UnreachableError } from '../client/unreachable-error';
import {
  type Collection,
  type Listing,
  type LiveObject,
  formatNamespacedName,
  objectsOf,
} from '../live-object';
import { parseStagedFacts, type StagedFacts } from './cache-status';
import { EVENT_LISTS, kindKeyOf, type RunningCluster, STATUS_LISTS } from './cluster-status';

/** At most so many questions are under way at once. */
const MAX_CONCURRENT_LISTS = 8;

/**
 * Reads what `status` judges a cluster by: its nodes and pods, and the objects of each kind of the manifests in their
 * namespaces.
 *
 * @throws Unreachable when the API server gives no answer, or does not know who asks
 */
export async function readRunningCluster(
  api: ApiClient,
  manifests: readonly Manifest[],
): Promise<RunningCluster> {
  await readServerVersion(api);
  const lists = await listCollections(api, STATUS_LISTS);
  const events = await mapConcurrently(MAX_CONCURRENT_LISTS, EVENT_LISTS, (one) => listObjects(api, one));
  const objects = await listRenderedKinds(api, manifests);
  const staged = await readStagingMarkers(
    api,
    [...objects.values()].flatMap(objectsOf),
    objectsOf(lists.pods),
  );
  return { lists, events, objects, staged };
}

/** The objects of each kind, by kind. */
async function listRenderedKinds(
  api: ApiClient,
  manifests: readonly Manifest[],
): Promise<ReadonlyMap<string, Listing>> {
  const collections = await collectionsOf(api, manifests);
  const listed = await mapConcurrently(MAX_CONCURRENT_LISTS, collections, async (one) => ({
    key: kindKeyOf(one),
    listing: one.path === '' ? UNSERVED_LISTING : await listObjects(api, one),
  }));
  const byKind = groupBy(listed, ({ key }) => key);
  return new Map([...byKind].map(([key, all]) => [key, mergeListings(all.map(({ listing }) => listing))]));
}

const UNSERVED_LISTING: Listing = { missing: 'unserved', why: 'the API server does not know the kind' };

/** A listing over several namespaces. Where one cannot be seen, none is known to be whole. */
function mergeListings(listings: readonly Listing[]): Listing {
  const missing = listings.find((one) => 'missing' in one);
  return missing ?? { objects: listings.flatMap(objectsOf) };
}

/** Where the objects of each kind are, one collection a namespace. A kind that is not served has no path. */
async function collectionsOf(api: ApiClient, manifests: readonly Manifest[]): Promise<Collection[]> {
  const versions = [...new Set(manifests.map(({ apiVersion }) => apiVersion))];
  const served = new Map(
    await mapConcurrently(
      MAX_CONCURRENT_LISTS,
      versions,
      async (version) => [version, await discoverResources(api, version)] as const,
    ),
  );
  const all = manifests.map(({ apiVersion, kind, metadata: { namespace } }) => {
    const resource = served.get(apiVersion)?.get(kind);
    const root = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
    const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
    return { path: resource ? `${root}${within}/${resource.plural}` : '', apiVersion, kind };
  });
  return [...new Map(all.map((one) => [`${kindKeyOf(one)} ${one.path}`, one])).values()];
}

/** What the Jobs that staged caches printed last, where their pods and the logs of these are still there. */
async function readStagingMarkers(
  api: ApiClient,
  objects: readonly LiveObject[],
  pods: readonly LiveObject[],
): Promise<ReadonlyMap<string, StagedFacts>> {
  const jobs = objects.filter((one) => one.kind === 'Job' && isCompleteJob(one));
  const facts = await mapConcurrently(MAX_CONCURRENT_LISTS, jobs, async (job) => {
    const pod = pods.find(
      ({ metadata: { namespace, labels } }) =>
        namespace === job.metadata.namespace &&
        labels?.['batch.kubernetes.io/job-name'] === job.metadata.name,
    );
    return [formatNamespacedName(job), pod ? parseStagedFacts(await readLogTail(api, pod)) : {}] as const;
  });
  return new Map(facts);
}

function isCompleteJob(job: LiveObject): boolean {
  return listAt(job, ['status', 'conditions']).some(
    (one) => textAt(one, ['type']) === 'Complete' && textAt(one, ['status']) === 'True',
  );
}

/** A log that cannot be read is no reason to say nothing else. */
async function readLogTail(api: ApiClient, { metadata: { namespace, name } }: LiveObject): Promise<string> {
  try {
    const { status, text } = await api.get(`/api/v1/namespaces/${namespace}/pods/${name}/log?tailLines=10`);
    return status === 200 ? text : '';
  } catch (error) {
    if (error instanceof UnreachableError) return '';
    throw error;
  }
}
