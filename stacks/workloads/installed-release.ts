import type { Release, ReleaseArgs } from '@pulumi/kubernetes/helm/v3/release';
import { CustomResource, type Output } from '@pulumi/pulumi';
import type { ClusterResourceOptions } from '../cloud/cluster';

/** The arguments of a release, as the `Release` class of the provider takes them. */
export type InstalledReleaseArgs = Omit<ReleaseArgs, 'compat'>;

/**
 * A Helm release. For the engine it is the same resource as a `Release` of `@pulumi/kubernetes` with the same
 * arguments. It only has the outputs for its arguments and its status: the provider class has 37, each of which takes
 * several SDK promises, and a large stack has hundreds of releases.
 */
export class InstalledRelease extends CustomResource {
  /** The name of the release in Helm. */
  declare readonly name: Output<string>;
  declare readonly namespace: Output<string>;
  declare readonly chart: Output<string>;
  declare readonly version: Output<string>;

  /** The status that Helm reports after the installation. */
  declare readonly status: Release['status'];

  constructor(name: string, args: InstalledReleaseArgs, opts: ClusterResourceOptions) {
    // The class of the provider always adds `compat` to the arguments.
    super('kubernetes:helm.sh/v3:Release', name, { ...args, compat: 'true', status: undefined }, opts);
  }
}
