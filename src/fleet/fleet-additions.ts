import type { FleetSettings } from '../api/fleet-settings';
import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';

type Additions = FleetSettings['spec']['additions'];

/** What the fleet adds to one cluster. */
export type ClusterAddition = Additions['clusters'][number];

/** What the fleet adds to one gateway. */
export type GatewayAddition = Additions['gateways'][number];

/** Adds what the fleet has for a cluster. Fields of the cluster itself win, and `checkAdditions` compares them. */
export function addToCluster(cluster: InferenceCluster, settings: FleetSettings | undefined): InferenceCluster {
  const added = settings?.spec.additions.clusters.find(({ name }) => name === cluster.metadata.name)?.gateway;
  if (!added) return cluster;
  const { gateway } = cluster.spec;
  const { hostname = added.hostname, dns = added.dns, tls = added.tls } = gateway;
  const reach = gateway.reach === 'Public' ? (added.reach ?? 'Public') : gateway.reach;
  const merged = { ...gateway, reach, ...definedOf({ hostname, dns, tls }) };
  return { ...cluster, spec: { ...cluster.spec, gateway: merged } };
}

/** Adds what the fleet has for a gateway. Fields of the gateway itself win. */
export function addToGateway(gateway: InferenceGateway, settings: FleetSettings | undefined): InferenceGateway {
  const added = settings?.spec.additions.gateways.find(({ name }) => name === gateway.metadata.name);
  if (!added) return gateway;
  const { spec } = gateway;
  const { hostname = added.hostname, dns = added.dns, tls = added.tls, auth = added.auth } = spec;
  const clusters = spec.clusters.length > 0 ? spec.clusters : added.clusters;
  const isPublic = spec.public === false ? added.public : spec.public;
  return { ...gateway, spec: { ...spec, clusters, public: isPublic, ...definedOf({ hostname, dns, tls, auth }) } };
}

/** A copy without fields that are undefined. */
function definedOf<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
