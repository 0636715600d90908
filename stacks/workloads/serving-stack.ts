import {
  ComponentResource,
  type ComponentResourceOptions,
  type CustomResource,
  type Input,
  type Resource,
} from '@pulumi/pulumi';
import { type ApplyStep, planApplySteps } from '../../src/manifest/kubernetes/apply-order';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { isRetained } from '../../src/manifest/kubernetes/retained-objects';
import type { Release as PlannedRelease } from '../../src/provision/releases/release';
import type { Cluster } from '../cloud/cluster';
import { withoutStackTraces } from '../runtime/disable-stack-traces';
import { InstalledRelease, type InstalledReleaseArgs } from './installed-release';
import { addAnnotations, applyAsFleetwright, registerObject, type WorkloadsTransform } from './kubernetes-objects';

/** Changes to the releases and the serving objects of a cluster, each from its plan. */
export interface ServingTransform extends WorkloadsTransform {
  /** Changes the arguments of a release, by its name: `lws`. */
  readonly release?: (args: InstalledReleaseArgs, name: string) => InstalledReleaseArgs;
}

/** Arguments of a `ServingStack`. */
export interface ServingStackArgs {
  /** The cluster that the releases are installed on. */
  readonly cluster: Cluster;

  /** The releases to install, as `releasesOf` plans them: a release follows the releases that it needs. */
  readonly releases: readonly PlannedRelease[];

  /**
   * Objects that no chart brings, as `servingObjects` plans them.
   *
   * @default - none
   */
  readonly objects?: readonly Manifest[];

  /**
   * Whether CRDs stay on the cluster when the stack is destroyed. Deleting a CRD deletes all objects of its kind,
   * also those of others.
   *
   * @default true
   */
  readonly keepData?: boolean;

  /**
   * Resources that all releases wait for.
   *
   * @default - only the cluster
   */
  readonly after?: readonly Input<Resource>[];

  /**
   * Changes to the releases and objects.
   *
   * @default - none
   */
  readonly transform?: ServingTransform;
}

const DEFINITION_KIND = 'CustomResourceDefinition';

/** The time limit of a release. Operator images are small, so a longer wait does not help. */
const TIMEOUT_SECONDS = 600;

/**
 * The software that a cluster needs to serve: one Helm release for each chart, and one resource for each object that
 * no chart contains. Releases have fixed names, because names of Services depend on them.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * const releases = releasesOf(cluster, fleet);
 * const stack = new ServingStack('lab', { cluster: lab, releases, objects: servingObjects(cluster) });
 */
export class ServingStack extends ComponentResource {
  /** Releases by name. */
  readonly releases: ReadonlyMap<string, InstalledRelease>;

  /** Objects by kind and name: `CustomResourceDefinition.inferencepools.inference.networking.k8s.io`. */
  readonly objects: ReadonlyMap<string, CustomResource>;

  constructor(name: string, args: ServingStackArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:ServingStack', name, {}, opts);
    const objects = new Map<string, CustomResource>();
    const installed = new Map<string, InstalledRelease>();
    const findByName = (name: string): readonly Resource[] => {
      const found = objects.get(name) ?? installed.get(name);
      return found ? [found] : [];
    };
    for (const step of planApplySteps(args.objects ?? [])) {
      objects.set(step.id, this.#register(step, step.needs.flatMap(findByName), args));
    }
    for (const planned of args.releases) {
      installed.set(planned.name, this.#install(planned, planned.needs.flatMap(findByName), args));
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
    const isCrd = manifest.kind === DEFINITION_KIND;
    // A kind is served shortly after its CRD is created, and dependent resources check for it only once.
    const annotated = isCrd ? addAnnotations(manifest, { 'pulumi.com/waitFor': 'condition=Established' }) : manifest;
    // Other objects of a program are its own to keep.
    const retained = isCrd && isRetained(manifest, { keepData });
    const opts = {
      parent: this,
      provider: cluster.provider,
      dependsOn: [...cluster.dependencies, ...after, ...needs],
      retainOnDelete: retained,
    };
    const adoptable = retained ? applyAsFleetwright(annotated) : annotated;
    const tuned = transform?.object?.(adoptable) ?? adoptable;
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
