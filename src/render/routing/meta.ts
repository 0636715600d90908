import type { InferenceCluster } from '../../api/inference-cluster';
import { CLUSTER, SERVICE } from '../../api/labels';
import type { Fleet } from '../../fleet';
import type { Named } from '../../routing/places';
import { LAST_WAVE, SYNC_WAVE } from '../annotations';
import { type Labels, MANAGED_BY, withUserLabels } from '../labels';
import type { ObjectMeta } from '../manifest';
import { fitted, SYSTEM_NAMESPACE } from '../names';

/** The cluster that objects are made for, and the settings of its fleet. */
export interface Place {
  readonly cluster: InferenceCluster;
  readonly settings: Fleet['settings'];
}

/** The metadata of an object that has the name of its Gateway, in the namespace of all of them. */
export function gatewayMeta(gateway: string, place: Place): ObjectMeta {
  return { name: gateway, namespace: SYSTEM_NAMESPACE, labels: gatewayLabels(gateway, place) };
}

/** The labels of an object that belongs to a Gateway. */
export function gatewayLabels(gateway: string, place: Place): Labels {
  const ours = { 'app.kubernetes.io/name': gateway, 'app.kubernetes.io/component': 'gateway' };
  return labelsIn(ours, place);
}

/**
 * The metadata of an object that belongs to the routes of a service.
 *
 * @param namespace default: that of the service
 */
export function routeMeta(
  service: Named,
  place: Place,
  name: string,
  namespace = service.namespace,
): ObjectMeta {
  const ours = {
    'app.kubernetes.io/name': fitted(service.name),
    'app.kubernetes.io/component': 'route',
    [SERVICE]: fitted(service.name),
  };
  return { name, namespace, labels: labelsIn(ours, place) };
}

/** When Argo CD applies routes: when the policies that guard them are there, and all workloads. */
export const LATE = { annotations: { [SYNC_WAVE]: LAST_WAVE } } as const;

function labelsIn(ours: Labels, { cluster, settings }: Place): Labels {
  const all = { ...ours, ...MANAGED_BY, [CLUSTER]: fitted(cluster.metadata.name) };
  return withUserLabels(all, settings?.spec.defaults.labels ?? {});
}
