import type { Group } from './resource';

const OURS = 'fleetwright.dev/';
const ALIAS = 'modelplane.ai/';

/** The label on nodes that names their pool. */
export const POOL = `${OURS}pool`;

/** On workloads and computed endpoints: the deployment that they belong to. */
export const DEPLOYMENT = `${OURS}deployment`;

/** On workloads and computed endpoints: the cluster that they are on. */
export const CLUSTER = `${OURS}cluster`;

/** On workloads and computed endpoints: which replica of the deployment on that cluster. */
export const REPLICA_INDEX = `${OURS}replica-index`;

/** On workloads: the engine of the replica. */
export const ENGINE = `${OURS}engine`;

/** On workloads: the role of the member in its engine. */
export const ROLE = `${OURS}role`;

/** On pods that answer requests, with the value `true`: what a Service selects. Workers of a gang lack it. */
export const SERVING = `${OURS}serving`;

/** On what stages a cache: the cache that it is for. */
export const CACHE = `${OURS}cache`;

/** On routes and what belongs to them: the service that they are for. */
export const SERVICE = `${OURS}service`;

/** On clusters, computed: the cloud that the cluster is on. */
export const PROVIDER = `${OURS}provider`;

/** On clusters, computed unless declared: the region that the cluster is in. */
export const REGION = 'topology.kubernetes.io/region';

/** On clusters: the name of a network that is joined with those of all clusters that have the same name here. */
export const NETWORK = `${OURS}network`;

/** What annotations begin with that silence a warning; its code follows, and the value is the reason. */
export const SILENCE = `${OURS}silence-`;

/** The label on nodes that names their pool, by the group that the cluster is declared under. */
export const POOL_BY_GROUP: Readonly<Record<Group, string>> = {
  'fleetwright.dev': POOL,
  'modelplane.ai': `${ALIAS}pool`,
};

const SAME_AS_OURS: ReadonlyMap<string, string> = new Map(
  [POOL, DEPLOYMENT, CLUSTER, REPLICA_INDEX].map((key) => [key.replace(OURS, ALIAS), key]),
);

/**
 * The key of ours that a key in a selector means. Keys without a counterpart mean themselves.
 *
 * @example
 * canonicalLabel('modelplane.ai/cluster'); // 'fleetwright.dev/cluster'
 */
export function canonicalLabel(key: string): string {
  return SAME_AS_OURS.get(key) ?? key;
}

/**
 * Labels with each key that selectors know by ours under ours. A label that stands under both keeps the value of ours.
 *
 * @example
 * canonicalLabels({ 'modelplane.ai/cluster': 'us', tier: 'prod' }); // { 'fleetwright.dev/cluster': 'us', tier: 'prod' }
 */
export function canonicalLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(labels).filter(([key]) => canonicalLabel(key) === key);
  const renamed = Object.entries(labels).map(([key, value]) => [canonicalLabel(key), value]);
  return Object.fromEntries([...renamed, ...own]);
}

/** Whether a label key is for us to write: users' own labels may not use it. */
export function isReserved(key: string): boolean {
  return key.startsWith(OURS) || key.startsWith(ALIAS);
}
