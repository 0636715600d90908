import { createHash } from 'node:crypto';
import { buildPickerConfig, ENDPOINT_PICKER, type PickerSettings } from '../../catalog/llm-d/endpoint-picker';
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
import type { EdgeBackend } from '../../routing/gateways';
import { mirrorImage } from '../image-mirror';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import { proxyLabelsOf } from './envoy-proxy';
import { API_VERSIONS } from './gateway-api-kinds';
import { type ClusterContext, routeMetaOf } from './metadata';

/** A member whose pods an endpoint picker chooses among. */
export interface PickerContext {
  readonly backend: EdgeBackend;
  readonly picking: PickerSettings;
  readonly place: ClusterContext;
}

/** The name of all objects of a picker. */
export function backendPickerNameOf({ service, tier, deployment, hostname }: EdgeBackend): string {
  return pickerNameOf(service, { tier, target: deployment.name, hostname });
}

/**
 * The endpoint picker of a member, beside the gateways.
 *
 * There is one of it: what it remembers of pods is its own, and a second one would see half of the requests. While it
 * is away gateways choose by themselves. So no budget holds it: one for a single pod would only hold up drains.
 */
export function renderEndpointPicker(picked: PickerContext): Manifest[] {
  const config = formatDocuments([buildPickerConfig(picked.picking)], 'Written by fleetwright.');
  return [
    renderObject(picked, 'v1', 'ServiceAccount', { automountServiceAccountToken: false }),
    ...renderPodReaderRole(picked),
    renderObject(picked, 'v1', 'ConfigMap', { data: { [ENDPOINT_PICKER.configFile]: config } }),
    renderObject(picked, 'apps/v1', 'Deployment', { spec: renderDeploymentSpec(picked, config) }),
    renderObject(picked, 'v1', 'Service', { spec: renderServiceSpec(picked) }),
    renderPickerNetworkPolicy(pickerMetaOf(picked), pickerLabelsOf(picked)),
  ];
}

function pickerMetaOf({ backend, place }: PickerContext, namespace = SYSTEM_NAMESPACE): ObjectMeta {
  const { labels: ours, ...rest } = routeMetaOf(
    backend.service,
    place,
    backendPickerNameOf(backend),
    namespace,
  );
  return { ...rest, labels: { ...ours, ...COMPONENT } };
}

const COMPONENT = { 'app.kubernetes.io/component': ENDPOINT_PICKER.name };

function pickerLabelsOf({ backend }: PickerContext): Labels {
  return pickerPodSelectorOf(backendPickerNameOf(backend));
}

function renderObject(picked: PickerContext, apiVersion: string, kind: string, rest: JsonObject): Manifest {
  return { apiVersion, kind, metadata: pickerMetaOf(picked), ...rest };
}

/** In the namespace of the deployment, and nowhere else: which pods there are, and whether they are ready. */
function renderPodReaderRole(picked: PickerContext): Manifest[] {
  const metadata = pickerMetaOf(picked, picked.backend.deployment.namespace);
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

function renderServiceSpec(picked: PickerContext): JsonObject {
  const { port } = ENDPOINT_PICKER;
  return {
    type: 'ClusterIP',
    selector: pickerLabelsOf(picked),
    ports: [{ name: 'grpc', port, targetPort: port, appProtocol: 'kubernetes.io/h2c' }],
  };
}

function renderDeploymentSpec(picked: PickerContext, config: string): JsonObject {
  const digest = createHash('sha256').update(config).digest('hex').slice(0, 16);
  return {
    replicas: 1,
    selector: { matchLabels: pickerLabelsOf(picked) },
    // The next one takes over while the last one still answers.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: {
        labels: { ...pickerMetaOf(picked).labels, ...pickerLabelsOf(picked) },
        annotations: { [CONFIG_DIGEST]: digest },
      },
      spec: renderPickerPodSpec(picked),
    },
  };
}

function renderPickerPodSpec(picked: PickerContext): JsonObject {
  const { backend, place } = picked;
  const name = backendPickerNameOf(backend);
  return {
    serviceAccountName: name,
    // It asks the API server for pods.
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    affinity: avoidGpuPools(place.cluster),
    tolerations: tolerateAllPools(place.cluster),
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [renderPickerContainer(picked)],
    volumes: [{ name: CONFIG, configMap: { name } }],
  };
}

const CONFIG = 'config';

function renderPickerContainer({ backend, place }: PickerContext): JsonObject {
  const { image, port, healthPort, metricsPort, healthService, configFolder, user } = ENDPOINT_PICKER;
  const { deployment, replica, target } = backend;
  const selector = pickerEndpointSelectorOf(deployment.name, replica);
  const { namespace } = deployment;
  const probe = { grpc: { port: healthPort, service: healthService } };
  return {
    name: ENDPOINT_PICKER.name,
    image: mirrorImage(place.cluster, image),
    args: ENDPOINT_PICKER.args({ namespace, selector, port: target.containerPort }),
    // By the name of its pod it knows its own.
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
 * Lets the proxies of the edge reach an endpoint picker, Prometheus its metrics, and nobody anything else: it sees every
 * prompt. Kubelets reach the pods of their nodes anyway. Where it connects stays open: to pods and to the API server.
 */
export function renderPickerNetworkPolicy(metadata: ObjectMeta, pods: Labels): Manifest {
  const { port, metricsPort } = ENDPOINT_PICKER;
  return {
    apiVersion: API_VERSIONS.network,
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: { matchLabels: pods },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: proxyLabelsOf(EDGE_NAME) } }],
          ports: [{ protocol: 'TCP', port }],
        },
        { ports: [{ protocol: 'TCP', port: metricsPort }] },
      ],
    },
  };
}
