import type { ClusterSource } from '../../api/cluster-source';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { GatewayLocation, Reach } from '../../routing/gateway-types';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import { type ClusterContext, gatewayMetaOf, createRoutingObject } from './routing-object';

interface ProxySettings extends Pick<GatewayLocation, 'source'> {
  /** The name of the Gateway, and of all objects that Envoy Gateway creates for it. */
  readonly name: string;
  readonly reach: Reach;

  /** Seconds between two checks of members without traffic. Absent: no such checks. */
  readonly idleCheckInterval?: number;

  /** The Secret with the client certificate for members. Absent: none. */
  readonly clientCertificate?: string;
}

/** Labels of all objects that Envoy Gateway creates for a Gateway: its name and its namespace. */
/** The label of proxies with the name of their Gateway. */
export const PROXY_OWNER_LABEL = 'gateway.envoyproxy.io/owning-gateway-name';
const OWNER_NAMESPACE = 'gateway.envoyproxy.io/owning-gateway-namespace';

export function proxyLabelsOf(gateway: string): Readonly<Record<string, string>> {
  return { [PROXY_OWNER_LABEL]: gateway, [OWNER_NAMESPACE]: SYSTEM_NAMESPACE };
}

/** The proxies of a gateway on each of its clusters. During a drain or a rollout, the second continues to serve. */
export const PROXIES = 2;

/** A proxy buffers request bodies, 32 MiB each by default, for as long as it can retry them. */
const RESOURCES = { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '4Gi' } };

/** The same time that an engine waits for its longest stream. */
const DRAIN_TIMEOUT = '600s';

const SPREAD_TOPOLOGY_KEYS = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

export function renderEnvoyProxy(proxies: ProxySettings, context: ClusterContext): Manifest {
  const { name, clientCertificate } = proxies;
  return createRoutingObject('EnvoyProxy', gatewayMetaOf(name, context), {
    provider: { type: 'Kubernetes', kubernetes: renderKubernetesProvider(proxies, context) },
    shutdown: { drainTimeout: DRAIN_TIMEOUT, minDrainDuration: '15s' },
    ...renderBootstrap(proxies),
    ...(clientCertificate !== undefined && {
      // A Secret in a namespace other than that of the EnvoyProxy is an error.
      backendTLS: { clientCertificateRef: { kind: 'Secret', name: clientCertificate } },
    }),
  });
}

function renderKubernetesProvider({ name, reach, source }: ProxySettings, { cluster }: ClusterContext): JsonObject {
  const labelSelector = { matchLabels: proxyLabelsOf(name) };
  const whenUnsatisfiable = 'ScheduleAnyway';
  return {
    envoyDeployment: {
      name,
      replicas: PROXIES,
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
    envoyService: { name, ...renderServiceExposure(reach, source) },
  };
}

/** Without this, Envoy checks a cluster without traffic every 60 seconds. No policy has a field for it. */
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

interface LoadBalancerKind {
  /** The annotations that keep it off the internet. */
  readonly internal: Readonly<Record<string, string>>;

  /**
   * What happens to it when these annotations come or go. `Replaced`: another takes its place, with another address.
   * `Kept`: it stays as it is until its Service is deleted.
   */
  readonly turned: 'Replaced' | 'Kept';
}

/**
 * The load balancers of Services by cloud: of cloud-provider-gcp, of the in-tree controller of AWS (`ensureLoadBalancer`
 * creates a scheme and never compares it), and of cloud-provider-azure. On other clusters the controller of the user decides.
 */
export const LOAD_BALANCERS: Readonly<Partial<Record<ClusterSource, LoadBalancerKind>>> = {
  GKE: { internal: { 'networking.gke.io/load-balancer-type': 'Internal' }, turned: 'Replaced' },
  EKS: { internal: { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' }, turned: 'Kept' },
  AKS: { internal: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' }, turned: 'Replaced' },
};

/** The longest timeout of an AWS classic load balancer. The default of a minute is too short for engines. */
const LONG_IDLE_TIMEOUT: AnnotationsBySource = {
  EKS: { 'service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout': '4000' },
};

type AnnotationsBySource = Readonly<Partial<Record<ClusterSource, Readonly<Record<string, string>>>>>;

function renderServiceExposure(reach: Reach, source: ClusterSource): JsonObject {
  if (reach === 'Cluster') return { type: 'ClusterIP' };
  const annotations = { ...LONG_IDLE_TIMEOUT[source], ...(reach === 'Private' && LOAD_BALANCERS[source]?.internal) };
  return {
    type: 'LoadBalancer',
    // With Local, a cloud marks nodes without a proxy as unhealthy, and is slow to notice when a proxy moves.
    externalTrafficPolicy: 'Cluster',
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** The metrics of the proxies of Envoy Gateway (internal/xds/bootstrap of v1.9). */
export const PROXY_METRICS = { port: 19_001, path: '/stats/prometheus' } as const;

interface ProxyPeers {
  readonly name: string;
  readonly port: number;

  /** The names of the Gateways whose proxies may connect. Absent: all clients may connect. */
  readonly from?: readonly string[];

  /** What the proxies may connect to, in addition to DNS and Envoy Gateway. Absent: everything. */
  readonly to?: readonly JsonObject[];
}

/** The port on which Envoy Gateway gives proxies their configuration. */
const XDS_PORT = 18_000;

/** What every proxy needs: DNS, and Envoy Gateway in its own namespace. */
const PROXY_NEEDS: readonly JsonObject[] = [
  { ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })) },
  { to: [{ podSelector: {} }], ports: [{ protocol: 'TCP', port: XDS_PORT }] },
];

/**
 * Lets clients reach the proxies of a Gateway, and Prometheus their metrics. It blocks other ingress, and egress
 * other than to `to`.
 */
export function renderProxyNetworkPolicy({ name, port, from, to }: ProxyPeers, context: ClusterContext): Manifest {
  const peers = from?.map((gateway) => ({ podSelector: { matchLabels: proxyLabelsOf(gateway) } }));
  return createRoutingObject('NetworkPolicy', gatewayMetaOf(name, context), {
    podSelector: { matchLabels: proxyLabelsOf(name) },
    policyTypes: ['Ingress', ...(to ? ['Egress'] : [])],
    ingress: [
      { ...(peers && { from: peers }), ports: [{ protocol: 'TCP', port }] },
      { ports: [{ protocol: 'TCP', port: PROXY_METRICS.port }] },
    ],
    ...(to && { egress: [...PROXY_NEEDS, { to }] }),
  });
}
