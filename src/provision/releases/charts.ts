import type { ClusterSource } from '../../api/cluster-source';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import { groupBy } from '../../base/order';
import { GPU_TAINT_KEY } from '../../catalog/device-classes';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { AI_GATEWAY_DEFINITIONS, extensionManagerOf, hasAiGateway } from './ai-gateway-charts';
import type { ReleaseContext, ReleaseDefinition } from './release';

/** The label that alone satisfies the affinity of the driver's chart. The GPU Operator sets it, and so can a pool. */
const GPU_PRESENT = 'nvidia.com/gpu.present';

/** Clouds whose GPU pools get that label when they are made. */
const CLOUDS_WITH_GPU_LABEL: ReadonlySet<ClusterSource> = new Set(['GKE', 'EKS']);

/** Where a cloud puts the NVIDIA driver, if not at `/`. */
const DRIVER_ROOT: Readonly<Partial<Record<ClusterSource, string>>> = {
  GKE: '/home/kubernetes/bin/nvidia',
};

/** The service account of the autoscaler, which EKS knows by name. */
export const AUTOSCALER_ACCOUNT = 'cluster-autoscaler';

const never = (): boolean => false;

/**
 * Every release that a cluster can have, those that others need first. Versions are the newest whose chart was looked
 * at; values are what differs from its defaults, and why.
 */
export const RELEASE_DEFINITIONS: readonly ReleaseDefinition[] = [
  {
    key: 'certManager',
    name: 'cert-manager',
    namespace: 'cert-manager',
    chart: 'cert-manager',
    repository: 'https://charts.jetstack.io',
    version: 'v1.17.1',
    needs: [],
    needed: (site) => hasAiGateway(site) || hasIssuer(site),
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
    // It makes the proxies beside itself.
    namespace: SYSTEM_NAMESPACE,
    chart: 'gateway-helm',
    repository: 'oci://docker.io/envoyproxy',
    version: 'v1.9.1',
    // For kinds of others it looks only when it starts.
    needs: ['inferenceCrds'],
    needed: (site) => hasAiGateway(site) || routes(site.cluster),
    values: (site) => ({
      config: {
        envoyGateway: {
          // All three are off by default; a route that needs one is then accepted and answers 500.
          extensionApis: { enableBackend: true, enableEnvoyPatchPolicy: true, enableLua: true },
          ...(hasAiGateway(site) && { extensionManager: extensionManagerOf(site) }),
        },
      },
    }),
    imageValues: (mirror) => ({ global: { imageRegistry: mirror } }),
  },
  ...AI_GATEWAY_DEFINITIONS,
  {
    key: 'leaderWorkerSet',
    name: 'lws',
    namespace: 'lws-system',
    chart: 'lws',
    repository: 'oci://registry.k8s.io/lws/charts',
    version: 'v0.10.0',
    needs: [],
    needed: ({ cluster }) => cluster.spec.nodePools.length > 0,
    // Some charts have the tag of the development branch as their default.
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
    needs: [],
    needed: (site) => nvidiaPoolsOf(site).some(({ labels }) => !saysGpu(labels, site)),
    values: (site) => ({ worker: { tolerations: gpuTolerationsOf(nvidiaPoolsOf(site)) } }),
    imageValues: (mirror) => ({ image: { repository: `${mirror}/nfd/node-feature-discovery` } }),
  },
  {
    key: 'nvidiaDraDriver',
    name: 'dra-driver-nvidia-gpu',
    namespace: 'dra-driver-nvidia-gpu',
    chart: 'dra-driver-nvidia-gpu',
    repository: 'oci://registry.k8s.io/dra-driver-nvidia/charts',
    version: '0.4.1',
    needs: ['nodeFeatureDiscovery'],
    needed: (site) => nvidiaPoolsOf(site).length > 0,
    values: driverValues,
    imageValues: (mirror) => ({
      image: { repository: `${mirror}/dra-driver-nvidia/dra-driver-nvidia-gpu` },
    }),
  },
  {
    key: 'awsDranet',
    name: 'aws-dranet',
    namespace: 'kube-system',
    chart: 'aws-dranet',
    repository: 'https://aws.github.io/eks-charts',
    version: '1.0.0',
    needs: [],
    needed: (site) => efaPoolsOf(site).length > 0,
    values: (site) => ({ tolerations: gpuTolerationsOf(efaPoolsOf(site)) }),
    imageValues: (mirror) => ({ image: { repository: `${mirror}/eks/dranet` } }),
  },
  {
    key: 'clusterAutoscaler',
    name: 'cluster-autoscaler',
    // Where its service account has an identity: `podIdentities` of the plan of a cluster.
    namespace: 'kube-system',
    chart: 'cluster-autoscaler',
    repository: 'https://kubernetes.github.io/autoscaler',
    version: '9.58.0',
    needs: [],
    needed: ({ cluster: { spec } }) =>
      spec.cluster.source === 'EKS' && spec.nodePools.some(({ maxNodeCount }) => maxNodeCount !== undefined),
    values: ({ cluster: { metadata, spec } }) => ({
      fullnameOverride: 'cluster-autoscaler',
      cloudProvider: 'aws',
      ...(spec.cluster.eks && { awsRegion: spec.cluster.eks.region }),
      autoDiscovery: { clusterName: metadata.name },
      rbac: { serviceAccount: { name: AUTOSCALER_ACCOUNT } },
    }),
    imageValues: (mirror) => ({ image: { repository: `${mirror}/autoscaling/cluster-autoscaler` } }),
  },
  {
    key: 'prometheus',
    name: 'prometheus',
    namespace: 'monitoring',
    chart: 'kube-prometheus-stack',
    repository: 'https://prometheus-community.github.io/helm-charts',
    version: '88.5.3',
    needs: [],
    needed: never,
    values: () => ({
      fullnameOverride: 'prometheus',
      grafana: { enabled: false },
      alertmanager: { enabled: false },
      // Otherwise only monitors that carry the labels of this release are read.
      prometheus: {
        prometheusSpec: {
          podMonitorSelectorNilUsesHelmValues: false,
          serviceMonitorSelectorNilUsesHelmValues: false,
        },
      },
    }),
    imageValues: (mirror) => ({ global: { imageRegistry: mirror } }),
  },
];

