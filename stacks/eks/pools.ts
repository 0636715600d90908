import { LaunchTemplate, type LaunchTemplateArgs } from '@pulumi/aws/ec2/launchTemplate';
import { PlacementGroup } from '@pulumi/aws/ec2/placementGroup';
import { SecurityGroup } from '@pulumi/aws/ec2/securityGroup';
import { NodeGroup, type NodeGroupArgs } from '@pulumi/aws/eks/nodeGroup';
import { SecurityGroupEgressRule } from '@pulumi/aws/vpc/securityGroupEgressRule';
import { SecurityGroupIngressRule } from '@pulumi/aws/vpc/securityGroupIngressRule';
import type { Output, Resource } from '@pulumi/pulumi';
import { CLUSTER_SECURITY_GROUP, EFA_SECURITY_GROUP } from '../../src/provision/eks/node-pool';
import type { EksPlan } from '../../src/provision/eks/plan';
import { arnOf, type EksRoles } from './iam';
import type { EksNetwork, EksScope } from './network';
import { createPoolRequest } from '../cloud/pool-request';
import { getByName, registerByName, resourceNameOf } from '../cloud/resource-names';

/** Changes to pools of a cluster on EKS. */
export interface PoolTransform {
  /** Changes the arguments of the launch template of a pool, by the pool name. `system` is the pool without GPUs. */
  readonly launchTemplate?: (args: LaunchTemplateArgs, name: string) => LaunchTemplateArgs;

  /** Changes the arguments of a pool, by its name. */
  readonly pool?: (args: NodeGroupArgs, name: string) => NodeGroupArgs;
}

/** The resources that pools of a cluster on EKS depend on. */
interface EksPoolBase {
  readonly clusterName: Output<string>;

  /** The security group that EKS creates for the cluster. */
  readonly clusterGroup: Output<string>;
  readonly network: EksNetwork;
  readonly roles: EksRoles;

  /** The resources that nodes wait for. */
  readonly needs: readonly Resource[];
}

/** The pools of a cluster and their launch templates, by name, including `system`. */
interface EksPools {
  readonly pools: ReadonlyMap<string, NodeGroup>;
  readonly launchTemplates: ReadonlyMap<string, LaunchTemplate>;
}

/** Registers the pools of a cluster, each with its launch template. */
export function registerEksPools(
  plan: EksPlan,
  scope: EksScope,
  base: EksPoolBase,
  transform: PoolTransform,
): EksPools {
  const { cluster, region, parent } = scope;
  const { templates, needs } = registerLaunchTemplates(plan, scope, base, transform);
  const pools = registerByName([plan.systemPool, ...plan.pools], (pool) => {
    const { name, args, refs, options } = pool;
    const template = getByName(templates, refs.launchTemplate);
    const poolArgs: NodeGroupArgs = {
      ...args,
      region,
      clusterName: base.clusterName,
      nodeRoleArn: arnOf(base.roles, 'node'),
      subnetIds: refs.subnetIds.map((subnet) => getByName(base.network.subnets, subnet).id),
      launchTemplate: { id: template.id, version: template.latestVersion.apply(String) },
    };
    return new NodeGroup(resourceNameOf(cluster, name), transform.pool?.(poolArgs, name) ?? poolArgs, {
      ...options,
      parent,
      dependsOn: [...base.needs, ...needs],
      ...('machines' in pool && createPoolRequest(cluster, pool, parent)),
    });
  });
  return { pools, launchTemplates: templates };
}

interface LaunchTemplates {
  readonly templates: ReadonlyMap<string, LaunchTemplate>;

  /** The resources that nodes wait for. */
  readonly needs: readonly Resource[];
}

function registerLaunchTemplates(
  plan: EksPlan,
  scope: EksScope,
  base: EksPoolBase,
  transform: PoolTransform,
): LaunchTemplates {
  const { cluster, region, parent } = scope;
  const { groups, needs } = registerSecurityGroups(plan, scope, base);
  const placements = registerByName(
    plan.placementGroups,
    ({ name, args }) => new PlacementGroup(resourceNameOf(cluster, name), { ...args, region }, { parent }),
  );
  const templates = registerByName(plan.launchTemplates, ({ name, args, networkInterfaces, refs }) => {
    const ids = refs.securityGroups.map((group) => getByName(groups, group));
    const interfaces = networkInterfaces.map((card) => ({ ...card, securityGroups: ids }));
    const { placementGroup } = refs;
    const templateArgs: LaunchTemplateArgs = {
      ...args,
      region,
      ...(interfaces.length > 0 && { networkInterfaces: interfaces }),
      ...(placementGroup && { placement: { groupName: getByName(placements, placementGroup).name } }),
    };
    const tuned = transform.launchTemplate?.(templateArgs, name) ?? templateArgs;
    return new LaunchTemplate(resourceNameOf(cluster, name), tuned, { parent });
  });
  return { templates, needs };
}

/** Registers the security groups of network interfaces. Returns their IDs by name. */
function registerSecurityGroups({ efa }: EksPlan, { cluster, region, parent }: EksScope, base: EksPoolBase) {
  const groups = new Map([[CLUSTER_SECURITY_GROUP as string, base.clusterGroup]]);
  if (!efa) return { groups, needs: [] };
  const name = resourceNameOf(cluster, efa.securityGroup.name);
  const vpcId = base.network.vpc.id;
  const group = new SecurityGroup(name, { ...efa.securityGroup.args, region, vpcId }, { parent });
  const itself = { region, securityGroupId: group.id, referencedSecurityGroupId: group.id };
  const needs = [
    new SecurityGroupIngressRule(name, { ...efa.ingress.args, ...itself }, { parent }),
    new SecurityGroupEgressRule(name, { ...efa.egress.args, ...itself }, { parent }),
  ];
  return { groups: groups.set(EFA_SECURITY_GROUP, group.id), needs };
}
