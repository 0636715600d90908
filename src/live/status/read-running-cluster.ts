import { mapConcurrently } from '../../base/concurrency';
import { listAt, textAt } from '../../base/json';
import { groupBy } from '../../base/order';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { STAGE_CONTAINER_NAME } from '../../render/cache/cache-pods';
import type { ApiClient } from '../client/api-client';
import { discoverResources, listCollections, listObjects, readServerVersion } from '../client/list-objects';
import { UnreachableError } from '../client/unreachable-error';
import { type Collection, collectionOf, type Listing, type MissingListing, objectsOf } from '../listing';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { parseStagedFacts } from './cache-status';
import { EVENT_LISTS, FAILURE_LISTS, kindKeyOf, type RunningCluster, STATUS_LISTS } from './cluster-status';
import { readLabelledObjects } from './read-labelled';

const MAX_CONCURRENT_LISTS = 8;

/**
 * Reads the state of a cluster for `status`: its nodes, pods, and the objects of all rendered kinds and namespaces.
 *
 * @param queueLists further collections, for a snapshot
 */
export async function readRunningCluster(
  api: ApiClient,
  manifests: readonly Manifest[],
  queueLists: Readonly<Record<string, Collection>> = {},
): Promise<RunningCluster> {
  await readServerVersion(api);
  const lists = await listCollections(api, STATUS_LISTS);
  const queues = await listCollections(api, queueLists);
  const events = await mapConcurrently(MAX_CONCURRENT_LISTS, EVENT_LISTS, (one) => listObjects(api, one));
  const failures = await mapConcurrently(MAX_CONCURRENT_LISTS, FAILURE_LISTS, (one) => listObjects(api, one));
  const objects = await listRenderedKinds(api, manifests);
  const stagings = await readCompletedStagings(api, [...objects.values()].flatMap(objectsOf), objectsOf(lists.pods));
  const labelled = await readLabelledObjects(api);
  return { lists, queues, events, failures, objects, stagings, labelled };
}

/** Lists the objects of each rendered kind, by kind. */
async function listRenderedKinds(api: ApiClient, manifests: readonly Manifest[]): Promise<RunningCluster['objects']> {
  const collections = await collectionsOf(api, manifests);
  const listed = await mapConcurrently(MAX_CONCURRENT_LISTS, collections, async (one) => ({
    key: kindKeyOf(one),
    listing: 'missing' in one ? one : await listObjects(api, one),
  }));
  const byKind = groupBy(listed, ({ key }) => key);
  return new Map([...byKind].map(([key, all]) => [key, mergeListings(all.map(({ listing }) => listing))]));
}

/** Merges the listings of several namespaces. If one is missing, the merged listing is missing. */
function mergeListings(listings: readonly Listing[]): Listing {
  const missing = listings.find((one) => 'missing' in one);
  return missing ?? { objects: listings.flatMap(objectsOf) };
}

/** A kind that cannot be listed, and why. */
type MissingKind = Pick<Collection, 'apiVersion' | 'kind'> & MissingListing;

const UNSERVED_KIND: MissingListing = { missing: 'unserved', why: 'the API server does not serve the kind' };

/** The collections of the rendered kinds, one for each namespace. */
async function collectionsOf(
  api: ApiClient,
  manifests: readonly Manifest[],
): Promise<readonly (Collection | MissingKind)[]> {
  const versions = [...new Set(manifests.map(({ apiVersion }) => apiVersion))];
  const discovered = await mapConcurrently(MAX_CONCURRENT_LISTS, versions, (one) => discoverResources(api, one));
  const found = new Map(versions.map((version, i) => [version, discovered[i] ?? UNSERVED_KIND]));
  const all = manifests.map(({ apiVersion, kind, metadata: { namespace } }): Collection | MissingKind => {
    const discovery = found.get(apiVersion) ?? UNSERVED_KIND;
    if ('missing' in discovery) return { apiVersion, kind, ...discovery };
    const plural = discovery.resources.get(kind);
    if (plural === undefined) return { apiVersion, kind, ...UNSERVED_KIND };
    return collectionOf(apiVersion, kind, namespace === undefined ? plural : `namespaces/${namespace}/${plural}`);
  });
  return [...new Map(all.map((one) => [`${kindKeyOf(one)} ${'path' in one ? one.path : ''}`, one])).values()];
}

/**
 * Reads what completed staging Jobs staged: from the termination messages of their pods, or from their logs where the
 * Job of an earlier release wrote no message. Without a pod, the Job itself says when it was complete.
 */
async function readCompletedStagings(
  api: ApiClient,
  objects: readonly LiveObject[],
  pods: readonly LiveObject[],
): Promise<RunningCluster['stagings']> {
  const jobs = objects.filter((one) => one.kind === 'Job' && isCompleteJob(one));
  return mapConcurrently(MAX_CONCURRENT_LISTS, jobs, async (job) => {
    const { namespace, name } = job.metadata;
    const pod = pods.find(
      ({ metadata, ...one }) =>
        metadata.namespace === namespace &&
        metadata.labels?.['batch.kubernetes.io/job-name'] === name &&
        textAt(one, ['status', 'phase']) !== 'Failed',
    );
    const completed = textAt(job, ['status', 'completionTime']);
    const reported = pod ? parseStagedFacts(terminationMessageOf(pod) || (await readLogTail(api, pod))) : {};
    return { job, facts: { ...(completed !== '' && { stagedAt: completed }), ...reported } };
  });
}

/** The message with which the container that stages a cache ended. */
function terminationMessageOf(pod: LiveObject): string {
  const statuses = listAt(pod, ['status', 'containerStatuses']);
  const stage = statuses.find((one) => textAt(one, ['name']) === STAGE_CONTAINER_NAME);
  return textAt(stage, ['state', 'terminated', 'message']);
}

function isCompleteJob(job: LiveObject): boolean {
  return listAt(job, ['status', 'conditions']).some(
    (one) => textAt(one, ['type']) === 'Complete' && textAt(one, ['status']) === 'True',
  );
}

/** Reads the last lines of a pod log. Empty where the log cannot be read, which does not affect other results. */
async function readLogTail(api: ApiClient, { metadata: { namespace, name } }: LiveObject): Promise<string> {
  try {
    const { status, text } = await api.get(`/api/v1/namespaces/${namespace}/pods/${name}/log?tailLines=10`);
    return status === 200 ? text : '';
  } catch (error) {
    if (error instanceof UnreachableError) return '';
    throw error;
  }
}
