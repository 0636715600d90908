import { LaunchTemplate, type LaunchTemplateArgs } from '@pulumi/aws/ec2/launchTemplate';
import { PlacementGroup } from '@pulumi/aws/ec2/placementGroup';
import { SecurityGroup } from '@pulumi/aws/ec2/securityGroup';
import { NodeGroup, type NodeGroupArgs } from '@pulumi/aws/eks/nodeGroup';
import { SecurityGroupEgressRule } from '@pulumi/aws/vpc/securityGroupEgressRule';
import { SecurityGroupIngressRule } from '@pulumi/aws/vpc/securityGroupIngressRule';
import type { Output, Resource } from '@pulumi/pulumi';
import type { EksPlan } from '../src/provision/eks-plan';
import { CLUSTER_GROUP, EFA_GROUP } from '../src/provision/eks-pool';
import { byName, named } from './by-name';
import type { EksNetwork, EksPlace } from './eks-network';
import { arnOf, type EksRoles } from './eks-roles';
import { below } from './pool-request';
import { resourceName } from './resource-name';

/** Changes to pools of a cluster on EKS. */
export interface PoolTransform {
  /** Arguments of the launch template of a pool, by its name; `system` is the pool without GPUs. */
  readonly launchTemplate?: (args: LaunchTemplateArgs, name: string) => LaunchTemplateArgs;

  /** Arguments of a pool, by its name. */
  readonly pool?: (args: NodeGroupArgs, name: string) => NodeGroupArgs;
}

/** What pools of a cluster on EKS stand on. */
export interface EksBase {
  readonly clusterName: Output<string>;

  /** The security group that EKS makes for the cluster. */
  readonly clusterGroup: Output<string>;
  readonly network: EksNetwork;
  readonly roles: EksRoles;

  /** What nodes wait for. */
  readonly needs: readonly Resource[];
}

/** The pools of a cluster and their launch templates. By name, `system` too. */
export interface EksPools {
  readonly pools: ReadonlyMap<string, NodeGroup>;
  readonly launchTemplates: ReadonlyMap<string, LaunchTemplate>;
}

/** Registers the pools of a cluster, each with its launch template. */
export function eksPools(plan: EksPlan, place: EksPlace, base: EksBase, transform: PoolTransform): EksPools {
  const { cluster, region, parent } = place;
  const { templates, needs } = launchTemplates(plan, place, base, transform);
  const pools = byName([plan.systemPool, ...plan.pools], (pool) => {
    const { name, args, refs, options } = pool;
    const template = named(templates, refs.launchTemplate);
    const own: NodeGroupArgs = {
      ...args,
      region,
      clusterName: base.clusterName,
      nodeRoleArn: arnOf(base.roles, 'node'),
      subnetIds: refs.subnetIds.map((subnet) => named(base.network.subnets, subnet).id),
      launchTemplate: { id: template.id, version: template.latestVersion.apply(String) },
    };
    return new NodeGroup(resourceName(cluster, name), transform.pool?.(own, name) ?? own, {
      ...options,
      parent,
      dependsOn: [...base.needs, ...needs],
      ...('machines' in pool && below(cluster, pool, parent)),
    });
  });
  return { pools, launchTemplates: templates };
}

interface Templates {
  readonly templates: ReadonlyMap<string, LaunchTemplate>;

  /** What nodes wait for. */
  readonly needs: readonly Resource[];
}

function launchTemplates(plan: EksPlan, place: EksPlace, base: EksBase, transform: PoolTransform): Templates {
  const { cluster, region, parent } = place;
  const { groups, needs } = securityGroups(plan, place, base);
  const placements = byName(
    plan.placementGroups,
    ({ name, args }) => new PlacementGroup(resourceName(cluster, name), { ...args, region }, { parent }),
  );
  const templates = byName(plan.launchTemplates, ({ name, args, networkInterfaces, refs }) => {
    const ids = refs.securityGroups.map((group) => named(groups, group));
    const interfaces = networkInterfaces.map((card) => ({ ...card, securityGroups: ids }));
    const { placementGroup } = refs;
    const own: LaunchTemplateArgs = {
      ...args,
      region,
      ...(interfaces.length > 0 && { networkInterfaces: interfaces }),
      ...(placementGroup && { placement: { groupName: named(placements, placementGroup).name } }),
    };
    const tuned = transform.launchTemplate?.(own, name) ?? own;
    return new LaunchTemplate(resourceName(cluster, name), tuned, { parent });
  });
  return { templates, needs };
}

/** The security groups of network cards, by name. */
function securityGroups({ efa }: EksPlan, { cluster, region, parent }: EksPlace, base: EksBase) {
  const groups = new Map([[CLUSTER_GROUP as string, base.clusterGroup]]);
  if (!efa) return { groups, needs: [] };
  const name = resourceName(cluster, efa.securityGroup.name);
  const vpcId = base.network.vpc.id;
  const group = new SecurityGroup(name, { ...efa.securityGroup.args, region, vpcId }, { parent });
  const itself = { region, securityGroupId: group.id, referencedSecurityGroupId: group.id };
  const needs = [
    new SecurityGroupIngressRule(name, { ...efa.ingress.args, ...itself }, { parent }),
    new SecurityGroupEgressRule(name, { ...efa.egress.args, ...itself }, { parent }),
  ];
  return { groups: groups.set(EFA_GROUP, group.id), needs };
}
