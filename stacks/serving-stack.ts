import { InstalledRelease, type InstalledReleaseArgs } from './installed-release';
import { ComponentResource, type ComponentResourceOptions, type Input, type Resource } from '@pulumi/pulumi';
import type { Release as PlannedRelease } from '../src/provision/releases/release';
import type { Cluster } from './cluster';
import { withoutTraces } from './without-traces';

/** Changes to the releases of a cluster, each from the arguments that were planned. */
export interface ServingTransform {
  /** Arguments of a release, by its name: `lws`. */
  readonly release?: (args: InstalledReleaseArgs, name: string) => InstalledReleaseArgs;
}

/** Arguments of a `ServingStack`. */
export interface ServingStackArgs {
  /** Where everything goes. */
  readonly cluster: Cluster;

  /** What to install, those first that others need, as `releasesOf` plans it. */
  readonly releases: readonly PlannedRelease[];

  /**
   * What all of them wait for.
   *
   * @default - nothing but the cluster
   */
  readonly after?: readonly Input<Resource>[];

  /**
   * What to change of them.
   *
   * @default - nothing
   */
  readonly transform?: ServingTransform;
}

/** Images of operators are small: what takes longer will not come. */
const TIMEOUT_SECONDS = 600;

/**
 * The software that a cluster needs before it can serve, one Helm release each. The releases have fixed names, since
 * names of Services follow from them.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * const stack = new ServingStack('lab', { cluster: lab, releases: releasesOf(cluster, fleet) });
 */
export class ServingStack extends ComponentResource {
  /** By name. */
  readonly releases: ReadonlyMap<string, InstalledRelease>;

  constructor(name: string, args: ServingStackArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:ServingStack', name, {}, opts);
    const installed = new Map<string, InstalledRelease>();
    for (const planned of args.releases) {
      const needs = planned.needs.flatMap((other) => installed.get(other) ?? []);
      installed.set(planned.name, this.#install(planned, needs, args));
    }
    this.releases = installed;
    this.registerOutputs();
  }

  #install(
    planned: PlannedRelease,
    needs: readonly Resource[],
    { cluster, after = [], transform }: ServingStackArgs,
  ): InstalledRelease {
    const { name, namespace, chart, repository, version, values } = planned;
    const args: InstalledReleaseArgs = {
      name,
      namespace,
      createNamespace: true,
      chart,
      version,
      ...(repository !== undefined && { repositoryOpts: { repo: repository } }),
      values,
      timeout: TIMEOUT_SECONDS,
    };
    const dependsOn = [...cluster.dependencies, ...after, ...needs];
    const opts = { parent: this, provider: cluster.provider, dependsOn };
    const tuned = transform?.release?.(args, name) ?? args;
    return withoutTraces(() => new InstalledRelease(`${cluster.name}/${name}`, tuned, opts));
  }
}
