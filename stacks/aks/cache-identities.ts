import { RoleAssignment } from '@pulumi/azure-native/authorization/roleAssignment';
import { FederatedIdentityCredential } from '@pulumi/azure-native/managedidentity/federatedIdentityCredential';
import { UserAssignedIdentity } from '@pulumi/azure-native/managedidentity/userAssignedIdentity';
import type { Output, Resource } from '@pulumi/pulumi';
import type { AksPlan } from '../../src/provision/aks/plan';
import { resourceNameOf } from '../cloud/resource-names';

/** The identity of a cache that is staged from Azure Blob Storage. */
export interface AksCacheIdentity {
  /** The ServiceAccount of its staging Job: `ml/qwen3-reader-1a2b3`. */
  readonly account: string;

  /** The client ID of the identity, for the annotation `azure.workload.identity/client-id`. */
  readonly clientId: Output<string>;

  /** What the Job needs before it can read the container. */
  readonly needs: readonly Resource[];
}

/** Registers the identities of caches, each with its role, and with the ServiceAccount that may use it. */
export function registerCacheIdentities(
  cluster: string,
  { cacheIdentities }: AksPlan,
  { group, issuer, parent }: { readonly group: Resource; readonly issuer: Output<string>; readonly parent: Resource },
): AksCacheIdentity[] {
  return cacheIdentities.map(({ account, identity, credential, role }) => {
    const name = resourceNameOf(cluster, identity.name);
    const opts = { parent, deleteBeforeReplace: true };
    const made = new UserAssignedIdentity(name, identity.args, { ...opts, dependsOn: [group] });
    const federated = new FederatedIdentityCredential(
      name,
      { ...credential.args, issuer },
      { ...opts, dependsOn: [made] },
    );
    const reader = new RoleAssignment(name, { ...role.args, principalId: made.principalId }, { parent });
    const needs = [made, federated, reader];
    return { account: `${account.namespace}/${account.name}`, clientId: made.clientId, needs };
  });
}
