import {
  ComponentResource,
  type ComponentResourceOptions,
  type CustomResource,
  type Input,
  type Resource,
} from '@pulumi/pulumi';
import { type ApplyStep, planApplySteps } from '../src/manifest/kubernetes/apply-order';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import type { Release as PlannedRelease } from '../src/provision/releases/release';
import type { Cluster } from './cluster';
import type { WorkloadsTransform } from './cluster-workloads';
import { withoutStackTraces } from './disable-stack-traces';
import { InstalledRelease, type InstalledReleaseArgs } from './installed-release';
import { addAnnotations, registerObject } from './kubernetes-objects';

/** Changes to the releases of a cluster and to the objects beside them, each from what was planned. */
export interface ServingTransform extends WorkloadsTransform {
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
   * Objects that no chart brings, as `servingObjects` plans them.
   *
   * @default - none
   */
  readonly objects?: readonly Manifest[];

  /**
   * Whether definitions of kinds stay on the cluster when they are destroyed. They take all objects of their kind along,
   * none of which is ours.
   *
   * @default true
   */
  readonly keepData?: boolean;

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

const DEFINITION_KIND = 'CustomResourceDefinition';

/** Images of operators are small: what takes longer will not come. */
const TIMEOUT_SECONDS = 600;

/**
 * The software that a cluster needs before it can serve, one Helm release each, and what no chart brings of it, one
 * resource an object. The releases have fixed names, since names of Services follow from them.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * const releases = releasesOf(cluster, fleet);
 * const stack = new ServingStack('lab', { cluster: lab, releases, objects: servingObjects(cluster) });
 */
export class ServingStack extends ComponentResource {
  /** By name. */
  readonly releases: ReadonlyMap<string, InstalledRelease>;

  /** By kind and name: `CustomResourceDefinition.inferencepools.inference.networking.k8s.io`. */
  readonly objects: ReadonlyMap<string, CustomResource>;

  constructor(name: string, args: ServingStackArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:ServingStack', name, {}, opts);
    const objects = new Map<string, CustomResource>();
    const installed = new Map<string, InstalledRelease>();
    const named = (name: string): readonly Resource[] => {
      const found = objects.get(name) ?? installed.get(name);
      return found ? [found] : [];
    };
    for (const step of planApplySteps(args.objects ?? [])) {
      objects.set(step.id, this.#register(step, step.needs.flatMap(named), args));
    }
    for (const planned of args.releases) {
      installed.set(planned.name, this.#install(planned, planned.needs.flatMap(named), args));
    }
    this.objects = objects;
    this.releases = installed;
    this.registerOutputs();
  }

  #register(
    { id, manifest }: ApplyStep,
    needs: readonly Resource[],
    { cluster, after = [], keepData = true, transform }: ServingStackArgs,
  ): CustomResource {
    const defines = manifest.kind === DEFINITION_KIND;
    // A kind is served a moment after its definition is there, and who needs it looks once.
    const told = defines
      ? addAnnotations(manifest, { 'pulumi.com/waitFor': 'condition=Established' })
      : manifest;
    const opts = {
      parent: this,
      provider: cluster.provider,
      dependsOn: [...cluster.dependencies, ...after, ...needs],
      retainOnDelete: defines && keepData,
    };
    const tuned = transform?.object?.(told) ?? told;
    return withoutStackTraces(() => registerObject(`${cluster.name}/${id}`, tuned, opts));
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
    return withoutStackTraces(() => new InstalledRelease(`${cluster.name}/${name}`, tuned, opts));
  }
}
