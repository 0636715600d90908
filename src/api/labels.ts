import type { Group } from './resource';

const LABEL_PREFIX = 'fleetwright.dev/';
const ALIAS_PREFIX = 'modelplane.ai/';

/** The label on nodes that names their pool. */
export const POOL_LABEL = `${LABEL_PREFIX}pool`;

/** On workloads and computed endpoints: the deployment that they belong to. */
export const DEPLOYMENT_LABEL = `${LABEL_PREFIX}deployment`;

/** On workloads and computed endpoints: the cluster that they are on. */
export const CLUSTER_LABEL = `${LABEL_PREFIX}cluster`;

/** On workloads and computed endpoints: which replica of the deployment on that cluster. */
export const REPLICA_INDEX_LABEL = `${LABEL_PREFIX}replica-index`;

/** On workloads: the engine of the replica. */
export const ENGINE_LABEL = `${LABEL_PREFIX}engine`;

/** On workloads: the role of the member in its engine. */
export const ROLE_LABEL = `${LABEL_PREFIX}role`;

/** On pods that answer requests, with the value `true`: what a Service selects. Workers of a gang lack it. */
export const SERVING_POD_LABEL = `${LABEL_PREFIX}serving`;

/** On what stages a cache: the cache that it is for. */
export const CACHE_LABEL = `${LABEL_PREFIX}cache`;

/** On routes and what belongs to them: the service that they are for. */
export const SERVICE_LABEL = `${LABEL_PREFIX}service`;

/** On clusters, computed: the cloud that the cluster is on. */
export const PROVIDER_LABEL = `${LABEL_PREFIX}provider`;

/** On clusters, computed unless declared: the region that the cluster is in. */
export const REGION_LABEL = 'topology.kubernetes.io/region';

/** On clusters: the name of a network that is joined with those of all clusters that have the same name here. */
export const NETWORK_LABEL = `${LABEL_PREFIX}network`;

/** What annotations begin with that silence a warning; its code follows, and the value is the reason. */
export const SILENCE_ANNOTATION_PREFIX = `${LABEL_PREFIX}silence-`;

/** The label on nodes that names their pool, by the group that the cluster is declared under. */
export const POOL_LABEL_BY_GROUP: Readonly<Record<Group, string>> = {
  'fleetwright.dev': POOL_LABEL,
  'modelplane.ai': `${ALIAS_PREFIX}pool`,
};

const CANONICAL_BY_ALIAS: ReadonlyMap<string, string> = new Map(
  [POOL_LABEL, DEPLOYMENT_LABEL, CLUSTER_LABEL, REPLICA_INDEX_LABEL].map((key) => [
    key.replace(LABEL_PREFIX, ALIAS_PREFIX),
    key,
  ]),
);

/**
 * The key of ours that a key in a selector means. Keys without a counterpart mean themselves.
 *
 * @example
 * canonicalLabel('modelplane.ai/cluster'); // 'fleetwright.dev/cluster'
 */
export function toCanonicalLabel(key: string): string {
  return CANONICAL_BY_ALIAS.get(key) ?? key;
}

/**
 * Labels with each key that selectors know by ours under ours. A label that stands under both keeps the value of ours.
 *
 * @example
 * canonicalLabels({ 'modelplane.ai/cluster': 'us', tier: 'prod' }); // { 'fleetwright.dev/cluster': 'us', tier: 'prod' }
 */
export function toCanonicalLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(labels).filter(([key]) => toCanonicalLabel(key) === key);
  const renamed = Object.entries(labels).map(([key, value]) => [toCanonicalLabel(key), value]);
  return Object.fromEntries([...renamed, ...own]);
}

/** Whether a label key is for us to write: users' own labels may not use it. */
export function isReservedLabel(key: string): boolean {
  return key.startsWith(LABEL_PREFIX) || key.startsWith(ALIAS_PREFIX);
}
