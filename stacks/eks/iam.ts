import { AccessEntry } from '@pulumi/aws/eks/accessEntry';
import { AccessPolicyAssociation } from '@pulumi/aws/eks/accessPolicyAssociation';
import { Role } from '@pulumi/aws/iam/role';
import { RolePolicy } from '@pulumi/aws/iam/rolePolicy';
import { RolePolicyAttachment } from '@pulumi/aws/iam/rolePolicyAttachment';
import type { Output, Resource } from '@pulumi/pulumi';
import type { EksRole } from '../../src/provision/eks/iam';
import type { EksPlan } from '../../src/provision/eks/plan';
import type { EksScope } from './network';
import { getByName, registerByName, resourceNameOf } from '../cloud/resource-names';

/** The roles of a cluster on EKS. */
export interface EksRoles {
  /** Roles by name. */
  readonly roles: ReadonlyMap<string, Role>;

  /**
   * The policies of the roles. The cluster depends on them: if they are deleted first, network interfaces are left
   * behind.
   */
  readonly policies: readonly Resource[];
}

/** Registers the roles of a cluster. IAM is global. */
export function registerEksRoles(cluster: string, plan: EksPlan, parent: Resource): EksRoles {
  const nameOf = (part: string): string => resourceNameOf(cluster, part);
  const roles = registerByName(plan.roles, ({ name, args }) => new Role(nameOf(name), args, { parent }));
  const attachments = plan.attachments.map(({ name, args, refs }) => {
    const role = getByName(roles, refs.role).name;
    return new RolePolicyAttachment(nameOf(name), { ...args, role }, { parent });
  });
  const policies = plan.policies.map(({ name, args, refs }) => {
    const role = getByName(roles, refs.role).name;
    return new RolePolicy(nameOf(name), { ...args, role }, { parent });
  });
  return { roles, policies: [...attachments, ...policies] };
}

/** The ARN of a role. */
export function arnOf({ roles }: EksRoles, name: EksRole): Output<string> {
  return getByName(roles, name).arn;
}

/**
 * Registers the access entries of cluster administrators. The user that destroys the cluster can be one of them, so
 * everything on the cluster must be deleted first.
 */
export function registerEksAccess(
  { access }: EksPlan,
  { cluster, region, parent }: EksScope,
  clusterName: Output<string>,
): Resource[] {
  return access.flatMap(({ name, args, policy }) => {
    const resourceName = resourceNameOf(cluster, name);
    const entry = new AccessEntry(resourceName, { ...args, region, clusterName }, { parent });
    const association = { ...policy, region, clusterName };
    return [entry, new AccessPolicyAssociation(resourceName, association, { parent, dependsOn: [entry] })];
  });
}
