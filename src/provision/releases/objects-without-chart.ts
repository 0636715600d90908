import type { InferenceCluster } from '../../api/inference-cluster';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { hasAiGateway } from './charts';
import { hasInferencePools, INFERENCE_POOL_CRD, INFERENCE_POOL_KIND, INFERENCE_POOL_PLURAL } from './inference-pool';

const RBAC = 'rbac.authorization.k8s.io';

const READ = ['get', 'list', 'watch'];

const READER = { name: 'fleetwright-inference-pools', labels: MANAGED_BY };

/**
 * Lets Envoy Gateway read pools. The chart of the AI gateway grants this too, but is installed later. A controller that
 * cannot list a watched kind never becomes ready (envoyproxy/gateway v1.9, cacheReadyCheck), so the two releases would
 * wait for each other.
 */
const READER_ROLE: readonly Manifest[] = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: READER,
    rules: [{ apiGroups: [INFERENCE_POOL_KIND.group], resources: [INFERENCE_POOL_PLURAL], verbs: READ }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: READER,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: READER.name },
    // The service account of the chart, independent of the release name.
    subjects: [{ kind: 'ServiceAccount', name: 'envoy-gateway', namespace: SYSTEM_NAMESPACE }],
  },
];

/**
 * Returns the objects of a cluster that no chart installs, or not early enough. Releases that need them are installed
 * after all of them.
 *
 * @example
 * servingObjects(cluster).map(({ kind }) => kind); // ['CustomResourceDefinition']
 */
export function servingObjects(cluster: InferenceCluster): Manifest[] {
  if (!hasInferencePools({ cluster })) return [];
  return [INFERENCE_POOL_CRD, ...(hasAiGateway({ cluster }) ? READER_ROLE : [])];
}
