import type { ClusterSource } from '../../api/cluster-source';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { GatewayLocation, Reach } from '../../routing/gateways';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import { API_VERSIONS } from './gateway-api-kinds';
import { type ClusterContext, gatewayMetaOf } from './metadata';

/** What the proxies of a Gateway are like. */
export interface ProxySettings extends Pick<GatewayLocation, 'source'> {
  /** The name of the Gateway, and of all that Envoy Gateway makes for it. */
  readonly name: string;
  readonly reach: Reach;

  /** Seconds between two checks of members without traffic. Absent: it checks none. */
  readonly idleCheckInterval?: number;

  /** The Secret whose certificate it shows to members. Absent: none. */
  readonly clientCertificate?: string;
}

/** On all objects that Envoy Gateway makes for a Gateway: its name, and its namespace. */
const OWNER_NAME = 'gateway.envoyproxy.io/owning-gateway-name';
const OWNER_NAMESPACE = 'gateway.envoyproxy.io/owning-gateway-namespace';

/** The labels of the pods of a Gateway. */
export function proxyLabelsOf(gateway: string): Readonly<Record<string, string>> {
  return { [OWNER_NAME]: gateway, [OWNER_NAMESPACE]: SYSTEM_NAMESPACE };
}

/** One may leave, whether its node does or it is replaced, and the other goes on. */
const REPLICAS = 2;

/** Bodies of requests are held whole, 32 MiB each by default, as long as they may have to be sent a second time. */
const RESOURCES = { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '4Gi' } };

/** As long as an engine waits for its longest stream. */
const DRAIN_TIMEOUT = '600s';

const SPREAD_TOPOLOGY_KEYS = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

/** The proxies of a Gateway: how many, of what size, behind which Service, and how they know each other. */
export function renderEnvoyProxy(proxies: ProxySettings, place: ClusterContext): Manifest {
  const { name, clientCertificate } = proxies;
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'EnvoyProxy',
    metadata: gatewayMetaOf(name, place),
    spec: {
      provider: { type: 'Kubernetes', kubernetes: renderKubernetesProvider(proxies, place) },
      shutdown: { drainTimeout: DRAIN_TIMEOUT, minDrainDuration: '15s' },
      ...renderBootstrap(proxies),
      ...(clientCertificate !== undefined && {
        // Of the namespace of the EnvoyProxy: another one is an error.
        backendTLS: { clientCertificateRef: { kind: 'Secret', name: clientCertificate } },
      }),
    },
  };
}

function renderKubernetesProvider(
  { name, reach, source }: ProxySettings,
  { cluster }: ClusterContext,
): JsonObject {
  const labelSelector = { matchLabels: proxyLabelsOf(name) };
  const whenUnsatisfiable = 'ScheduleAnyway';
  return {
    envoyDeployment: {
      name,
      replicas: REPLICAS,
      container: { resources: RESOURCES },
      pod: {
        affinity: avoidGpuPools(cluster),
        tolerations: tolerateAllPools(cluster),
        topologySpreadConstraints: SPREAD_TOPOLOGY_KEYS.map((topologyKey) => {
          return { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector };
        }),
      },
    },
    envoyPDB: { minAvailable: 1 },
    envoyService: { name, ...renderServiceExposure(reach, { source }) },
  };
}

/**
 * Envoy asks a cluster that has had no traffic every 60 seconds, whatever its policy says, unless this bounds all
 * intervals. A policy cannot.
 */
function renderBootstrap({ idleCheckInterval }: ProxySettings): JsonObject {
  if (idleCheckInterval === undefined) return {};
  const value = [
    'layered_runtime:',
    '  layers:',
    '  - name: fleetwright',
    '    static_layer:',
    `      health_check: { max_interval: ${Math.round(idleCheckInterval * 1000)} }`,
    '',
  ].join('\n');
  // The default type replaces the whole configuration.
  return { bootstrap: { type: 'Merge', value } };
}

/**
 * What keeps the load balancer of a Service off the internet, by cloud: the annotations of cloud-provider-gcp, of the
 * in-tree controller of AWS, and of cloud-provider-azure. Elsewhere the user's own controller decides.
 */
const INTERNAL_LOAD_BALANCER: AnnotationsBySource = {
  GKE: { 'networking.gke.io/load-balancer-type': 'Internal' },
  EKS: { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' },
  AKS: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' },
};

/** A classic load balancer of AWS cuts what is silent for a minute, and engines may think for longer. Its longest. */
const LONG_IDLE_TIMEOUT: AnnotationsBySource = {
  EKS: { 'service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout': '4000' },
};

type AnnotationsBySource = Readonly<Partial<Record<ClusterSource, Readonly<Record<string, string>>>>>;

/** How the Service of a Gateway is exposed on its cluster. */
export function renderServiceExposure(reach: Reach, { source }: Pick<GatewayLocation, 'source'>): JsonObject {
  if (reach === 'Cluster') return { type: 'ClusterIP' };
  const annotations = {
    ...LONG_IDLE_TIMEOUT[source],
    ...(reach === 'Private' && INTERNAL_LOAD_BALANCER[source]),
  };
  return {
    type: 'LoadBalancer',
    // With Local, a cloud calls nodes without a proxy unhealthy, and takes a while to see one move.
    externalTrafficPolicy: 'Cluster',
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** Where the proxies of Envoy Gateway have their metrics (internal/xds/bootstrap of v1.9). */
const METRICS_PORT = 19_001;

/** Who may reach the proxies of a Gateway, and on which port. */
export interface ProxyClients {
  /** The name of the Gateway. */
  readonly name: string;

  /** The port on which its proxies listen. */
  readonly port: number;

  /** The names of the Gateways whose proxies may. Absent: everybody may. */
  readonly from?: readonly string[];
}

/** Lets clients reach the proxies of a Gateway where they listen, Prometheus their metrics, and nobody anything else. */
export function renderProxyNetworkPolicy(
  { name, port, from }: ProxyClients,
  place: ClusterContext,
): Manifest {
  const peers = from?.map((gateway) => ({ podSelector: { matchLabels: proxyLabelsOf(gateway) } }));
  return {
    apiVersion: API_VERSIONS.network,
    kind: 'NetworkPolicy',
    metadata: gatewayMetaOf(name, place),
    spec: {
      podSelector: { matchLabels: proxyLabelsOf(name) },
      policyTypes: ['Ingress'],
      ingress: [
        { ...(peers && { from: peers }), ports: [tcpPort(port)] },
        { ports: [tcpPort(METRICS_PORT)] },
      ],
    },
  };
}

function tcpPort(port: number): JsonObject {
  return { protocol: 'TCP', port };
}
