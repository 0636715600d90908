import type { InferenceCluster } from '../api/inference-cluster';
import { aligned, type Cidr, parseCidr, partOf, textOf } from './cidr';

/** Addresses for 65,536 nodes and as many services, and pods on 512 nodes. */
export const GKE_CIDR = '10.0.0.0/14';

/** The names of the subnet's secondary ranges. */
export const PODS = 'pods';
export const SERVICES = 'services';

/** GKE takes no longer range of services: 65,536 (GKE guide, VPC-native clusters). */
const SHORTEST_SERVICES = 16;

/** The ranges of a cluster, all in `network.cidr`. None overlaps another. */
export interface GkeRanges {
  readonly nodes: Cidr;
  readonly services: Cidr;
  readonly pods: Cidr;
}

/** A quarter for nodes, at most a quarter for services, half for pods: they need the most, a /24 for each node. */
export function gkeRanges(cluster: InferenceCluster): GkeRanges {
  const all = aligned(parseCidr(cluster.spec.network.cidr ?? GKE_CIDR));
  const { base, prefix } = partOf(all, 2, 1);
  const services = { base, prefix: Math.max(prefix, SHORTEST_SERVICES) };
  return { nodes: partOf(all, 2, 0), services, pods: partOf(all, 1, 1) };
}

/** Where the network of a cluster is made. */
export interface GkeSite {
  readonly cluster: InferenceCluster;
  readonly project: string;
  readonly region: string;

  /** What says whose its resources are. */
  readonly labels: Record<string, string>;
}

/** The name of the network and of its subnet. */
export function networkName({ metadata }: InferenceCluster): string {
  return metadata.name;
}

/** A network of the cluster's own: no other cluster's addresses are in its way, and deleting it leaves nothing behind. */
export function gkeNetwork({ cluster, project }: GkeSite) {
  const name = networkName(cluster);
  return { name, args: { name, project, autoCreateSubnetworks: false, routingMode: 'REGIONAL' } };
}

/** The subnet of nodes, with the ranges of pods and services. Nodes reach Google's services without public addresses. */
export function gkeSubnet({ cluster, project, region }: GkeSite) {
  const name = networkName(cluster);
  const { nodes, pods, services } = gkeRanges(cluster);
  return {
    name,
    args: {
      name,
      project,
      region,
      network: name,
      ipCidrRange: textOf(nodes),
      privateIpGoogleAccess: true,
      secondaryIpRanges: [
        { rangeName: PODS, ipCidrRange: textOf(pods) },
        { rangeName: SERVICES, ipCidrRange: textOf(services) },
      ],
    },
  };
}

/** The way out for nodes without public addresses: to images and weights. */
export function gkeNat({ cluster, project, region }: GkeSite) {
  const name = networkName(cluster);
  return {
    router: { name, args: { name, project, region, network: name } },
    nat: {
      name,
      args: {
        name,
        project,
        region,
        router: name,
        natIpAllocateOption: 'AUTO_ONLY',
        sourceSubnetworkIpRangesToNat: 'ALL_SUBNETWORKS_ALL_IP_RANGES',
      },
    },
  };
}
