import type { Release, ReleaseArgs } from '@pulumi/kubernetes/helm/v3/release';
import { CustomResource, type CustomResourceOptions, type Output } from '@pulumi/pulumi';

/** What a release is installed with. */
export type InstalledReleaseArgs = Pick<
  ReleaseArgs,
  'chart' | 'createNamespace' | 'name' | 'namespace' | 'repositoryOpts' | 'timeout' | 'values' | 'version'
>;

/**
 * A Helm release: to the engine the same resource as a `Release` of `@pulumi/kubernetes` with the same arguments. Of
 * its outputs only those that say something here are kept: the class of the provider keeps 37, which together take more memory in a
 * large stack than all that is registered on a cluster.
 */
export class InstalledRelease extends CustomResource {
  /** The name that Helm knows it by. */
  declare readonly name: Output<string>;
  declare readonly namespace: Output<string>;
  declare readonly chart: Output<string>;
  declare readonly version: Output<string>;

  /** What Helm says of it once it is installed. */
  declare readonly status: Release['status'];

  constructor(name: string, args: InstalledReleaseArgs, opts: CustomResourceOptions) {
    // `compat` is what the class of the provider adds to the arguments of everyone.
    super('kubernetes:helm.sh/v3:Release', name, { ...args, compat: 'true', status: undefined }, opts);
  }
}
