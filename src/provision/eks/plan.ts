import type { InferenceCluster } from '../../api/inference-cluster';
import { sortedBy } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';
import { ownershipLabelsOf } from '../cloud-names';
import { AUTOSCALER_ACCOUNT } from '../releases/charts';
import { planEksFileSystem } from './file-system';
import { type EksRole, planEksAccess, planEksRoles } from './iam';
import { eksZonesOf, planEksNetwork, privateSubnetNameOf } from './network';
import {
  EFA_SECURITY_GROUP,
  type EksContext,
  type EksPool,
  planEksPool,
  planEksSystemPool,
  planLaunchTemplate,
  planPlacementGroups,
} from './node-pool';

/** What is made for a cluster on EKS. */
export type EksPlan = ReturnType<typeof eksPlan>;

/** An add-on of EKS. */
interface Addon {
  readonly name: string;

  /** Whether it runs as pods of a Deployment, which need a node first. The others are needed by nodes. */
  readonly afterNodes: boolean;

  /** What differs from its defaults. */
  readonly values?: object;

  /** Who its pods are to AWS. */
  readonly identity?: { readonly serviceAccount: string; readonly role: EksRole };
}

const ADDONS: readonly Addon[] = [
  // Otherwise network policies are accepted and have no effect (EKS guide, cni-network-policy).
  { name: 'vpc-cni', afterNodes: false, values: { enableNetworkPolicy: 'true' } },
  { name: 'kube-proxy', afterNodes: false },
  { name: 'eks-pod-identity-agent', afterNodes: false },
  { name: 'coredns', afterNodes: true },
];

const EFS_ADDON: Addon = {
  name: 'aws-efs-csi-driver',
  afterNodes: true,
  identity: { serviceAccount: 'efs-csi-controller-sa', role: 'efs-csi' },
};

/**
 * What is made for a cluster on EKS: arguments of the resources of `@pulumi/aws`. AWS refers by IDs that are known
 * only later, so what an argument in `refs` refers to is the name of another resource of the plan.
 *
 * @param fleet has passed its checks
 * @throws Error for a cluster that is not on EKS
 */
export function eksPlan(cluster: InferenceCluster, fleet: Pick<Fleet, 'classes' | 'settings' | 'hardware'>) {
  const { eks } = cluster.spec.cluster;
  const { name } = cluster.metadata;
  if (!eks) throw new Error(`bug: the cluster '${name}' is not on EKS`);
  const tags = ownershipLabelsOf(cluster, fleet);
  const site: EksContext = { cluster, hardware: fleet.hardware, tags };
  const pools = poolsOf(cluster, fleet);
  const system = planEksSystemPool(site);
  const storage = planEksFileSystem(cluster, tags);
  return {
    region: eks.region,
    ...planEksNetwork(cluster, tags),
    ...planEksRoles(name, tags),
    cluster: controlPlane(cluster, tags),
    /** Who may do anything on it, beside whoever makes it. */
    access: planEksAccess(cluster, tags),
    addons: (storage ? [...ADDONS, EFS_ADDON] : ADDONS).map((one) => addon(one, tags)),
    /** Who pods that are no add-on are to AWS. */
    podIdentities: [
      {
        name: 'cluster-autoscaler',
        args: { namespace: 'kube-system', serviceAccount: AUTOSCALER_ACCOUNT, tags },
        refs: { roleArn: 'cluster-autoscaler' as const },
      },
    ],
    efa: pools.some(({ pool }) => pool.fabric.type === 'EFA') ? efaGroup(name, tags) : undefined,
    placementGroups: planPlacementGroups(site, pools),
    launchTemplates: [system.template, ...pools.map((pool) => planLaunchTemplate(site, pool))],
    systemPool: system.pool,
    pools: pools.map((pool) => planEksPool(site, pool)),
    storage,
  };
}

function controlPlane(cluster: InferenceCluster, tags: Record<string, string>) {
  const {
    metadata: { name },
    spec,
  } = cluster;
  const { authorizedNetworks } = spec.network;
  return {
    name,
    args: {
      // The autoscaler finds its groups by it.
      name,
      version: spec.cluster.eks?.kubernetesVersion,
      deletionProtection: spec.deletionProtection,
      accessConfig: { authenticationMode: 'API', bootstrapClusterCreatorAdminPermissions: true },
      // Add-ons are resources of their own.
      bootstrapSelfManagedAddons: false,
      // Extended support costs several times as much an hour.
      upgradePolicy: { supportType: 'STANDARD' },
      tags,
    },
    /** Of the arguments, without `subnetIds`. */
    vpcConfig: {
      endpointPrivateAccess: true,
      endpointPublicAccess: true,
      ...(authorizedNetworks.length > 0 && { publicAccessCidrs: [...authorizedNetworks] }),
    },
    refs: { roleArn: 'cluster' as const, subnetIds: eksZonesOf(cluster).control.map(privateSubnetNameOf) },
    // It stays in the zones that it was made in (EKS user guide, network requirements). Nodes may be in others.
    options: { ignoreChanges: ['vpcConfig.subnetIds'] },
  };
}

function addon({ name, afterNodes, values, identity }: Addon, tags: Record<string, string>) {
  const args = {
    addonName: name,
    ...(values && { configurationValues: JSON.stringify(values) }),
    resolveConflictsOnCreate: 'OVERWRITE',
    resolveConflictsOnUpdate: 'OVERWRITE',
    tags,
  };
  return { name, args, afterNodes, ...(identity && { identity }) };
}

/** Nodes with EFA let each other in and out by any protocol, as EFA needs (EC2 user guide). */
function efaGroup(cluster: string, tags: Record<string, string>) {
  const rule = {
    name: EFA_SECURITY_GROUP,
    args: { ipProtocol: '-1', tags },
    refs: { securityGroupId: EFA_SECURITY_GROUP, referencedSecurityGroupId: EFA_SECURITY_GROUP },
  };
  return {
    securityGroup: {
      name: EFA_SECURITY_GROUP,
      args: { description: `Nodes of ${cluster} reach each other by EFA`, tags },
      refs: { vpcId: 'vpc' },
    },
    ingress: rule,
    egress: rule,
  };
}

function poolsOf({ metadata, spec }: InferenceCluster, { classes }: Pick<Fleet, 'classes'>): EksPool[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return sortedBy(spec.nodePools, ({ name }) => name).map((pool) => {
    const declared = byName.get(pool.className);
    const machine = declared?.spec.provisioning?.eks;
    if (!machine) throw new Error(`bug: pool ${metadata.name}/${pool.name} has no class for EKS`);
    return { pool, machine, declared };
  });
}
