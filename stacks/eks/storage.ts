import { SecurityGroup } from '@pulumi/aws/ec2/securityGroup';
import { FileSystem, type FileSystemArgs } from '@pulumi/aws/efs/fileSystem';
import { MountTarget } from '@pulumi/aws/efs/mountTarget';
import { SecurityGroupIngressRule } from '@pulumi/aws/vpc/securityGroupIngressRule';
import type { Output, Resource } from '@pulumi/pulumi';
import type { EksPlan } from '../../src/provision/eks/plan';
import type { EksNetwork, EksScope } from './network';
import { getByName, resourceNameOf } from '../cloud/resource-names';

/** The resources that the file system of a cluster on EKS depends on. */
interface EksStorageBase {
  readonly network: EksNetwork;

  /** The security group of the nodes. */
  readonly clusterGroup: Output<string>;

  /** Whether the file system stays when the cluster is destroyed. */
  readonly keepData: boolean;
}

/** Changes to the file system of a cluster on EKS. */
export interface StorageTransform {
  /** Changes the arguments of the file system. */
  readonly fileSystem?: (args: FileSystemArgs) => FileSystemArgs;
}

/** A file system that all nodes of a cluster mount. */
export interface EksFiles {
  readonly fileSystem: FileSystem;

  /** The resources that mounts of the file system wait for. */
  readonly mountTargets: readonly Resource[];
}

/** Registers the file system of a cluster, with a mount target in every private subnet. */
export function registerEksFiles(
  plan: NonNullable<EksPlan['storage']>,
  { cluster, region, parent }: EksScope,
  { network, clusterGroup, keepData }: EksStorageBase,
  transform: StorageTransform,
): EksFiles {
  const nameOf = (part: string): string => resourceNameOf(cluster, part);
  const { securityGroup, ingress } = plan;
  const args = { ...plan.fileSystem.args, region };
  const fileSystem = new FileSystem(cluster, transform.fileSystem?.(args) ?? args, {
    parent,
    retainOnDelete: keepData,
  });
  const inVpc = { region, vpcId: network.vpc.id };
  const group = new SecurityGroup(nameOf(securityGroup.name), { ...securityGroup.args, ...inVpc }, { parent });
  const between = { region, securityGroupId: group.id, referencedSecurityGroupId: clusterGroup };
  const rule = new SecurityGroupIngressRule(nameOf(ingress.name), { ...ingress.args, ...between }, { parent });
  const mountTargets = plan.mountTargets.map(({ name, refs }) => {
    const subnetId = getByName(network.subnets, refs.subnetId).id;
    const mount = { region, fileSystemId: fileSystem.id, subnetId, securityGroups: [group.id] };
    // A file system has one mount target in each zone.
    return new MountTarget(nameOf(name), mount, { parent, deleteBeforeReplace: true });
  });
  return { fileSystem, mountTargets: [...mountTargets, rule] };
}
