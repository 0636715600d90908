import type { Collection } from '../live/collection';
import { idOf, type Listing, type LiveObject, listAt, objectsIn, textAt } from '../live/live-object';
import { factsIn, type StagedFacts } from '../live/status/cache-status';
import { kindKey, type RunningCluster } from '../live/status/cluster-status';
import { EVENT_LISTS, STATUS_LISTS } from '../live/status/status-lists';
import { groupBy } from '../order';
import type { Manifest } from '../render/manifest';
import type { ApiServer } from './api-server';
import { inParallel } from './in-parallel';
import { listObjects, resourcesOf } from './list-objects';
import { listAll, serverVersion } from './see-cluster';
import { Unreachable } from './unreachable';

/** At most so many questions are under way at once. */
const MOST_AT_ONCE = 8;

/**
 * Reads what `status` judges a cluster by: its nodes and pods, and the objects of each kind of the manifests in their
 * namespaces.
 *
 * @throws Unreachable when the API server gives no answer, or does not know who asks
 */
export async function readRunning(api: ApiServer, manifests: readonly Manifest[]): Promise<RunningCluster> {
  await serverVersion(api);
  const lists = await listAll(api, STATUS_LISTS);
  const events = await inParallel(MOST_AT_ONCE, EVENT_LISTS, (one) => listObjects(api, one));
  const objects = await readObjects(api, manifests);
  const staged = await readMarkers(api, [...objects.values()].flatMap(objectsIn), objectsIn(lists.pods));
  return { lists, events, objects, staged };
}

/** The objects of each kind, by kind. */
async function readObjects(
  api: ApiServer,
  manifests: readonly Manifest[],
): Promise<ReadonlyMap<string, Listing>> {
  const collections = await collectionsOf(api, manifests);
  const listed = await inParallel(MOST_AT_ONCE, collections, async (one) => ({
    key: kindKey(one),
    listing: one.path === '' ? UNSERVED : await listObjects(api, one),
  }));
  const byKind = groupBy(listed, ({ key }) => key);
  return new Map([...byKind].map(([key, all]) => [key, joined(all.map(({ listing }) => listing))]));
}

const UNSERVED: Listing = { missing: 'unserved', why: 'the API server does not know the kind' };

/** A listing over several namespaces. Where one cannot be seen, none is known to be whole. */
function joined(listings: readonly Listing[]): Listing {
  const missing = listings.find((one) => 'missing' in one);
  return missing ?? { objects: listings.flatMap(objectsIn) };
}

/** Where the objects of each kind are, one collection a namespace. A kind that is not served has no path. */
async function collectionsOf(api: ApiServer, manifests: readonly Manifest[]): Promise<Collection[]> {
  const versions = [...new Set(manifests.map(({ apiVersion }) => apiVersion))];
  const served = new Map(
    await inParallel(
      MOST_AT_ONCE,
      versions,
      async (version) => [version, await resourcesOf(api, version)] as const,
    ),
  );
  const all = manifests.map(({ apiVersion, kind, metadata: { namespace } }) => {
    const resource = served.get(apiVersion)?.get(kind);
    const root = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
    const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
    return { path: resource ? `${root}${within}/${resource.plural}` : '', apiVersion, kind };
  });
  return [...new Map(all.map((one) => [`${kindKey(one)} ${one.path}`, one])).values()];
}

/** What the Jobs that staged caches printed last, where their pods and the logs of these are still there. */
async function readMarkers(
  api: ApiServer,
  objects: readonly LiveObject[],
  pods: readonly LiveObject[],
): Promise<ReadonlyMap<string, StagedFacts>> {
  const jobs = objects.filter((one) => one.kind === 'Job' && isComplete(one));
  const facts = await inParallel(MOST_AT_ONCE, jobs, async (job) => {
    const pod = pods.find(
      ({ metadata: { namespace, labels } }) =>
        namespace === job.metadata.namespace &&
        labels?.['batch.kubernetes.io/job-name'] === job.metadata.name,
    );
    return [idOf(job), pod ? factsIn(await lastLines(api, pod)) : {}] as const;
  });
  return new Map(facts);
}

function isComplete(job: LiveObject): boolean {
  return listAt(job, ['status', 'conditions']).some(
    (one) => textAt(one, ['type']) === 'Complete' && textAt(one, ['status']) === 'True',
  );
}

/** A log that cannot be read is no reason to say nothing else. */
async function lastLines(api: ApiServer, { metadata: { namespace, name } }: LiveObject): Promise<string> {
  try {
    const { status, text } = await api.get(`/api/v1/namespaces/${namespace}/pods/${name}/log?tailLines=10`);
    return status === 200 ? text : '';
  } catch (error) {
    if (error instanceof Unreachable) return '';
    throw error;
  }
}
