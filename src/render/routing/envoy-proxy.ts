import type { Place as ClusterPlace, Reach } from '../../routing/places';
import type { JsonObject, Manifest } from '../manifest';
import { SYSTEM_NAMESPACE } from '../names';
import { offPools, toleratesPools } from '../off-pools';
import { exposure } from './exposure';
import { API } from './kinds';
import { gatewayMeta, type Place } from './meta';

/** What the proxies of a Gateway are like. */
export interface Proxies extends Pick<ClusterPlace, 'source'> {
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
export function proxyLabels(gateway: string): Readonly<Record<string, string>> {
  return { [OWNER_NAME]: gateway, [OWNER_NAMESPACE]: SYSTEM_NAMESPACE };
}

/** One may leave, whether its node does or it is replaced, and the other goes on. */
const REPLICAS = 2;

/** Bodies of requests are held whole, 32 MiB each by default, as long as they may have to be sent a second time. */
const RESOURCES = { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '4Gi' } };

/** As long as an engine waits for its longest stream. */
const DRAIN = '600s';

const SPREAD = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

/** The proxies of a Gateway: how many, of what size, behind which Service, and how they know each other. */
export function envoyProxy(proxies: Proxies, place: Place): Manifest {
  const { name, clientCertificate } = proxies;
  return {
    apiVersion: API.envoy,
    kind: 'EnvoyProxy',
    metadata: gatewayMeta(name, place),
    spec: {
      provider: { type: 'Kubernetes', kubernetes: onKubernetes(proxies, place) },
      shutdown: { drainTimeout: DRAIN, minDrainDuration: '15s' },
      ...bootstrap(proxies),
      ...(clientCertificate !== undefined && {
        // Of the namespace of the EnvoyProxy: another one is an error.
        backendTLS: { clientCertificateRef: { kind: 'Secret', name: clientCertificate } },
      }),
    },
  };
}

function onKubernetes({ name, reach, source }: Proxies, { cluster }: Place): JsonObject {
  const labelSelector = { matchLabels: proxyLabels(name) };
  const whenUnsatisfiable = 'ScheduleAnyway';
  return {
    envoyDeployment: {
      name,
      replicas: REPLICAS,
      container: { resources: RESOURCES },
      pod: {
        affinity: offPools(cluster),
        tolerations: toleratesPools(cluster),
        topologySpreadConstraints: SPREAD.map((topologyKey) => {
          return { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector };
        }),
      },
    },
    envoyPDB: { minAvailable: 1 },
    envoyService: { name, ...exposure(reach, { source }) },
  };
}

/**
 * Envoy asks a cluster that has had no traffic every 60 seconds, whatever its policy says, unless this bounds all
 * intervals. A policy cannot.
 */
function bootstrap({ idleCheckInterval }: Proxies): JsonObject {
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
