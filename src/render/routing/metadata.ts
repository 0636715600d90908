import type { InferenceCluster } from '../../api/inference-cluster';
import { CLUSTER_LABEL, SERVICE_LABEL } from '../../api/labels';
import type { Fleet } from '../../fleet/fleet';
import {
  type Labels,
  MANAGED_BY,
  mergeUserLabels,
  ROUTES_WAVE,
  SYNC_WAVE,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { ObjectMeta } from '../../manifest/kubernetes/manifest';
import { shortenName, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { NamespacedName } from '../../routing/gateways';

/** The cluster of the rendered objects, and the settings of its fleet. */
export interface ClusterContext {
  readonly cluster: InferenceCluster;
  readonly settings: Fleet['settings'];
}

/** Returns the metadata of an object with the name of its Gateway, in the namespace of all Gateways. */
export function gatewayMetaOf(gateway: string, context: ClusterContext): ObjectMeta {
  return { name: gateway, namespace: SYSTEM_NAMESPACE, labels: gatewayLabelsOf(gateway, context) };
}

/** Returns the labels of an object that belongs to a Gateway. */
export function gatewayLabelsOf(gateway: string, context: ClusterContext): Labels {
  const labels = { 'app.kubernetes.io/name': gateway, 'app.kubernetes.io/component': 'gateway' };
  return completeLabels(labels, context);
}

/**
 * Returns the metadata of an object that belongs to the routes of a service.
 *
 * @param namespace default: the namespace of the service
 */
export function routeMetaOf(
  service: NamespacedName,
  context: ClusterContext,
  name: string,
  namespace = service.namespace,
): ObjectMeta {
  const labels = {
    'app.kubernetes.io/name': shortenName(service.name),
    'app.kubernetes.io/component': 'route',
    [SERVICE_LABEL]: shortenName(service.name),
  };
  return { name, namespace, labels: completeLabels(labels, context) };
}

/** Makes Argo CD apply routes last: after the policies that protect them, and after all workloads. */
export const ROUTE_ANNOTATIONS = { annotations: { [SYNC_WAVE]: ROUTES_WAVE } } as const;

function completeLabels(labels: Labels, { cluster, settings }: ClusterContext): Labels {
  const all = { ...labels, ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
  return mergeUserLabels(all, settings?.spec.defaults.labels ?? {});
}
