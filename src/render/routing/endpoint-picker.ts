import { createHash } from 'node:crypto';
import { buildPickerConfig, ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import { formatDocuments } from '../../manifest/format-yaml';
import {
  CONFIG_DIGEST,
  type Labels,
  pickerEndpointSelectorOf,
  pickerPodSelectorOf,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../../manifest/kubernetes/manifest';
import { pickerNameOf, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { EDGE_NAME } from '../../routing/addresses';
import type { EdgeBackend } from '../../routing/gateway-types';
import { mirrorImage } from '../image-mirror';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import { UNBOUNDED_BREAKER } from './backend-traffic';
import { proxyLabelsOf } from './envoy-proxy';
import { HTTPS_LISTENER_NAME } from './gateways';
import { type ClusterContext, gatewayRefOf, routeMetaOf, routeRefOf, routingObject } from './routing-object';

interface PickerContext {
  readonly backend: EdgeBackend;
  readonly context: ClusterContext;
}

export function backendPickerNameOf({ service, tier, deployment, hostname }: EdgeBackend): string {
  return pickerNameOf(service, { tier, target: deployment.name, hostname });
}

/**
 * Renders the endpoint picker of a member, in the namespace of the gateways, and the policies that send the requests of
 * its route to the picker first. Returns none if an edge selects pods itself.
 *
 * It has a single replica: its state about pods is local, and a second replica would see only half of the requests.
 * While it is down, gateways choose pods themselves. It has no disruption budget, which would only block drains.
 */
export function renderEndpointPicker(backend: EdgeBackend, route: string, context: ClusterContext): Manifest[] {
  if (backend.picker.kind !== 'PrefixCache') return [];
  const picker = { backend, context };
  const config = formatDocuments([buildPickerConfig(backend.picker)], 'Written by fleetwright.');
  return [
    renderObject(picker, 'v1', 'ServiceAccount', { automountServiceAccountToken: false }),
    ...renderPodReaderRole(picker),
    renderObject(picker, 'v1', 'ConfigMap', { data: { [ENDPOINT_PICKER.configFile]: config } }),
    renderObject(picker, 'apps/v1', 'Deployment', { spec: renderDeploymentSpec(picker, config) }),
    renderObject(picker, 'v1', 'Service', { spec: renderServiceSpec(picker) }),
    renderPickerNetworkPolicy(pickerMetaOf(picker), pickerLabelsOf(picker)),
    renderPickerExtension(picker, route),
    renderPickerFailOpenPatch(picker, route),
  ];
}

function pickerMetaOf({ backend, context }: PickerContext, namespace = SYSTEM_NAMESPACE): ObjectMeta {
  const { labels, ...rest } = routeMetaOf(backend.service, context, backendPickerNameOf(backend), namespace);
  return { ...rest, labels: { ...labels, ...COMPONENT } };
}

const COMPONENT = { 'app.kubernetes.io/component': ENDPOINT_PICKER.name };

function pickerLabelsOf({ backend }: PickerContext): Labels {
  return pickerPodSelectorOf(backendPickerNameOf(backend));
}

function renderObject(picker: PickerContext, apiVersion: string, kind: string, rest: JsonObject): Manifest {
  return { apiVersion, kind, metadata: pickerMetaOf(picker), ...rest };
}

/** Grants read access to the pods in the namespace of the deployment only. */
function renderPodReaderRole(picker: PickerContext): Manifest[] {
  const metadata = pickerMetaOf(picker, picker.backend.deployment.namespace);
  const { name } = metadata;
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }];
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'Role', name };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: SYSTEM_NAMESPACE }];
  return [
    { apiVersion: RBAC, kind: 'Role', metadata, rules },
    { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects },
  ];
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const RBAC = `${RBAC_GROUP}/v1`;

function renderServiceSpec(picker: PickerContext): JsonObject {
  const { port } = ENDPOINT_PICKER;
  return {
    type: 'ClusterIP',
    selector: pickerLabelsOf(picker),
    ports: [{ name: 'grpc', port, targetPort: port, appProtocol: 'kubernetes.io/h2c' }],
  };
}

function renderDeploymentSpec(picker: PickerContext, config: string): JsonObject {
  const digest = createHash('sha256').update(config).digest('hex').slice(0, 16);
  return {
    replicas: 1,
    selector: { matchLabels: pickerLabelsOf(picker) },
    // The new pod takes over while the old pod still answers.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: {
        labels: { ...pickerMetaOf(picker).labels, ...pickerLabelsOf(picker) },
        annotations: { [CONFIG_DIGEST]: digest },
      },
      spec: renderPickerPodSpec(picker),
    },
  };
}

