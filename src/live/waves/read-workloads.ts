import { CLUSTER_LABEL, DEPLOYMENT_LABEL } from '../../api/labels';
import { textAt } from '../../base/json';
import { sortedBy } from '../../base/order';
import { DYNAMO } from '../../catalog/backends';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { WORKLOAD_KINDS } from '../../manifest/kubernetes/workload-kinds';
import { shortenName } from '../../manifest/kubernetes/object-names';
import type { ApiClient } from '../client/api-client';
import { discoverResources, listCollections, listObjects } from '../client/list-objects';
import { type Collection, collectionOf, type Listing, objectsOf } from '../listing';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import type { ObservedWorkloads } from './rollout-state';

/** A deployment on a cluster, as the labels of its objects name it. */
export interface DeploymentKey {
  readonly namespace: string;
  readonly deployment: string;
}

/** `ml/chat`. */
export function formatDeploymentKey({ namespace, deployment }: DeploymentKey): string {
  return `${namespace}/${deployment}`;
}

/** The deployment of a workload. */
export function deploymentKeyOf({
  metadata: { namespace = '', name, labels },
}: Pick<LiveObject, 'metadata'>): DeploymentKey {
  return { namespace, deployment: labels?.[DEPLOYMENT_LABEL] ?? name };
}

/** Why workloads cannot be seen. */
interface Unlisted {
  readonly why: string;
}

/** Lists the workloads of the fleet on a cluster, in all namespaces. */
export async function listFleetWorkloads(api: ApiClient, cluster: string): Promise<readonly LiveObject[] | Unlisted> {
  const query = selectLabels({ ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster) });
  const lists = await listServed(api, workloadLists('', query));
  return toObjects(Object.values(lists));
}

/** Lists the workloads of all fleets on a cluster, and the claim templates of their pods. */
export async function listWorkloadsAndClaims(api: ApiClient): Promise<readonly LiveObject[] | Unlisted> {
  const query = selectLabels(MANAGED_BY);
  const claimTemplates = `resourceclaimtemplates${query}`;
  const lists = await listServed(api, {
    ...workloadLists('', query),
    claimTemplates: collectionOf('resource.k8s.io/v1', 'ResourceClaimTemplate', claimTemplates),
  });
  return toObjects(Object.values(lists));
}

/** Lists the workloads of a deployment, and what their controllers made of them. */
export async function observeWorkloads(api: ApiClient, key: DeploymentKey): Promise<ObservedWorkloads | Unlisted> {
  const query = selectLabels({ ...MANAGED_BY, [DEPLOYMENT_LABEL]: key.deployment });
  const inNamespace = `namespaces/${key.namespace}/`;
  const ofPods = selectLabels({ [DEPLOYMENT_LABEL]: key.deployment });
  const { deployments, leaderWorkerSets, services, graphs, replicaSets, pods } = await listServed(api, {
    ...workloadLists(inNamespace, query),
    replicaSets: collectionOf('apps/v1', 'ReplicaSet', `${inNamespace}replicasets${ofPods}`),
    pods: collectionOf('v1', 'Pod', `${inNamespace}pods${ofPods}`),
  });
  const made = objectsOf(services).length > 0 ? await listMadeByKServe(api, inNamespace) : [];
  const workloads = toObjects([deployments, leaderWorkerSets, services, graphs, ...made]);
  if ('why' in workloads) return workloads;
  const hasGroups = workloads.some(({ kind }) => kind === 'LeaderWorkerSet');
  const statefulSets = hasGroups
    ? await listObjects(api, collectionOf('apps/v1', 'StatefulSet', `${inNamespace}statefulsets`))
    : undefined;
  const sets = [replicaSets, ...(statefulSets ? [statefulSets] : [])];
  return {
    workloads,
    ...(sets.every(isListed) && isListed(pods) && { sets: sets.flatMap(objectsOf), pods: objectsOf(pods) }),
    events: [],
  };
}

/** Lists the workloads that KServe makes in a namespace. They do not have our labels. */
async function listMadeByKServe(api: ApiClient, inNamespace: string): Promise<Listing[]> {
  const query = selectLabels({ 'app.kubernetes.io/part-of': 'llminferenceservice' });
  const { deployments, leaderWorkerSets } = await listCollections(api, workloadLists(inNamespace, query));
  return [deployments, leaderWorkerSets];
}

/** Lists the warnings in a namespace, the latest last. They explain, so that a list that fails is an empty one. */
export async function listWarnings(api: ApiClient, namespace: string): Promise<readonly LiveObject[]> {
  const path = `namespaces/${namespace}/events?fieldSelector=type%3DWarning`;
  return sortedBy(objectsOf(await listObjects(api, collectionOf('v1', 'Event', path))), timeOf);
}

function timeOf(event: LiveObject): string {
  return textAt(event, ['lastTimestamp']) || textAt(event, ['eventTime']);
}

type WorkloadLists = Record<'deployments' | 'leaderWorkerSets' | 'services' | 'graphs', Collection>;

function workloadLists(inNamespace: string, query: string): WorkloadLists {
  const listOf = (kind: string): Collection => {
    const { apiVersion = '', plural = '' } = WORKLOAD_KINDS[kind] ?? {};
    return collectionOf(apiVersion, kind, `${inNamespace}${plural}${query}`);
  };
  return {
    deployments: listOf('Deployment'),
    leaderWorkerSets: listOf('LeaderWorkerSet'),
    services: listOf('LLMInferenceService'),
    graphs: listOf(DYNAMO.kind),
  };
}

/** The kinds of workloads that Kubernetes alone does not serve. */
const CUSTOM_KINDS: ReadonlySet<string> = new Set(['LeaderWorkerSet', 'LLMInferenceService', DYNAMO.kind]);

/** Lists collections. A server also refuses to list kinds that it does not serve, to users without permission. */
async function listServed<K extends string>(
  api: ApiClient,
  collections: Readonly<Record<K, Collection>>,
): Promise<Readonly<Record<K, Listing>>> {
  const lists: Record<K, Listing> = { ...(await listCollections(api, collections)) };
  for (const [name, { apiVersion, kind }] of Object.entries(collections) as [K, Collection][]) {
    const listing = lists[name];
    if (!CUSTOM_KINDS.has(kind) || !('missing' in listing) || listing.missing !== 'forbidden') continue;
    const discovery = await discoverResources(api, apiVersion);
    if ('missing' in discovery && discovery.missing === 'unserved') lists[name] = discovery;
  }
  return lists;
}

/** The objects of all lists. A cluster may not serve the kinds of LeaderWorkerSet, KServe and Dynamo. */
function toObjects(lists: readonly Listing[]): readonly LiveObject[] | Unlisted {
  const [why] = lists.flatMap((one) => ('missing' in one && one.missing !== 'unserved' ? [one.why] : []));
  return why === undefined ? lists.flatMap(objectsOf) : { why };
}

function isListed(listing: Listing): boolean {
  return 'objects' in listing;
}

function selectLabels(labels: Readonly<Record<string, string>>): string {
  const terms = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return `?labelSelector=${encodeURIComponent(terms.join())}`;
}
