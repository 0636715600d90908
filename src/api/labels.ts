import type { Group } from './resource';

const LABEL_PREFIX = 'fleetwright.dev/';
const ALIAS_PREFIX = 'modelplane.ai/';

const POOL_LABEL = `${LABEL_PREFIX}pool`;

/** The label on workloads and computed endpoints with their deployment. */
export const DEPLOYMENT_LABEL = `${LABEL_PREFIX}deployment`;

/** The label on workloads and computed endpoints with their cluster. */
export const CLUSTER_LABEL = `${LABEL_PREFIX}cluster`;

/** The label on workloads and computed endpoints with the index of the replica. */
export const REPLICA_INDEX_LABEL = `${LABEL_PREFIX}replica-index`;

/** The label on workloads with the engine of the replica. */
export const ENGINE_LABEL = `${LABEL_PREFIX}engine`;

/** The label on workloads with the role of the member in its engine. */
export const ROLE_LABEL = `${LABEL_PREFIX}role`;

/** The label, with the value `true`, on pods that serve requests. Services select it. Workers of a gang lack it. */
export const SERVING_POD_LABEL = `${LABEL_PREFIX}serving`;

/** The label on objects that stage a cache, with the cache. */
export const CACHE_LABEL = `${LABEL_PREFIX}cache`;

/** The label on routes and their related objects, with the service. */
export const SERVICE_LABEL = `${LABEL_PREFIX}service`;

/** The computed label on clusters with their cloud. */
export const PROVIDER_LABEL = `${LABEL_PREFIX}provider`;

/** The label on clusters with their region. It is computed unless declared. */
export const REGION_LABEL = 'topology.kubernetes.io/region';

/** The label on clusters with the name of a network that all clusters with the same value are joined to. */
export const NETWORK_LABEL = `${LABEL_PREFIX}network`;

/** The prefix of annotations that silence a warning. The code of the warning follows. The value is the reason. */
export const SILENCE_ANNOTATION_PREFIX = `${LABEL_PREFIX}silence-`;

/** The label on nodes with the name of their pool, by the API group of the cluster. */
export const POOL_LABEL_BY_GROUP: Readonly<Record<Group, string>> = {
  'fleetwright.dev': POOL_LABEL,
  'modelplane.ai': `${ALIAS_PREFIX}pool`,
};

/** The labels on pods of deployments of the alias group that tools of that group select. */
export const ALIAS_POD_LABELS = {
  deployment: `${ALIAS_PREFIX}deployment`,
  pool: `${ALIAS_PREFIX}pool`,
  /** Only on pods that serve requests. The value is the name that the alias group gives to the replica. */
  serving: `${ALIAS_PREFIX}serving`,
} as const;

const CANONICAL_BY_ALIAS: ReadonlyMap<string, string> = new Map(
  [POOL_LABEL, DEPLOYMENT_LABEL, CLUSTER_LABEL, REPLICA_INDEX_LABEL].map((key) => [
    key.replace(LABEL_PREFIX, ALIAS_PREFIX),
    key,
  ]),
);

/**
 * Converts a label key of the alias group to the canonical key. Returns other keys unchanged.
 *
 * @example
 * toCanonicalLabel('modelplane.ai/cluster'); // 'fleetwright.dev/cluster'
 */
export function toCanonicalLabel(key: string): string {
  return CANONICAL_BY_ALIAS.get(key) ?? key;
}

/**
 * Converts the keys of labels to canonical keys. If a label has both keys, the value of the canonical key wins.
 *
 * @example
 * toCanonicalLabels({ 'modelplane.ai/cluster': 'us', tier: 'a' }); // { 'fleetwright.dev/cluster': 'us', tier: 'a' }
 */
export function toCanonicalLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const canonical = Object.entries(labels).filter(([key]) => toCanonicalLabel(key) === key);
  const renamed = Object.entries(labels).map(([key, value]) => [toCanonicalLabel(key), value]);
  return Object.fromEntries([...renamed, ...canonical]);
}

/** Whether a label key is reserved for Fleetwright, so that users cannot set it. */
export function isReservedLabel(key: string): boolean {
  return key.startsWith(LABEL_PREFIX) || key.startsWith(ALIAS_PREFIX);
}