function renderPickerPodSpec(picker: PickerContext): JsonObject {
  const { cluster } = picker.context;
  const name = backendPickerNameOf(picker.backend);
  return {
    serviceAccountName: name,
    // The picker lists pods from the API server.
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    affinity: avoidGpuPools(cluster),
    tolerations: tolerateAllPools(cluster),
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [renderPickerContainer(picker)],
    volumes: [{ name: CONFIG, configMap: { name } }],
  };
}

const CONFIG = 'config';

function renderPickerContainer({ backend, context }: PickerContext): JsonObject {
  const { image, port, healthPort, metricsPort, healthService, configFolder, user } = ENDPOINT_PICKER;
  const { deployment, replica, target } = backend;
  const selector = pickerEndpointSelectorOf(deployment.name, replica);
  const { namespace } = deployment;
  const probe = { grpc: { port: healthPort, service: healthService } };
  return {
    name: ENDPOINT_PICKER.name,
    image: mirrorImage(context.cluster, image),
    args: ENDPOINT_PICKER.args({ namespace, selector, port: target.containerPort }),
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
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: CONFIG, mountPath: configFolder, readOnly: true }],
  };
}

/**
 * Lets the edge proxies reach an endpoint picker, and Prometheus its metrics. It blocks all other ingress, because the
 * picker sees every prompt. Kubelets can always reach the pods of their node. Egress is unrestricted, for pods and the
 * API server.
 */
function renderPickerNetworkPolicy(metadata: ObjectMeta, pods: Labels): Manifest {
  const { port, metricsPort } = ENDPOINT_PICKER;
  const proxies = { podSelector: { matchLabels: proxyLabelsOf(EDGE_NAME) } };
  return routingObject('NetworkPolicy', metadata, {
    podSelector: { matchLabels: pods },
    policyTypes: ['Ingress'],
    ingress: [
      { from: [proxies], ports: [{ protocol: 'TCP', port }] },
      { ports: [{ protocol: 'TCP', port: metricsPort }] },
    ],
  });
}

/** The name of the route rule whose requests go to the picker. The other rule is for health checks. */
export const PICKED_RULE_NAME = 'requests';

/** The health checks of an edge for its picker. A picker that is down delays a request only by a connection attempt. */
const PICKER_HEALTH_CHECKS = {
  panicThreshold: 0,
  active: { type: 'TCP', interval: '1s', timeout: '1s', unhealthyThreshold: 1, healthyThreshold: 1, tcp: {} },
  passive: { consecutiveGatewayErrors: 1, interval: '1s', baseEjectionTime: '5s', maxEjectionPercent: 100 },
};

/** The status of an edge for a request that its picker dropped halfway. A front retries it on another member. */
const PICKER_FAILED_STATUS = 503;

/**
 * Renders the policy that sends the requests of a route to its picker: headers and a streamed body, as the picker
 * requires. Responses do not pass the picker, because a stream would end with it.
 */
function renderPickerExtension({ backend, context }: PickerContext, route: string): Manifest {
  const { port } = ENDPOINT_PICKER;
  const name = backendPickerNameOf(backend);
  const picker = { group: '', kind: 'Service', name, namespace: SYSTEM_NAMESPACE, port };
  return routingObject('EnvoyExtensionPolicy', routeMetaOf(backend.service, context, route), {
    targetRefs: [routeRefOf(route, PICKED_RULE_NAME)],
    extProc: [
      {
        backendRefs: [picker],
        backendSettings: { healthCheck: PICKER_HEALTH_CHECKS, circuitBreaker: UNBOUNDED_BREAKER },
        messageTimeout: '5s',
        processingMode: { request: { body: 'FullDuplexStreamed' } },
        statusOnError: PICKER_FAILED_STATUS,
      },
    ],
  });
}

const LISTENER_TYPE = 'type.googleapis.com/envoy.config.listener.v3.Listener';

/**
 * Renders a patch that lets requests pass while their picker is down. The policy rejects `failOpen` for streamed
 * bodies, because Envoy may already have sent a part. A picker that is known to be down gets no part.
 */
function renderPickerFailOpenPatch({ backend, context }: PickerContext, route: string): Manifest {
  const { service } = backend;
  // The suffix of filter names in Envoy Gateway 1.9: irConfigNameForExtProc in internal/gatewayapi.
  const filter = `/${service.namespace}/${route}/extproc/0$`;
  const jsonPath = `..http_filters[?(@.name=~"${filter}")].typed_config`;
  return routingObject('EnvoyPatchPolicy', routeMetaOf(service, context, route, SYSTEM_NAMESPACE), {
    targetRef: gatewayRefOf(EDGE_NAME),
    type: 'JSONPatch',
    jsonPatches: [
      {
        type: LISTENER_TYPE,
        name: `${SYSTEM_NAMESPACE}/${EDGE_NAME}/${HTTPS_LISTENER_NAME}`,
        operation: { op: 'add', jsonPath, path: 'failure_mode_allow', value: true },
      },
    ],
  });
}
