import { Subnet } from '@pulumi/azure-native/network/subnet';
import { AmlFilesystem, type AmlFilesystemArgs } from '@pulumi/azure-native/storagecache/amlFilesystem';
import type { CustomResource, Output, Resource } from '@pulumi/pulumi';
import type { AksPlan } from '../../src/provision/aks/plan';
import { type AzureArgs, tuneAzureArgs } from './azure-args';
import { resourceNameOf } from '../cloud/resource-names';

/** Changes to the file system of a cluster on AKS. */
export interface AksLustreTransform {
  /** Changes the arguments of the file system, an `AmlFilesystem`, such as its maintenance window. */
  readonly fileSystem?: (args: AzureArgs) => AzureArgs;
}

/** The file system of Azure Managed Lustre of a cluster on AKS. */
export interface AksLustre {
  /** An `AmlFilesystem` of `@pulumi/azure-native`. */
  readonly fileSystem: CustomResource;

  /** The address of its management service, which volumes name. */
  readonly address: Output<string>;
}

/**
 * Registers the file system of a cluster, in a subnet of its own.
 *
 * @param after the other subnet: Azure changes one subnet of a network at a time
 */
export function registerAksLustre(
  cluster: string,
  { subnet, fileSystem }: NonNullable<AksPlan['lustre']>,
  { after, parent }: { readonly after: Resource; readonly parent: Resource },
  transform: AksLustreTransform,
): AksLustre {
  const opts = { parent, deleteBeforeReplace: true };
  const own = new Subnet(resourceNameOf(cluster, subnet.name), subnet.args, { ...opts, dependsOn: [after] });
  const args: AmlFilesystemArgs = { ...fileSystem.args, filesystemSubnet: own.id };
  const made = new AmlFilesystem(cluster, tuneAzureArgs(args, transform.fileSystem), {
    ...opts,
    ...fileSystem.options,
  });
  return { fileSystem: made, address: made.clientInfo.apply((info) => info?.mgsAddress ?? '') };
}
