import { AccessEntry } from '@pulumi/aws/eks/accessEntry';
import { AccessPolicyAssociation } from '@pulumi/aws/eks/accessPolicyAssociation';
import { Role } from '@pulumi/aws/iam/role';
import { RolePolicy } from '@pulumi/aws/iam/rolePolicy';
import { RolePolicyAttachment } from '@pulumi/aws/iam/rolePolicyAttachment';
import type { Output, Resource } from '@pulumi/pulumi';
import type { EksRole } from '../src/provision/eks/iam';
import type { EksPlan } from '../src/provision/eks/plan';
import type { EksScope } from './eks-network';
import { getByName, registerByName, resourceNameOf } from './resource-names';

/** The roles of a cluster on EKS. */
export interface EksRoles {
  /** By name. */
  readonly roles: ReadonlyMap<string, Role>;

  /** What lets each role do something: a cluster that goes first leaves network cards behind. */
  readonly policies: readonly Resource[];
}

/** Registers the roles of a cluster. IAM is the same in all regions. */
export function registerEksRoles(cluster: string, plan: EksPlan, parent: Resource): EksRoles {
  const own = (part: string): string => resourceNameOf(cluster, part);
  const roles = registerByName(plan.roles, ({ name, args }) => new Role(own(name), args, { parent }));
  const attachments = plan.attachments.map(({ name, args, refs }) => {
    const role = getByName(roles, refs.role).name;
    return new RolePolicyAttachment(own(name), { ...args, role }, { parent });
  });
  const policies = plan.policies.map(({ name, args, refs }) => {
    const role = getByName(roles, refs.role).name;
    return new RolePolicy(own(name), { ...args, role }, { parent });
  });
  return { roles, policies: [...attachments, ...policies] };
}

/** What a role is called all over AWS. */
export function arnOf({ roles }: EksRoles, name: EksRole): Output<string> {
  return getByName(roles, name).arn;
}

/**
 * Registers who may do anything on a cluster. Whoever destroys it may be one of them: what is on the cluster has to go
 * before.
 */
export function registerEksAccess(
  { access }: EksPlan,
  { cluster, region, parent }: EksScope,
  clusterName: Output<string>,
): Resource[] {
  return access.flatMap(({ name, args, policy }) => {
    const own = resourceNameOf(cluster, name);
    const entry = new AccessEntry(own, { ...args, region, clusterName }, { parent });
    const association = { ...policy, region, clusterName };
    return [entry, new AccessPolicyAssociation(own, association, { parent, dependsOn: [entry] })];
  });
}
