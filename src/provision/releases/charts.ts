import type { ClusterSource } from '../../api/cluster-source';
import type { InferenceCluster } from '../../api/inference-cluster';
import { HTTP_ADD_ON } from '../../catalog/http-add-on';
import { KINDS_AT_START } from '../../manifest/kubernetes/labels-and-annotations';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { AKS_RELEASES } from './aks-charts';
import { AMD_RELEASES, installsAmdOperator } from './amd-chart';
import { gpuTolerationsOf, nvidiaPoolsOf, tpuPoolsOf, tpuTolerationsOf } from './gpu-pools';
import { hasInferencePools, INFERENCE_POOL_KIND, INFERENCE_POOL_PLURAL } from './inference-pool';
import { DYNAMO_RELEASES } from './dynamo-charts';
import { EKS_RELEASES } from './eks-charts';
import { installsKServe, KSERVE_RELEASES } from './kserve-charts';
import { QUEUE_RELEASES } from './queue-charts';
import type { ReleaseContext, ReleaseDefinition, Values } from './release';

/** The node label that satisfies the affinity of the driver chart. The GPU Operator or a pool can set it. */
const GPU_PRESENT = 'nvidia.com/gpu.present';

/** Clouds on which new GPU pools have that label. */
const CLOUDS_WITH_GPU_LABEL: ReadonlySet<ClusterSource> = new Set(['GKE', 'EKS', 'AKS']);

/** The path of the NVIDIA driver on a cloud, if it is not `/`. */
const DRIVER_ROOT: Readonly<Partial<Record<ClusterSource, string>>> = {
  GKE: '/home/kubernetes/bin/nvidia',
  // Where the GPU Operator installs it.
  AKS: '/run/nvidia/driver',
};

const ENVOY_REPOSITORY = 'oci://docker.io/envoyproxy';
const AI_NAMESPACE = 'envoy-ai-gateway-system';

/** Version 1.1 is tested with Envoy Gateway 1.9 and later. */
const AI_GATEWAY_VERSION = 'v1.1.0';

const OWNER_NAMESPACE = 'gateway.envoyproxy.io/owning-gateway-namespace';

/** The host of the AI gateway for Envoy Gateway, without the cluster domain. */
export const AI_GATEWAY_CONTROLLER = `ai-gateway-controller.${AI_NAMESPACE}`;

/**
 * The maximum message size, in MiB. One message contains the whole state of a Gateway. With the default of 4 MiB,
 * larger messages would block every change.
 */
const MESSAGE_MIB = 64;

/** Whether a cluster has the AI gateway, for routes of its users. Routes of Fleetwright do not need it. */
export function hasAiGateway({ cluster }: Pick<ReleaseContext, 'cluster'>): boolean {
  return cluster.spec.servingStack.aiGateway?.install === true;
}

/** Makes Envoy Gateway call the AI gateway in each translation (envoyproxy/ai-gateway, envoy-gateway-values.yaml). */
const EXTENSION: Values = {
  hooks: {
    xdsTranslator: {
      translation: {
        listener: { includeAll: true },
        route: { includeAll: true },
        cluster: { includeAll: true },
        secret: { includeAll: true },
      },
      post: ['Translation', 'Cluster', 'Route'],
    },
  },
  service: { fqdn: { hostname: `${AI_GATEWAY_CONTROLLER}.svc.cluster.local`, port: 1063 } },
  maxMessageSize: `${MESSAGE_MIB}Mi`,
};

/** Returns the extension settings of Envoy Gateway, with InferencePools as backends if their kind is installed. */
function extensionManagerOf(context: ReleaseContext): Values {
  return { ...EXTENSION, ...(hasInferencePools(context) && { backendResources: [INFERENCE_POOL_KIND] }) };
}

/**
 * All releases that a cluster can have, in the order of their dependencies. Each version is the newest reviewed version
 * of its chart. Values differ from the defaults of the chart, with the reason.
 */
