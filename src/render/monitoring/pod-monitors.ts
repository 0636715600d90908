import { backendTypeOf } from '../../api/kubernetes-features';
import { CLUSTER_LABEL, DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL } from '../../api/labels';
import { ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import type { RecordedLabel } from '../../catalog/recording-rules';
import {
  deploymentSelectorOf,
  type Labels,
  objectLabelsOf,
  servingLabelsOf,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import {
  GATEWAYS_MONITOR,
  PICKERS_MONITOR,
  podMonitorNameOf,
  SYSTEM_NAMESPACE,
} from '../../manifest/kubernetes/object-names';
import { PROXY_METRICS, PROXY_OWNER_LABEL } from '../routing/envoy-proxy';
import { PICKER_COMPONENT } from '../routing/picker-objects';
import type { MonitoredDeployment } from './monitored-engines';
import { type MonitoredCluster, createMonitoringObject } from './monitoring-object';

/** The pod labels that become labels of series. The namespace is one already. */
const TARGET_LABELS: Readonly<Partial<Record<RecordedLabel, string>>> = {
  cluster: CLUSTER_LABEL,
  deployment: DEPLOYMENT_LABEL,
  replica_index: REPLICA_INDEX_LABEL,
  engine: ENGINE_LABEL,
};

/**
 * Renders a PodMonitor of each engine with metrics. It selects serving pods only: workers of a gang have no listener.
 * Ports are numbers, because the name of the port of an engine depends on whether a sidecar is in front of it.
 */
export function renderEngineMonitors(
  { metadata, deployment, engines }: MonitoredDeployment,
  context: MonitoredCluster,
): Manifest[] {
  const cluster = context.cluster.metadata.name;
  return engines.flatMap((monitored) => {
    const { engine, metrics, port } = monitored;
    if (!metrics) return [];
    const labels = objectLabelsOf({ deployment, cluster, engine: engine.name });
    const owner = { namespace: metadata.namespace, name: podMonitorNameOf(metadata, engine.name), labels };
    const serving = servingLabelsOf([engine], backendTypeOf(context.cluster));
    const selector = { ...deploymentSelectorOf(deployment), [ENGINE_LABEL]: engine.name, ...serving };
    const target = { selector, port, path: metrics.path, targetLabels: TARGET_LABELS, among: monitored.among };
    return [renderMonitor(owner, target, context)];
  });
}

/** Renders the PodMonitor of the proxies of the gateways of a cluster. */
export function renderGatewayMonitor(context: MonitoredCluster): Manifest {
  const labels = { 'app.kubernetes.io/component': 'gateway' };
  const owner = { namespace: SYSTEM_NAMESPACE, name: GATEWAYS_MONITOR, labels };
  const selector = { 'app.kubernetes.io/managed-by': 'envoy-gateway', 'app.kubernetes.io/component': 'proxy' };
  return renderMonitor(owner, { selector, ...PROXY_METRICS, targetLabels: { gateway: PROXY_OWNER_LABEL } }, context);
}

/** Renders the PodMonitor of the endpoint pickers in a namespace. */
export function renderPickerMonitor(namespace: string, context: MonitoredCluster): Manifest {
  const owner = { namespace, name: PICKERS_MONITOR, labels: PICKER_COMPONENT };
  const targetLabels = { cluster: CLUSTER_LABEL, picker: 'app.kubernetes.io/instance' };
  const target = { selector: PICKER_COMPONENT, port: ENDPOINT_PICKER.metricsPort, path: '/metrics', targetLabels };
  return renderMonitor(owner, target, context);
}

interface Target {
  readonly selector: Labels;
  readonly port: number;
  readonly path: string;

  /** The only pods of the selector that have metrics, as a label and a regular expression. Absent: all. */
  readonly among?: { readonly label: string; readonly pattern: string } | undefined;

  /** Labels of series, with the pod label that each is the value of. */
  readonly targetLabels: Readonly<Partial<Record<string, string>>>;
}

function renderMonitor(
  owner: Parameters<typeof createMonitoringObject>[1],
  target: Target,
  context: MonitoredCluster,
): Manifest {
  const { selector, port, path, targetLabels, among } = target;
  // Proxies do not have the label of the cluster.
  const fixed =
    targetLabels['cluster'] === undefined
      ? [{ targetLabel: 'cluster', replacement: context.cluster.metadata.name }]
      : [];
  const endpoint: JsonObject = {
    portNumber: port,
    path,
    interval: context.monitoring.prometheus.interval,
    relabelings: [
      ...(among ? [{ sourceLabels: [metaLabelOf(among.label)], regex: among.pattern, action: 'keep' }] : []),
      ...fixed,
      ...Object.entries(targetLabels).flatMap(([targetLabel, label]) =>
        label === undefined ? [] : [{ sourceLabels: [metaLabelOf(label)], targetLabel }],
      ),
    ],
  };
  return createMonitoringObject(
    'PodMonitor',
    owner,
    { selector: { matchLabels: selector }, podMetricsEndpoints: [endpoint] },
    context,
  );
}

/** The label of service discovery with the value of a pod label. */
function metaLabelOf(label: string): string {
  return `__meta_kubernetes_pod_label_${label.replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
}
