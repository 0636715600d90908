import type { InferenceCluster } from '../api/inference-cluster';
import { CLUSTER_LABEL } from '../api/labels';
import { sortUnique } from '../base/order';
import {
  MANAGED_BY,
  mergeUserLabels,
  NAMESPACE_NAME_LABEL,
  SYNC_WAVE,
} from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../manifest/kubernetes/manifest';
import { flavorNameOf, shortenName, topologyNameOf } from '../manifest/kubernetes/object-names';
import type { Fleet } from '../fleet/fleet';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import { formatResourceAmount, RESOURCE_NAMES } from '../scheduler/compile/resource-requests';
import type { Pool } from '../scheduler/compiled-fleet';
import { KAI_TOPOLOGY } from './kai-topology';

/** The API of Kueue (kueue v0.19, apis/kueue/v1beta2). */
const KUEUE_API = 'kueue.x-k8s.io/v1beta2';

/** Workloads wait for what they refer to. Only namespaces come earlier. */
const BEFORE_WORKLOADS = { [SYNC_WAVE]: '-1' };

/** What the replicas of a cluster wait for. */
interface Awaited {
  /** The namespaces of the deployments on the cluster. */
  readonly namespaces: Iterable<string>;

  /** The levels within which KAI keeps gangs. */
  readonly topologies: readonly (readonly string[])[];
}

type QueuedFleet = Pick<Fleet, 'settings' | 'classes' | 'hardware'>;

/**
 * Renders what the scheduler of a cluster reads: for KAI a Topology for each list of levels, and where Fleetwright manages
 * the queues of Kueue a ResourceFlavor for each pool, a ClusterQueue with the room that the plan counts on, and a
 * LocalQueue in each namespace with replicas. Empty for other clusters.
 */
export function renderQueues(cluster: InferenceCluster, fleet: QueuedFleet, awaited: Awaited): Manifest[] {
  const generated = { ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
  const labels = mergeUserLabels(generated, fleet.settings?.spec.defaults.labels ?? {});
  const createObject: CreateObject = ({ apiVersion, kind }, metadata, spec) => ({
    apiVersion,
    kind,
    metadata: { ...metadata, labels, annotations: BEFORE_WORKLOADS },
    spec,
  });
  const topologies = awaited.topologies.map((levels) =>
    createObject(
      KAI_TOPOLOGY,
      { name: topologyNameOf(levels) },
      { levels: levels.map((nodeLabel) => ({ nodeLabel })) },
    ),
  );
  return [...topologies, ...renderKueueQueues(cluster, fleet, sortUnique(awaited.namespaces), createObject)];
}

type CreateObject = (
  type: Pick<Manifest, 'apiVersion' | 'kind'>,
  metadata: { readonly name: string; readonly namespace?: string },
  spec: JsonObject,
) => Manifest;

function renderKueueQueues(
  cluster: InferenceCluster,
  fleet: QueuedFleet,
  names: readonly string[],
  createObject: CreateObject,
): Manifest[] {
  const { scheduler } = cluster.spec;
  if (!scheduler?.manage || scheduler.queue === undefined || names.length === 0) return [];
  const { queue } = scheduler;
  const queueObject = (kind: string, metadata: { name: string; namespace?: string }, spec: JsonObject): Manifest =>
    createObject({ apiVersion: KUEUE_API, kind }, metadata, spec);
  const pools = poolsOf(cluster, fleet);
  return [
    ...pools.map(({ name }) =>
      queueObject('ResourceFlavor', { name: flavorNameOf(name) }, { nodeLabels: { [cluster.spec.poolLabel]: name } }),
    ),
    queueObject('ClusterQueue', { name: queue }, clusterQueueSpecOf(pools, names)),
    ...names.map((namespace) => queueObject('LocalQueue', { name: queue, namespace }, { clusterQueue: queue })),
  ];
}

/** Returns the pools of a cluster as the plan counts them: at their most nodes, less what is reserved. */
function poolsOf(cluster: InferenceCluster, { classes, hardware }: QueuedFleet): readonly Pool[] {
  return compileClusters({ classes, hardware, clusters: [cluster] }).flatMap(({ pools }) => pools);
}

function clusterQueueSpecOf(pools: readonly Pool[], namespaces: readonly string[]): JsonObject {
  const classes = sortUnique(pools.flatMap(({ node }) => node.kinds.flatMap(({ claimedAs }) => claimedAs ?? [])));
  const coveredResources = [...RESOURCE_NAMES, ...classes];
  const flavors = pools.map((pool) => ({
    name: flavorNameOf(pool.name),
    resources: [...resourceQuotasOf(pool), ...classes.map((name) => deviceQuotaOf(pool, name))],
  }));
  return {
    namespaceSelector: { matchExpressions: [{ key: NAMESPACE_NAME_LABEL, operator: 'In', values: namespaces }] },
    resourceGroups: [{ coveredResources, flavors }],
  };
}

function resourceQuotasOf({ node, nodes }: Pool): JsonObject[] {
  return RESOURCE_NAMES.map((name) => {
    const amount = node.resources.find((resource) => resource.name === name)?.amount ?? 0;
    return { name, nominalQuota: formatResourceAmount(name, amount * nodes) };
  });
}

function deviceQuotaOf({ node, nodes }: Pool, name: string): JsonObject {
  const counts = node.kinds.filter(({ claimedAs }) => claimedAs === name).map(({ count }) => count);
  return { name, nominalQuota: String(counts.reduce((sum, count) => sum + count, 0) * nodes) };
}
