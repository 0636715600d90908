import { AccessEntry } from '@pulumi/aws/eks/accessEntry';
import { AccessPolicyAssociation } from '@pulumi/aws/eks/accessPolicyAssociation';
import type { Output, Resource } from '@pulumi/pulumi';
import type { EksPlan } from '../src/provision/eks-plan';
import type { EksPlace } from './eks-network';
import { resourceName } from './resource-name';

/**
 * Registers who may do anything on a cluster. Whoever destroys it may be one of them: what is on the cluster has to go
 * before.
 */
export function eksAccess(
  { access }: EksPlan,
  { cluster, region, parent }: EksPlace,
  clusterName: Output<string>,
): Resource[] {
  return access.flatMap(({ name, args, policy }) => {
    const own = resourceName(cluster, name);
    const entry = new AccessEntry(own, { ...args, region, clusterName }, { parent });
    const association = { ...policy, region, clusterName };
    return [entry, new AccessPolicyAssociation(own, association, { parent, dependsOn: [entry] })];
  });
}
