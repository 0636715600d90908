import type { InferenceCluster } from '../../api/inference-cluster';
import { kubernetesMinorOf } from '../../api/kubernetes-features';
import { sortUnique } from '../../base/order';
import { SYSTEM_POOL } from '../node-pools';
import { AKS_DNS_ADDRESS, AKS_POD_CIDR, AKS_SERVICE_CIDR, type AksContext, NODE_SUBNET } from './network';

/**
 * The last minor version of Kubernetes 1 that AKS offers only with long-term support, which costs more (AKS
 * documentation, "Supported Kubernetes versions": 1.34 until November 2026).
 */
const LAST_LONG_TERM = 34;

/** The size of machines for system pods, their family in quotas, and the most of them. */
export const AKS_SYSTEM_MACHINE = { vmSize: 'Standard_D4s_v5', cpu: 4, quotaFamily: 'standardDSv5Family', most: 4 };

/**
 * The arguments of a cluster that Azure does not change: another cluster is made. Without this list, an update would
 * fail.
 */
export const AKS_CLUSTER_REPLACING = ['dnsPrefix', 'nodeResourceGroup', 'networkProfile'];

/**
 * The arguments that Azure sets only when it creates a cluster, and that edits of a declaration reach. An update fails, which
 * is better than another cluster: nothing is deleted.
 */
export const AKS_CLUSTER_REFUSED = ['apiServerAccessProfile.enablePrivateCluster'];

/** Whether a cluster has a Kubernetes version that AKS offers only with long-term support. */
export function hasLongTermSupport(cluster: InferenceCluster): boolean {
  return (kubernetesMinorOf(cluster) ?? Infinity) <= LAST_LONG_TERM;
}

/** Plans the control plane, with the pool for system pods. Other pools are separate resources. */
export function planAksCluster(context: AksContext, identity: string) {
  const { cluster, location, resourceGroupName, tags } = context;
  const { name } = cluster.metadata;
  const isLongTerm = hasLongTermSupport(cluster);
  return {
    name,
    args: {
      resourceGroupName,
      resourceName: name,
      location,
      dnsPrefix: name,
      // The default name can be longer than the 80 characters that Azure allows.
      nodeResourceGroup: `${resourceGroupName}-nodes`,
      kubernetesVersion: cluster.spec.cluster.aks?.kubernetesVersion,
      sku: { name: 'Base', tier: isLongTerm ? 'Premium' : 'Standard' },
      supportPlan: isLongTerm ? 'AKSLongTermSupport' : 'KubernetesOfficial',
      // Otherwise, AKS replaces nodes on which engines run, at a time of its own.
      autoUpgradeProfile: { upgradeChannel: 'none', nodeOSUpgradeChannel: 'None' },
      ...accessOf(cluster),
      networkProfile: NETWORK,
      tags,
    },
    /** The arguments of the pool for system pods, which is created with the cluster. */
    systemPool: systemPoolOf(cluster),
    refs: { identity, vnetSubnetID: NODE_SUBNET },
    options: {
      // The API lists all pools here, and each other pool is a resource of its own.
      ignoreChanges: ['agentPoolProfiles'],
      replaceOnChanges: AKS_CLUSTER_REPLACING,
      // Azure has no protection from deletion that pools are not part of.
      protect: cluster.spec.deletionProtection,
    },
  };
}

const NETWORK = {
  networkPlugin: 'azure',
  networkPluginMode: 'overlay',
  networkDataplane: 'cilium',
  networkPolicy: 'cilium',
  podCidr: AKS_POD_CIDR,
  serviceCidr: AKS_SERVICE_CIDR,
  dnsServiceIP: AKS_DNS_ADDRESS,
  loadBalancerSku: 'standard',
  outboundType: 'loadBalancer',
};

/** Access is by Microsoft Entra only. Certificates of local accounts could not be revoked. */
function accessOf({ spec }: InferenceCluster) {
  const { private: enablePrivateCluster, authorizedNetworks } = spec.network;
  return {
    enableRBAC: true,
    aadProfile: { managed: true, enableAzureRBAC: true },
    disableLocalAccounts: true,
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
    ...(enablePrivateCluster && { apiServerAccessProfile: { enablePrivateCluster } }),
    ...(authorizedNetworks.length > 0 && {
      apiServerAccessProfile: { authorizedIPRanges: [...authorizedNetworks] },
    }),
  };
}

function systemPoolOf({ spec }: InferenceCluster) {
  const zones = sortUnique(spec.nodePools.flatMap((pool) => pool.zones));
  return {
    name: SYSTEM_POOL,
    mode: 'System',
    type: 'VirtualMachineScaleSets',
    vmSize: AKS_SYSTEM_MACHINE.vmSize,
    osType: 'Linux',
    osSKU: 'Ubuntu',
    osDiskSizeGB: 100,
    enableAutoScaling: true,
    count: 2,
    minCount: 2,
    maxCount: AKS_SYSTEM_MACHINE.most,
    ...(zones.length > 0 && { availabilityZones: zones }),
    nodeLabels: { [spec.poolLabel]: SYSTEM_POOL },
  };
}
