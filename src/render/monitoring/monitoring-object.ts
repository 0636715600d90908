import type { InferenceCluster } from '../../api/inference-cluster';
import { CLUSTER_LABEL } from '../../api/labels';
import { type Labels, MANAGED_BY, mergeUserLabels } from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { shortenName } from '../../manifest/kubernetes/object-names';
import type { ClusterContext } from '../routing/routing-object';

/** The API of the operator of Prometheus (prometheus-operator v0.85). */
export const MONITORING_API = 'monitoring.coreos.com/v1';

export type Monitoring = NonNullable<InferenceCluster['spec']['monitoring']>;

/** A cluster with monitoring. */
export interface MonitoredCluster extends ClusterContext {
  readonly monitoring: Monitoring;
}

/** Whose object it is: its name and namespace, and its labels. */
export interface ObjectOwner {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
}

/** An object of the operator of Prometheus, with the labels by which Prometheus selects it. */
export function createMonitoringObject(
  kind: 'PodMonitor' | 'PrometheusRule',
  owner: ObjectOwner,
  spec: JsonObject,
  { cluster, settings, monitoring }: MonitoredCluster,
): Manifest {
  const { namespace, name } = owner;
  const own = { ...owner.labels, ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
  const labels = { ...mergeUserLabels(own, settings?.spec.defaults.labels ?? {}), ...monitoring.prometheus.labels };
  return { apiVersion: MONITORING_API, kind, metadata: { name, namespace, labels }, spec };
}
