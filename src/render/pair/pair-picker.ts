import { createHash } from 'node:crypto';
import { backendTypeOf } from '../../api/kubernetes-features';
import { DEPLOYMENT_LABEL } from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import { ENVOY } from '../../catalog/envoy';
import { ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import { formatDocuments } from '../../manifest/format-yaml';
import {
  CONFIG_DIGEST,
  type Labels,
  objectLabelsOf,
  objectMetaOf,
  pickerEndpointSelectorOf,
  pickerPodSelectorOf,
  servingSelectorOf,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { HTTP_PORT_NAME, pairNamesOf, SERVICE_PORT, serviceNameOf } from '../../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../../replicas/replica';
import { engineHealthOf } from '../../routing/health-checks';
import { isPair, prefixPickerOf } from '../../routing/pickers';
import { listBackendsOf, type Routing } from '../../routing/routing';
import { mirrorImage } from '../image-mirror';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import { READ_ONLY_CONTAINER } from '../pod/security-context';
import { listClients } from '../replica-objects';
import { PICKER_COMPONENT, renderPickerObjects } from '../routing/picker-objects';
import type { ClusterContext } from '../routing/routing-object';
import { buildProxyConfig } from './proxy-config';

/**
 * Puts an endpoint picker in front of a prefill/decode pair that no service routes to, so that its Service leads to both
 * engines: to proxies that ask the picker. Otherwise the Service would lead to decode engines alone, and prefill engines
 * would idle. Returns the manifests as they are where a gateway asks a picker, or a custom renderer makes the Service.
 */
export function addPairPicker(
  manifests: readonly Manifest[],
  { deployment }: Pick<ComputedReplica, 'deployment'>,
  routing: Routing,
  context: ClusterContext,
): readonly Manifest[] {
  const service = serviceNameOf(deployment.metadata);
  const isRouted = listBackendsOf(deployment, context.cluster.metadata.name, routing).length > 0;
  const isService = ({ kind, metadata }: Manifest): boolean => kind === 'Service' && metadata.name === service;
  if (!isPair(deployment) || isRouted || !manifests.some(isService)) return manifests;
  const pair: Pair = { deployment, context, names: pairNamesOf(deployment.metadata) };
  const adapted = manifests.map((one) => (isService(one) ? leadToProxy(one, pair) : admitProxy(one, pair)));
  return [...adapted, ...renderPicker(pair), ...renderProxy(pair)];
}

interface Pair {
  readonly deployment: ModelDeployment;
  readonly context: ClusterContext;
  readonly names: ReturnType<typeof pairNamesOf>;
}

function leadToProxy(service: Manifest, { names }: Pair): Manifest {
  return { ...service, spec: { ...service.spec, selector: pickerPodSelectorOf(names.proxy) } };
}

/** Lets the proxy reach the engines, where a NetworkPolicy says who may. */
function admitProxy(manifest: Manifest, { names }: Pair): Manifest {
  const { kind, spec } = manifest;
  const [clients, ...others] = Array.isArray(spec?.['ingress']) ? (spec['ingress'] as JsonObject[]) : [];
  if (kind !== 'NetworkPolicy' || !clients || !Array.isArray(clients['from'])) return manifest;
  const from = [...clients['from'], podsNamed(names.proxy)];
  return { ...manifest, spec: { ...spec, ingress: [{ ...clients, from }, ...others] } };
}

function selectorOf({ deployment, context }: Pair): Labels {
  return servingSelectorOf(deployment, backendTypeOf(context.cluster));
}

function podsNamed(name: string): JsonObject {
  return { podSelector: { matchLabels: pickerPodSelectorOf(name) } };
}

function metaOf({ deployment, context }: Pair, name: string, component: object) {
  const all = objectLabelsOf({ deployment, cluster: context.cluster.metadata.name });
  // That label is for pods of replicas.
  const { [DEPLOYMENT_LABEL]: _, ...own } = all;
  const labels = { ...own, ...component };
  return { ...objectMetaOf(deployment, name, labels), namespace: deployment.metadata.namespace ?? '' };
}

function renderPicker(pair: Pair): Manifest[] {
  const { deployment, context, names } = pair;
  const metadata = metaOf(pair, names.picker, PICKER_COMPONENT);
  const port = engineHealthOf(deployment).containerPort;
  return renderPickerObjects({
    picker: prefixPickerOf(deployment),
    metadata,
    pods: { namespace: metadata.namespace, selector: pickerEndpointSelectorOf(selectorOf(pair)), port },
    clients: podsNamed(names.proxy),
    context,
  });
}

const PROXY_COMPONENT = { 'app.kubernetes.io/component': 'picker-proxy' };

function renderProxy(pair: Pair): Manifest[] {
  const { deployment, names } = pair;
  const metadata = metaOf(pair, names.proxy, PROXY_COMPONENT);
  const config = formatDocuments([configOf(pair, metadata.namespace)], 'Written by fleetwright.');
  const { enabled, from } = deployment.spec.template.spec.networkPolicy;
  const matchLabels = pickerPodSelectorOf(names.proxy);
  const policy = {
    podSelector: { matchLabels },
    policyTypes: ['Ingress'],
    ingress: [{ from: [listClients(pair.context.cluster), ...from], ports: [{ protocol: 'TCP', port: SERVICE_PORT }] }],
  };
  const ports = [{ name: HTTP_PORT_NAME, port: SERVICE_PORT, targetPort: HTTP_PORT_NAME }];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metaOf(pair, names.pods, PROXY_COMPONENT),
      spec: { type: 'ClusterIP', clusterIP: 'None', selector: selectorOf(pair), ports },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [ENVOY.configFile]: config } },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: renderDeployment(pair, config) },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels } },
    },
    ...(enabled ? [{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: policy }] : []),
  ];
}