/** Whether gateways may come to a cluster: without certificates none can. */
function routes({ spec }: InferenceCluster): boolean {
  return spec.gateway.enabled && spec.gateway.tls !== undefined;
}

/** Whether cert-manager makes certificates of gateways on a cluster. */
function hasIssuer({ cluster, gateways }: ReleaseContext): boolean {
  const specs = [cluster.spec.gateway, ...gateways.map(({ spec }) => spec)];
  return routes(cluster) && specs.some(({ tls }) => tls?.issuer);
}

function saysGpu(labels: Readonly<Record<string, string>>, { cluster }: ReleaseContext): boolean {
  return labels[GPU_PRESENT] === 'true' || CLOUDS_WITH_GPU_LABEL.has(cluster.spec.cluster.source);
}

function driverValues(site: ReleaseContext) {
  const { source } = site.cluster.spec.cluster;
  const root = DRIVER_ROOT[source];
  return {
    // Without it the chart refuses to publish GPUs.
    gpuResourcesEnabledOverride: true,
    resources: { computeDomains: { enabled: false } },
    ...(root !== undefined && { nvidiaDriverRoot: root }),
    kubeletPlugin: {
      tolerations: gpuTolerationsOf(nvidiaPoolsOf(site)),
      // GKE admits system-critical pods only in namespaces with a quota for them.
      ...(source === 'GKE' && { priorityClassName: '' }),
    },
  };
}

/** The driver that the chart of NVIDIA installs. */
const NVIDIA_DRIVER = 'gpu.nvidia.com';

/** The driver of network cards. */
const DRANET_DRIVER = 'dra.net';

/** What clouds put on nodes with GPUs, whether or not the pool declares it. */
const GPU_TAINT = { key: GPU_TAINT_KEY, operator: 'Exists', effect: 'NoSchedule' } as const;

/** What one kind of pod tolerates. */
interface Toleration {
  readonly key: string;
  readonly operator: 'Exists';
  readonly effect: string;
}

/** The pools whose nodes have NVIDIA GPUs that pods claim. */
export function nvidiaPoolsOf({ cluster, classes }: ReleaseContext): readonly NodePool[] {
  if (!cluster.spec.dra) return [];
  return cluster.spec.nodePools.filter(({ className }) =>
    classes
      .get(className)
      ?.spec.devices.some(({ driver, claim }) => driver === NVIDIA_DRIVER && claim === 'DRA'),
  );
}

/** The pools whose nodes have network cards for EFA that pods claim. */
export function efaPoolsOf({ cluster, classes }: ReleaseContext): readonly NodePool[] {
  if (!cluster.spec.dra) return [];
  return cluster.spec.nodePools.filter(
    ({ className, fabric }) =>
      fabric.type === 'EFA' &&
      classes
        .get(className)
        ?.spec.devices.some(({ driver, claim }) => driver === DRANET_DRIVER && claim === 'DRA'),
  );
}

/**
 * What a DaemonSet has to tolerate to run on every node of some pools with GPUs: a missing one keeps the driver away
 * from the pool, and its claims wait for ever while everything looks well.
 */
export function gpuTolerationsOf(pools: readonly NodePool[]): readonly Toleration[] {
  const declared = pools
    .flatMap(({ taints }) => taints)
    .map(({ key, effect }): Toleration => ({ key, operator: 'Exists', effect }));
  const all = groupBy([GPU_TAINT, ...declared], ({ key, effect }) => `${key} ${effect}`).values();
  return [...all].flatMap((alike) => alike.slice(0, 1));
}
