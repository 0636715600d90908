import { Role } from '@pulumi/aws/iam/role';
import { RolePolicy } from '@pulumi/aws/iam/rolePolicy';
import { RolePolicyAttachment } from '@pulumi/aws/iam/rolePolicyAttachment';
import type { Output, Resource } from '@pulumi/pulumi';
import type { EksPlan } from '../src/provision/eks-plan';
import type { EksRole } from '../src/provision/eks-roles';
import { byName, named } from './by-name';
import { resourceName } from './resource-name';

/** The roles of a cluster on EKS. */
export interface EksRoles {
  /** By name. */
  readonly roles: ReadonlyMap<string, Role>;

  /** What lets each role do something: a cluster that goes first leaves network cards behind. */
  readonly policies: readonly Resource[];
}

/** Registers the roles of a cluster. IAM is the same in all regions. */
export function eksRoles(cluster: string, plan: EksPlan, parent: Resource): EksRoles {
  const own = (part: string): string => resourceName(cluster, part);
  const roles = byName(plan.roles, ({ name, args }) => new Role(own(name), args, { parent }));
  const attachments = plan.attachments.map(({ name, args, refs }) => {
    const role = named(roles, refs.role).name;
    return new RolePolicyAttachment(own(name), { ...args, role }, { parent });
  });
  const policies = plan.policies.map(({ name, args, refs }) => {
    const role = named(roles, refs.role).name;
    return new RolePolicy(own(name), { ...args, role }, { parent });
  });
  return { roles, policies: [...attachments, ...policies] };
}

/** What a role is called all over AWS. */
export function arnOf({ roles }: EksRoles, name: EksRole): Output<string> {
  return named(roles, name).arn;
}
