import type { InferenceCluster } from '../../api/inference-cluster';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { hasAiGateway } from './ai-gateway-charts';
import {
  hasInferencePools,
  INFERENCE_POOL_CRD,
  INFERENCE_POOL_KIND,
  INFERENCE_POOL_PLURAL,
} from './inference-pool';

const RBAC = 'rbac.authorization.k8s.io';

const READER = { name: 'fleetwright-inference-pools', labels: MANAGED_BY };

/**
 * What lets Envoy Gateway read pools. The chart of the AI gateway grants it too, but comes later: a controller that may
 * not list a kind which it watches is never ready (envoyproxy/gateway v1.9, cacheReadyCheck), and its release would
 * wait for what waits for it.
 */
const READING: readonly Manifest[] = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: READER,
    rules: [
      {
        apiGroups: [INFERENCE_POOL_KIND.group],
        resources: [INFERENCE_POOL_PLURAL],
        verbs: ['get', 'list', 'watch'],
      },
    ],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: READER,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: READER.name },
    // The account of its chart, whatever the release.
    subjects: [{ kind: 'ServiceAccount', name: 'envoy-gateway', namespace: SYSTEM_NAMESPACE }],
  },
];

/**
 * The objects that a cluster has beside its releases, since no chart brings them or brings them in time. Releases that
 * need them come after all of them.
 *
 * @example
 * servingObjects(cluster).map(({ kind }) => kind); // ['CustomResourceDefinition']
 */
export function servingObjects(cluster: InferenceCluster): Manifest[] {
  if (!hasInferencePools({ cluster })) return [];
  return [INFERENCE_POOL_CRD, ...(hasAiGateway({ cluster }) ? READING : [])];
}
