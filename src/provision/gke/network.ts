import type { InferenceCluster } from '../../api/inference-cluster';
import { alignCidr, type Cidr, formatCidr, parseCidr, subrangeOf } from '../../base/cidr';

/** Addresses for 65,536 nodes and as many services, and pods on 512 nodes. */
export const GKE_CIDR = '10.0.0.0/14';

/** The names of the subnet's secondary ranges. */
export const PODS_RANGE = 'pods';
export const SERVICES_RANGE = 'services';

/** GKE takes no longer range of services: 65,536 (GKE guide, VPC-native clusters). */
const SHORTEST_SERVICES = 16;

/** The ranges of a cluster, all in `network.cidr`. None overlaps another. */
export interface GkeRanges {
  readonly nodes: Cidr;
  readonly services: Cidr;
  readonly pods: Cidr;
}

/** A quarter for nodes, at most a quarter for services, half for pods: they need the most, a /24 for each node. */
export function gkeRangesOf(cluster: InferenceCluster): GkeRanges {
  const all = alignCidr(parseCidr(cluster.spec.network.cidr ?? GKE_CIDR));
  const { base, prefix } = subrangeOf(all, 2, 1);
  const services = { base, prefix: Math.max(prefix, SHORTEST_SERVICES) };
  return { nodes: subrangeOf(all, 2, 0), services, pods: subrangeOf(all, 1, 1) };
}

/** Where the network of a cluster is made. */
export interface GkeContext {
  readonly cluster: InferenceCluster;
  readonly project: string;
  readonly region: string;

  /** What says whose its resources are. */
  readonly labels: Record<string, string>;
}

/** The name of the network and of its subnet. */
export function networkNameOf({ metadata }: InferenceCluster): string {
  return metadata.name;
}

/** A network of the cluster's own: no other cluster's addresses are in its way, and deleting it leaves nothing behind. */
export function planGkeNetwork({ cluster, project }: GkeContext) {
  const name = networkNameOf(cluster);
  return { name, args: { name, project, autoCreateSubnetworks: false, routingMode: 'REGIONAL' } };
}

/** The subnet of nodes, with the ranges of pods and services. Nodes reach Google's services without public addresses. */
export function planGkeSubnet({ cluster, project, region }: GkeContext) {
  const name = networkNameOf(cluster);
  const { nodes, pods, services } = gkeRangesOf(cluster);
  return {
    name,
    args: {
      name,
      project,
      region,
      network: name,
      ipCidrRange: formatCidr(nodes),
      privateIpGoogleAccess: true,
      secondaryIpRanges: [
        { rangeName: PODS_RANGE, ipCidrRange: formatCidr(pods) },
        { rangeName: SERVICES_RANGE, ipCidrRange: formatCidr(services) },
      ],
    },
  };
}

/** The way out for nodes without public addresses: to images and weights. */
export function planGkeNat({ cluster, project, region }: GkeContext) {
  const name = networkNameOf(cluster);
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