export const RELEASE_DEFINITIONS: readonly ReleaseDefinition[] = [
  {
    key: 'certManager',
    name: 'cert-manager',
    namespace: 'cert-manager',
    chart: 'cert-manager',
    repository: 'https://charts.jetstack.io',
    version: 'v1.17.1',
    needed: (context) =>
      hasAiGateway(context) || hasIssuer(context) || installsKServe(context) || installsAmdOperator(context),
    values: () => ({ crds: { enabled: true } }),
    imageValues: (mirror) => ({
      image: { repository: `${mirror}/jetstack/cert-manager-controller` },
      webhook: { image: { repository: `${mirror}/jetstack/cert-manager-webhook` } },
      cainjector: { image: { repository: `${mirror}/jetstack/cert-manager-cainjector` } },
      acmesolver: { image: { repository: `${mirror}/jetstack/cert-manager-acmesolver` } },
      startupapicheck: { image: { repository: `${mirror}/jetstack/cert-manager-startupapicheck` } },
    }),
  },
  {
    key: 'envoyGateway',
    name: 'envoy-gateway',
    // It creates the proxies in its own namespace.
    namespace: SYSTEM_NAMESPACE,
    chart: 'gateway-helm',
    repository: ENVOY_REPOSITORY,
    version: 'v1.9.1',
    // It looks for additional kinds only at start.
    needs: ['inferenceCrds'],
    needed: (context) => hasAiGateway(context) || canHaveGateways(context.cluster),
    values: (context) => ({
      config: {
        envoyGateway: {
          // These are off by default. A route that needs one of them would be accepted and return 500.
          extensionApis: { enableBackend: true, enableEnvoyPatchPolicy: true, enableLua: true },
          ...(hasAiGateway(context) && { extensionManager: extensionManagerOf(context) }),
        },
      },
    }),
    imageValues: (mirror) => ({ global: { imageRegistry: mirror } }),
  },
  {
    key: 'aiGatewayCrds',
    name: 'ai-gateway-crds',
    namespace: AI_NAMESPACE,
    chart: 'ai-gateway-crds-helm',
    repository: ENVOY_REPOSITORY,
    version: AI_GATEWAY_VERSION,
    needed: hasAiGateway,
  },
  {
    key: 'aiGateway',
    name: 'ai-gateway',
    namespace: AI_NAMESPACE,
    chart: 'ai-gateway-helm',
    repository: ENVOY_REPOSITORY,
    version: AI_GATEWAY_VERSION,
    // Its controller watches kinds of all four.
    needs: ['certManager', 'envoyGateway', 'aiGatewayCrds', 'inferenceCrds'],
    needed: hasAiGateway,
    values: (context) => ({
      controller: {
        // The controller looks for the kind only at start (envoyproxy/ai-gateway, internal/controller/controller.go).
        ...(hasInferencePools(context) && { podAnnotations: { [KINDS_AT_START]: INFERENCE_POOL_PLURAL } }),
        // No route changes while the extension is down. All replicas answer, not only the leader.
        replicaCount: 2,
        // A string, because Helm would format the number as 6.7108864e+07.
        maxRecvMsgSize: String(MESSAGE_MIB * 1024 * 1024),
        mutatingWebhook: {
          // The certificate of the chart is valid for a year, and can differ from the CA bundle that the API server
          // has.
          certManager: { enable: true },
          // Proxies start only after the webhook answers. Fleetwright's proxies do not need the webhook.
          objectSelector: {
            matchLabels: { 'app.kubernetes.io/managed-by': 'envoy-gateway' },
            matchExpressions: [{ key: OWNER_NAMESPACE, operator: 'NotIn', values: [SYSTEM_NAMESPACE] }],
          },
        },
      },
      // The namespace of the service account that may read InferencePools.
      envoyGateway: { namespace: SYSTEM_NAMESPACE },
    }),
    imageValues: (mirror) => ({
      controller: { image: { repository: `${mirror}/envoyproxy/ai-gateway-controller` } },
      extProc: { image: { repository: `${mirror}/envoyproxy/ai-gateway-extproc` } },
    }),
  },
  {
    key: 'leaderWorkerSet',
    name: 'lws',
    namespace: 'lws-system',
    chart: 'lws',
    repository: 'oci://registry.k8s.io/lws/charts',
    version: 'v0.10.0',
    needed: ({ cluster }) => cluster.spec.nodePools.length > 0,
    // The default tag in some chart versions is the tag of the development branch.
    values: (_, version) => ({ image: { manager: { tag: `v${version.replace(/^v/, '')}` } } }),
    imageValues: (mirror) => ({ image: { manager: { repository: `${mirror}/lws/lws` } } }),
  },
  {
    key: 'nodeFeatureDiscovery',
    name: 'node-feature-discovery',
    namespace: 'node-feature-discovery',
    chart: 'node-feature-discovery',
    repository: 'oci://registry.k8s.io/nfd/charts',
    version: '0.19.0',
    needed: (context) => nvidiaPoolsOf(context).some(({ labels }) => !hasGpuLabel(labels, context)),
    values: (context) => ({ worker: { tolerations: gpuTolerationsOf(nvidiaPoolsOf(context)) } }),
    imageValues: (mirror) => ({ image: { repository: `${mirror}/nfd/node-feature-discovery` } }),
  },
  ...AKS_RELEASES,
  ...AMD_RELEASES,
  {
    key: 'nvidiaDraDriver',
    name: 'dra-driver-nvidia-gpu',
    namespace: 'dra-driver-nvidia-gpu',
    chart: 'dra-driver-nvidia-gpu',
    repository: 'oci://registry.k8s.io/dra-driver-nvidia/charts',
    version: '0.4.1',
    needs: ['nodeFeatureDiscovery', 'gpuOperator'],
    needed: (context) => nvidiaPoolsOf(context).length > 0,
    values: driverValuesOf,
    imageValues: (mirror) => ({ image: { repository: `${mirror}/dra-driver-nvidia/dra-driver-nvidia-gpu` } }),
  },
  ...EKS_RELEASES,
  {
    key: 'tpuDraDriver',
    name: 'dra-driver-google-tpu',
    namespace: 'dra-driver-google-tpu',
    chart: 'dra-driver-google-tpu',
    repository: 'oci://registry.k8s.io/dra-driver-google/charts',
    version: '0.2.0',
    needed: (context) => context.cluster.spec.cluster.source === 'GKE' && tpuPoolsOf(context).length > 0,
    values: (context) => ({
      // GKE admits system-critical pods only in namespaces with a quota for them.
      kubeletPlugin: { priorityClassName: '', tolerations: tpuTolerationsOf(tpuPoolsOf(context)) },
    }),
    imageValues: (mirror) => ({ image: { repository: `${mirror}/dra-driver-google/dra-driver-google-tpu` } }),
  },
  {
    key: 'prometheus',
    name: 'prometheus',
    namespace: 'monitoring',
    chart: 'kube-prometheus-stack',
    repository: 'https://prometheus-community.github.io/helm-charts',
    version: '88.5.3',
    optIn: true,
    needed: ({ cluster }) => usesPrometheusOperator(cluster),
    values: () => ({
      fullnameOverride: 'prometheus',
      grafana: { enabled: false },
      alertmanager: { enabled: false },
      // Otherwise Prometheus reads only monitors and rules with the labels of this release.
      prometheus: {
        prometheusSpec: {
          podMonitorSelectorNilUsesHelmValues: false,
          ruleSelectorNilUsesHelmValues: false,
          serviceMonitorSelectorNilUsesHelmValues: false,
        },
      },
    }),
    imageValues: (mirror) => ({ global: { imageRegistry: mirror } }),
  },
  {
    key: 'keda',
    name: 'keda',
    namespace: 'keda',
    chart: 'keda',
    repository: 'https://kedacore.github.io/charts',
    version: '2.21.0',
    needed: () => false,
    imageValues: (mirror) => ({ global: { image: { registry: mirror } } }),
  },
  {
    key: 'kedaHttpAddOn',
    name: HTTP_ADD_ON.chart,
    namespace: HTTP_ADD_ON.namespace,
    chart: HTTP_ADD_ON.chart,
    repository: 'https://kedacore.github.io/charts',
    version: '0.15.0',
    needs: ['keda'],
    needed: () => false,
    // Responses in progress finish before a proxy ends. The default is 30 seconds.
    values: () => ({ interceptor: { drainTimeout: '600s', terminationGracePeriodSeconds: 630 } }),
    imageValues: (mirror) => ({
      images: {
        operator: `${mirror}/kedacore/http-add-on-operator`,
        interceptor: `${mirror}/kedacore/http-add-on-interceptor`,
        scaler: `${mirror}/kedacore/http-add-on-scaler`,
      },
    }),
  },
  ...QUEUE_RELEASES,
  ...KSERVE_RELEASES,
  ...DYNAMO_RELEASES,
];

