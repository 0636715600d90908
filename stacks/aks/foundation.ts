import { RoleAssignment } from '@pulumi/azure-native/authorization/roleAssignment';
import { UserAssignedIdentity } from '@pulumi/azure-native/managedidentity/userAssignedIdentity';
import { Subnet } from '@pulumi/azure-native/network/subnet';
import { VirtualNetwork } from '@pulumi/azure-native/network/virtualNetwork';
import { ResourceGroup } from '@pulumi/azure-native/resources/resourceGroup';
import type { CustomResource, Resource } from '@pulumi/pulumi';
import type { AksPlan } from '../../src/provision/aks/plan';
import { type AzureArgs, tuneAzureArgs } from './azure-args';
import { resourceNameOf } from '../cloud/resource-names';

/** Changes to the foundation of a cluster on AKS. */
export interface AksFoundationTransform {
  /** Changes the arguments of the resource group. */
  readonly resourceGroup?: (args: AzureArgs) => AzureArgs;

  /** Changes the arguments of the virtual network. */
  readonly network?: (args: AzureArgs) => AzureArgs;

  /** Changes the arguments of the subnet of nodes. */
  readonly subnet?: (args: AzureArgs) => AzureArgs;
}

/** The resources that a cluster on AKS depends on, all of `@pulumi/azure-native`. */
export interface AksFoundation {
  readonly resourceGroup: CustomResource;
  readonly network: CustomResource;
  readonly subnet: CustomResource;

  /** The identity of the control plane. */
  readonly identity: CustomResource;

  /** The resources that the cluster waits for. */
  readonly needs: readonly Resource[];
}

/**
 * Registers resource group, network and identity. Names are fixed, so a replacement deletes the old resource before it
 * creates the new one.
 */
export function registerAksFoundation(
  cluster: string,
  plan: AksPlan,
  transform: AksFoundationTransform,
  parent: Resource,
): AksFoundation {
  const after = (...dependsOn: readonly Resource[]) => ({
    parent,
    dependsOn: [...dependsOn],
    deleteBeforeReplace: true,
  });
  const groupArgs = tuneAzureArgs(plan.resourceGroup.args, transform.resourceGroup);
  const resourceGroup = new ResourceGroup(cluster, groupArgs, after());
  const networkArgs = tuneAzureArgs(plan.network.args, transform.network);
  const network = new VirtualNetwork(cluster, networkArgs, { ...plan.network.options, ...after(resourceGroup) });
  const subnetName = resourceNameOf(cluster, plan.subnet.name);
  const subnet = new Subnet(subnetName, tuneAzureArgs(plan.subnet.args, transform.subnet), after(network));
  const identity = new UserAssignedIdentity(cluster, plan.identity.args, after(resourceGroup));
  const { principalId } = identity;
  const roles = plan.roles.map(({ name, args }) => {
    const scope = 'scope' in args ? args.scope : subnet.id;
    return new RoleAssignment(resourceNameOf(cluster, name), { ...args, principalId, scope }, { parent });
  });
  return { resourceGroup, network, subnet, identity, needs: [subnet, ...roles] };
}
