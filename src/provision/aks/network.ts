import type { InferenceCluster } from '../../api/inference-cluster';
import { alignRange, formatIpRange, parseIpRange, subrangeOf } from '../../base/ip-range';
import type { Fleet } from '../../fleet/fleet';

/** The default range of a virtual network: 32,763 addresses for nodes, and as many for the subnets of users. */
export const AKS_CIDR = '10.0.0.0/16';

/** The range of pods: addresses for 1,024 nodes, which take a /24 range each. Other clusters can use the same range. */
export const AKS_POD_CIDR = '10.244.0.0/14';

/** The range of services. Other clusters can use the same range. */
export const AKS_SERVICE_CIDR = '10.96.0.0/16';

/** The address of the DNS service, in the range of services. */
export const AKS_DNS_ADDRESS = '10.96.0.10';

/** The subnet of nodes. */
export const NODE_SUBNET = 'nodes';

/** The settings that the resources of a cluster share. */
export interface AksContext {
  readonly cluster: InferenceCluster;
  readonly location: string;
  readonly resourceGroupName: string;
  readonly hardware: Fleet['hardware'];
  readonly tags: Record<string, string>;
}

/** Plans the network of a cluster. Pods have addresses of their own range, so it needs addresses for nodes only. */
export function planAksNetwork({ cluster, location, resourceGroupName, tags }: AksContext) {
  const { name } = cluster.metadata;
  const all = alignRange(parseIpRange(cluster.spec.network.cidr ?? AKS_CIDR));
  const inGroup = { resourceGroupName, virtualNetworkName: name };
  return {
    network: {
      name,
      args: { ...inGroup, location, addressSpace: { addressPrefixes: [formatIpRange(all)] }, tags },
      // Subnets are separate resources. The API lists them here too.
      options: { ignoreChanges: ['subnets'] },
    },
    subnet: {
      name: NODE_SUBNET,
      args: {
        ...inGroup,
        subnetName: NODE_SUBNET,
        addressPrefix: formatIpRange(subrangeOf(all, 1, 0)),
        // Nodes mount file shares through it, without the internet.
        serviceEndpoints: [{ service: 'Microsoft.Storage' }],
      },
    },
  };
}
