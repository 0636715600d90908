import { createHash } from 'node:crypto';
import { buildPickerConfig, ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import { formatDocuments } from '../../manifest/format-yaml';
import {
  CONFIG_DIGEST,
  type Labels,
  NAMESPACE_NAME_LABEL,
  pickerPodSelectorOf,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../../manifest/kubernetes/manifest';
import { INFERENCE_POOL_KIND } from '../../provision/releases/inference-pool';
import type { Picker } from '../../routing/traffic-types';
import { mirrorImage } from '../image-mirror';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import { READ_ONLY_CONTAINER } from '../pod/security-context';
import { API_VERSIONS, type ClusterContext } from './routing-object';

/** An endpoint picker: which pods it picks from, and the names and labels of its objects. */
export interface PickerInstance {
  readonly picker: Extract<Picker, { kind: 'PrefixCache' }>;

  /** Its objects. Only those that let it read pods are in the namespace of the pods. */
  readonly metadata: ObjectMeta & { readonly namespace: string };

  /** The pods of a deployment, or of one of its replicas. */
  readonly pods: {
    readonly namespace: string;
    readonly selector: Labels;
    readonly port: number;
  };

  /** The pods that ask it, as peers of a NetworkPolicy. */
  readonly clients: JsonObject;
  readonly context: ClusterContext;
}

/**
 * Renders an endpoint picker.
 *
 * It has a single replica: its state about pods is local, and a second replica would see only half of the requests.
 * While it is down, proxies choose pods themselves. It has no disruption budget, which would only block drains.
 */
export function renderPickerObjects(instance: PickerInstance): Manifest[] {
  const config = formatDocuments([buildPickerConfig(instance.picker)], 'Written by fleetwright.');
  return [
    renderObject(instance, 'v1', 'ServiceAccount', { automountServiceAccountToken: false }),
    ...renderPodReaderRole(instance),
    renderObject(instance, 'v1', 'ConfigMap', { data: { [ENDPOINT_PICKER.configFile]: config } }),
    renderObject(instance, 'apps/v1', 'Deployment', { spec: renderDeploymentSpec(instance, config) }),
    renderObject(instance, 'v1', 'Service', { spec: renderServiceSpec(instance) }),
    renderNetworkPolicy(instance),
    ...(instance.picker.pool ? [renderPool(instance)] : []),
  ];
}

/** The label of objects of endpoint pickers. */
export const PICKER_COMPONENT = { 'app.kubernetes.io/component': ENDPOINT_PICKER.name };

function renderObject({ metadata }: PickerInstance, apiVersion: string, kind: string, rest: JsonObject): Manifest {
  return { apiVersion, kind, metadata, ...rest };
}

/** Grants read access to the pods in the namespace of the deployment only. */
function renderPodReaderRole({ metadata: own, pods }: PickerInstance): Manifest[] {
  const metadata = { ...own, namespace: pods.namespace };
  const { name } = metadata;
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }];
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'Role', name };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: own.namespace }];
  return [
    { apiVersion: RBAC, kind: 'Role', metadata, rules },
    { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects },
  ];
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const RBAC = `${RBAC_GROUP}/v1`;

function selectorOf({ metadata }: PickerInstance): Labels {
  return pickerPodSelectorOf(metadata.name);
}

function renderServiceSpec(instance: PickerInstance): JsonObject {
  const { port } = ENDPOINT_PICKER;
  return {
    type: 'ClusterIP',
    selector: selectorOf(instance),
    ports: [{ name: 'grpc', port, targetPort: port, appProtocol: 'kubernetes.io/h2c' }],
  };
}

function renderDeploymentSpec(instance: PickerInstance, config: string): JsonObject {
  const digest = createHash('sha256').update(config).digest('hex').slice(0, 16);
  return {
    replicas: 1,
    selector: { matchLabels: selectorOf(instance) },
    // The new pod takes over while the old pod still answers.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: {
        labels: { ...instance.metadata.labels, ...selectorOf(instance) },
        annotations: { [CONFIG_DIGEST]: digest },
      },
      spec: renderPodSpec(instance),
    },
  };
}

function renderPodSpec(instance: PickerInstance): JsonObject {
  const { cluster } = instance.context;
  const { name } = instance.metadata;
  return {
    serviceAccountName: name,
    // The picker lists pods from the API server.
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    affinity: avoidGpuPools(cluster),
    tolerations: tolerateAllPools(cluster),
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [renderContainer(instance)],
    volumes: [{ name: CONFIG, configMap: { name } }],
  };
}

const CONFIG = 'config';

function renderContainer({ pods, context }: PickerInstance): JsonObject {
  const { image, port, healthPort, metricsPort, healthService, configFolder, user } = ENDPOINT_PICKER;
  const { namespace, selector } = pods;
  const probe = { grpc: { port: healthPort, service: healthService } };
  return {
    name: ENDPOINT_PICKER.name,
    image: mirrorImage(context.cluster, image),
    args: ENDPOINT_PICKER.args({ namespace, selector, port: pods.port }),
    // The picker finds its own pod by name.
    env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    ports: [
      { name: 'grpc', containerPort: port },
      { name: 'health', containerPort: healthPort },
      { name: 'metrics', containerPort: metricsPort },
    ],
    readinessProbe: { ...probe, periodSeconds: 2 },
    livenessProbe: { ...probe, initialDelaySeconds: 5, periodSeconds: 10 },
    resources: ENDPOINT_PICKER.resources,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      ...READ_ONLY_CONTAINER,
    },
    volumeMounts: [{ name: CONFIG, mountPath: configFolder, readOnly: true }],
  };
}

/**
 * Lets the proxies reach an endpoint picker, and Prometheus its metrics. It blocks all other ingress, because the
 * picker sees every prompt. Kubelets can always reach the pods of their node. Egress is unrestricted, for pods and the
 * API server.
 */
function renderNetworkPolicy(instance: PickerInstance): Manifest {
  const { port, metricsPort } = ENDPOINT_PICKER;
  const spec = {
    podSelector: { matchLabels: selectorOf(instance) },
    policyTypes: ['Ingress'],
    ingress: [
      { from: [instance.clients], ports: [{ protocol: 'TCP', port }] },
      { ports: [{ protocol: 'TCP', port: metricsPort }] },
    ],
  };
  return renderObject(instance, API_VERSIONS.network, 'NetworkPolicy', { spec });
}

/** Adds a selector of the namespace to the peer of a NetworkPolicy, for pods in another namespace. */
export function peerIn(namespace: string, peer: JsonObject): JsonObject {
  return { namespaceSelector: { matchLabels: { [NAMESPACE_NAME_LABEL]: namespace } }, ...peer };
}

/** Renders the InferencePool of the pods and their picker, by which other tools find both. No route leads to it. */
function renderPool(instance: PickerInstance): Manifest {
  const { metadata, pods } = instance;
  const { group, kind, version } = INFERENCE_POOL_KIND;
  const spec = {
    selector: { matchLabels: pods.selector },
    targetPorts: [{ number: pods.port }],
    endpointPickerRef: {
      group: '',
      kind: 'Service',
      name: metadata.name,
      port: { number: ENDPOINT_PICKER.port },
      failureMode: 'FailOpen',
    },
  };
  return renderObject(instance, `${group}/${version}`, kind, { spec });
}