function configOf({ deployment, names }: Pair, namespace: string): JsonObject {
  const { containerPort, enginePath: path, health } = engineHealthOf(deployment);
  const hostOf = (service: string): string => `${service}.${namespace}.svc.cluster.local`;
  return buildProxyConfig({
    port: SERVICE_PORT,
    pods: { host: hostOf(names.pods), port: containerPort },
    picker: { host: hostOf(names.picker), port: ENDPOINT_PICKER.port },
    ...(health && path !== undefined && { check: { ...health, path } }),
  });
}

/** As edges do, a proxy that ends finishes its streams. */
const DRAIN_SECONDS = 600;

function renderDeployment(pair: Pair, config: string): JsonObject {
  const { context, names } = pair;
  const matchLabels = pickerPodSelectorOf(names.proxy);
  const { labels } = metaOf(pair, names.proxy, PROXY_COMPONENT);
  const digest = createHash('sha256').update(config).digest('hex').slice(0, 16);
  return {
    replicas: 2,
    selector: { matchLabels },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels: { ...labels, ...matchLabels }, annotations: { [CONFIG_DIGEST]: digest } },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: DRAIN_SECONDS + 30,
        affinity: avoidGpuPools(context.cluster),
        tolerations: tolerateAllPools(context.cluster),
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels },
          },
        ],
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [renderContainer(context)],
        volumes: [{ name: CONFIG, configMap: { name: names.proxy } }],
      },
    },
  };
}

const CONFIG = 'config';

function renderContainer({ cluster }: ClusterContext): JsonObject {
  const { name, image, configFolder, configFile, user, resources } = ENVOY;
  const probe = { tcpSocket: { port: SERVICE_PORT } };
  return {
    name,
    image: mirrorImage(cluster, image),
    args: ['--config-path', `${configFolder}/${configFile}`, '--log-level', 'warn', '--concurrency', '2'],
    ports: [{ name: HTTP_PORT_NAME, containerPort: SERVICE_PORT }],
    readinessProbe: { ...probe, periodSeconds: 2 },
    livenessProbe: { ...probe, initialDelaySeconds: 5, periodSeconds: 10 },
    lifecycle: { preStop: { sleep: { seconds: DRAIN_SECONDS } } },
    resources,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      ...READ_ONLY_CONTAINER,
    },
    volumeMounts: [{ name: CONFIG, mountPath: configFolder, readOnly: true }],
  };
}
