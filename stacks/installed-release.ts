import type { Release, ReleaseArgs } from '@pulumi/kubernetes/helm/v3/release';
import { CustomResource, type Output } from '@pulumi/pulumi';
import type { ClusterResourceOptions } from './cluster';

/** What a release is installed with: what the class of the provider takes. */
export type InstalledReleaseArgs = Omit<ReleaseArgs, 'compat'>;

/**
 * A Helm release: to the engine the same resource as a `Release` of `@pulumi/kubernetes` with the same arguments. Of
 * its outputs only those of its arguments and its status are kept: the class of the provider has 37, each several promises
 * of the SDK, and a large stack has hundreds of releases.
 */
export class InstalledRelease extends CustomResource {
  /** The name that Helm knows it by. */
  declare readonly name: Output<string>;
  declare readonly namespace: Output<string>;
  declare readonly chart: Output<string>;
  declare readonly version: Output<string>;

  /** What Helm says of it once it is installed. */
  declare readonly status: Release['status'];

  constructor(name: string, args: InstalledReleaseArgs, opts: ClusterResourceOptions) {
    // `compat` is what the class of the provider adds to the arguments of everyone.
    super('kubernetes:helm.sh/v3:Release', name, { ...args, compat: 'true', status: undefined }, opts);
  }
}
