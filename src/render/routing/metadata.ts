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

/** The cluster that objects are made for, and the settings of its fleet. */
export interface ClusterContext {
  readonly cluster: InferenceCluster;
  readonly settings: Fleet['settings'];
}

/** The metadata of an object that has the name of its Gateway, in the namespace of all of them. */
export function gatewayMetaOf(gateway: string, place: ClusterContext): ObjectMeta {
  return { name: gateway, namespace: SYSTEM_NAMESPACE, labels: gatewayLabelsOf(gateway, place) };
}

/** The labels of an object that belongs to a Gateway. */
export function gatewayLabelsOf(gateway: string, place: ClusterContext): Labels {
  const ours = { 'app.kubernetes.io/name': gateway, 'app.kubernetes.io/component': 'gateway' };
  return completeLabels(ours, place);
}

/**
 * The metadata of an object that belongs to the routes of a service.
 *
 * @param namespace default: that of the service
 */
export function routeMetaOf(
  service: NamespacedName,
  place: ClusterContext,
  name: string,
  namespace = service.namespace,
): ObjectMeta {
  const ours = {
    'app.kubernetes.io/name': shortenName(service.name),
    'app.kubernetes.io/component': 'route',
    [SERVICE_LABEL]: shortenName(service.name),
  };
  return { name, namespace, labels: completeLabels(ours, place) };
}

/** When Argo CD applies routes: when the policies that guard them are there, and all workloads. */
export const ROUTE_ANNOTATIONS = { annotations: { [SYNC_WAVE]: ROUTES_WAVE } } as const;

function completeLabels(ours: Labels, { cluster, settings }: ClusterContext): Labels {
  const all = { ...ours, ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
  return mergeUserLabels(all, settings?.spec.defaults.labels ?? {});
}