/** Whether manifests of a cluster include kinds of the operator of Prometheus. */
function usesPrometheusOperator({ spec: { monitoring } }: InferenceCluster): boolean {
  return monitoring !== undefined && (monitoring.podMonitors || monitoring.rules);
}

/** Whether a cluster can have gateways, which need certificates. */
function canHaveGateways({ spec }: InferenceCluster): boolean {
  return spec.gateway.enabled && spec.gateway.tls !== undefined;
}

function hasIssuer({ cluster, gateways }: ReleaseContext): boolean {
  const specs = [cluster.spec.gateway, ...gateways.map(({ spec }) => spec)];
  return canHaveGateways(cluster) && specs.some(({ tls }) => tls?.issuer);
}

function hasGpuLabel(labels: Readonly<Record<string, string>>, { cluster }: ReleaseContext): boolean {
  return labels[GPU_PRESENT] === 'true' || CLOUDS_WITH_GPU_LABEL.has(cluster.spec.cluster.source);
}

function driverValuesOf(context: ReleaseContext) {
  const { source } = context.cluster.spec.cluster;
  const root = DRIVER_ROOT[source];
  return {
    // The chart publishes no GPUs without it.
    gpuResourcesEnabledOverride: true,
    resources: { computeDomains: { enabled: context.cluster.spec.nodePools.some(({ rack }) => rack) } },
    ...(root !== undefined && { nvidiaDriverRoot: root }),
    kubeletPlugin: {
      tolerations: gpuTolerationsOf(nvidiaPoolsOf(context)),
      // GKE admits system-critical pods only in namespaces with a quota for them.
      ...(source === 'GKE' && { priorityClassName: '' }),
    },
  };
}
