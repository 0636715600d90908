import type { InferenceCluster } from '../../api/inference-cluster';
import { alignRange, formatIpRange, type IpRange, parseIpRange, subrangeOf } from '../../base/ip-range';
import type { Fleet } from '../../fleet/fleet';

/** The default range: addresses for 65,536 nodes, as many services, and the pods of 512 nodes. */
export const GKE_CIDR = '10.0.0.0/14';

/** The names of the secondary ranges, for pods and for services. */
export const PODS_RANGE = 'pods';
export const SERVICES_RANGE = 'services';

/** The minimum prefix length of the services range in GKE: 65,536 addresses (GKE guide, VPC-native clusters). */
const MIN_SERVICES_PREFIX = 16;

/** Returns a quarter for nodes, at most a quarter for services, and half for pods, which need a /24 range per node. */
export function gkeRangesOf(cluster: InferenceCluster): Readonly<Record<'nodes' | 'services' | 'pods', IpRange>> {
  const all = alignRange(parseIpRange(cluster.spec.network.cidr ?? GKE_CIDR));
  const quarter = subrangeOf(all, 2, 1);
  const services = { ...quarter, prefix: Math.max(quarter.prefix, MIN_SERVICES_PREFIX) };
  return { nodes: subrangeOf(all, 2, 0), services, pods: subrangeOf(all, 1, 1) };
}

/** The cluster, project and region of planned resources. */
export interface GkeContext {
  readonly cluster: InferenceCluster;
  readonly project: string;
  readonly region: string;
  readonly hardware: Fleet['hardware'];
  readonly labels: Record<string, string>;
}

/** With a separate network for each cluster, no addresses conflict, and deletion leaves nothing behind. */
export function planGkeNetwork({ cluster, project, region }: GkeContext) {
  const { name } = cluster.metadata;
  const { nodes, pods, services } = gkeRangesOf(cluster);
  return {
    network: { name, args: { name, project, autoCreateSubnetworks: false, routingMode: 'REGIONAL' } },
    subnet: {
      name,
      args: {
        name,
        project,
        region,
        network: name,
        ipCidrRange: formatIpRange(nodes),
        // Nodes reach Google APIs without public addresses.
        privateIpGoogleAccess: true,
        secondaryIpRanges: [
          { rangeName: PODS_RANGE, ipCidrRange: formatIpRange(pods) },
          { rangeName: SERVICES_RANGE, ipCidrRange: formatIpRange(services) },
        ],
      },
    },
  };
}

/** Plans the egress of nodes without public addresses, for images and weights. */
export function planGkeNat({ cluster, project, region }: GkeContext) {
  const { name } = cluster.metadata;
  const natIpAllocateOption = 'AUTO_ONLY';
  const sourceSubnetworkIpRangesToNat = 'ALL_SUBNETWORKS_ALL_IP_RANGES';
  return {
    router: { name, args: { name, project, region, network: name } },
    nat: { name, args: { name, project, region, router: name, natIpAllocateOption, sourceSubnetworkIpRangesToNat } },
  };
}
