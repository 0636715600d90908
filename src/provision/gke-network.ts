import type { InferenceCluster } from '../api/inference-cluster';
import { aligned, type Cidr, parseCidr, partOf, textOf } from './cidr';

/** Addresses for 65,536 nodes and as many services, and pods on 512 nodes. */
export const GKE_CIDR = '10.0.0.0/14';

/** The names of the subnet's secondary ranges. */
export const PODS = 'pods';
export const SERVICES = 'services';

/** The ranges of a cluster. None overlaps another, and together they fill `network.cidr`. */
export interface GkeRanges {
  readonly nodes: Cidr;
  readonly services: Cidr;
  readonly pods: Cidr;
}

/** A quarter for nodes, a quarter for services, half for pods: they need the most, a /24 for each node. */
export function gkeRanges(cluster: InferenceCluster): GkeRanges {
  const all = aligned(parseCidr(cluster.spec.network.cidr ?? GKE_CIDR));
  return { nodes: partOf(all, 2, 0), services: partOf(all, 2, 1), pods: partOf(all, 1, 1) };
}

/** Where the network of a cluster is made. */
export interface GkeSite {
  readonly cluster: InferenceCluster;
  readonly project: string;
  readonly region: string;
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
