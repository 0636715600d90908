import {
  ComponentResource,
  type ComponentResourceOptions,
  type CustomResource,
  type Input,
  type Output,
  type Resource,
} from '@pulumi/pulumi';
import { type ApplyStep, planApplySteps } from '../src/manifest/kubernetes/apply-order';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../src/manifest/kubernetes/object-names';
import { isRetained } from '../src/manifest/kubernetes/retained-objects';
import { orderByWave, rolloutWaitOf } from '../src/render/rollout-waves';
import { EGRESS_NAME } from '../src/routing/addresses';
import type { Cluster } from './cluster';
import { runClusterChecks } from './cluster-checks';
import { withoutStackTraces } from './disable-stack-traces';
import { AddressedGateway, awaitAddress } from './gateway-address';
import { addAnnotations, applyAsFleetwright, type ObjectArgs, registerObject, skipAwait } from './kubernetes-objects';
import type { DeclaredCluster } from './precheck';
import { createWaveCheck } from './wave-check';

/** Changes to the objects of a cluster. */
export interface WorkloadsTransform {
  /**
   * Changes the arguments of an object from its manifest. Its kind and name must stay: other objects refer to them,
   * and they decide the apply order. Added values may be outputs.
   */
  readonly object?: (manifest: Manifest) => ObjectArgs;
}

/** Arguments of `ClusterWorkloads`. */
export interface ClusterWorkloadsArgs {
  /** The cluster that the objects are registered on. */
  readonly cluster: Cluster;

  /** The objects, as `renderCluster` returns them. */
  readonly manifests: readonly Manifest[];

  /**
   * Resources that all objects wait for and are destroyed before, such as a `ServingStack`.
   *
   * @default - only the cluster
   */
  readonly after?: readonly Input<Resource>[];

  /**
   * Whether namespaces and volume claims stay on the cluster when the stack is destroyed. Deleting a namespace
   * deletes everything in it, also objects of others, and volumes hold models that took hours to load.
   *
   * @default true
   */
  readonly keepData?: boolean;

  /**
   * Whether replicas of a deployment are replaced in waves: replicas of a wave wait until those of the previous wave
   * are ready. A change that needs devices which it frees itself then never completes, since the new replica is
   * created before the old one is deleted. With `declared`, such a change is rejected.
   *
   * @default false
   */
  readonly waves?: boolean;

  /**
   * The declared cluster. With waves, the running cluster is checked before anything is registered; a change that
   * needs devices which it frees itself ends the program.
   *
   * @default - the cluster is not checked
   */
  readonly declared?: DeclaredCluster;

  /**
   * Names of Gateways in `fleetwright-system` whose address is awaited. On a cluster with load balancers, all
   * Gateways but the egress are awaited in addition.
   *
   * @default - no others
   */
  readonly addressed?: ReadonlySet<string>;

  /**
   * Changes to the objects.
   *
   * @default - none
   */
  readonly transform?: WorkloadsTransform;
}

/**
 * The objects of one cluster, one resource each.
 *
 * Resource names are fixed: the name of the cluster, and the kind, namespace and name of the object. Without waves,
 * resources do not wait until objects are ready, because a change may need the devices that it frees itself, and
 * Pulumi deletes last. Claim templates are retained when they are replaced, since pods of a running rollout are
 * created from the old template.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * new ClusterWorkloads('lab', { cluster: lab, manifests: renderCluster(cluster, replicas, { fleet }) });
 */
export class ClusterWorkloads extends ComponentResource {
  /** The objects by kind, namespace and name: `Deployment.ml.qwen3-0-main-1a2b3`. */
  readonly objects: ReadonlyMap<string, CustomResource>;

  /** The addresses of awaited Gateways, by name. */
  readonly addresses: ReadonlyMap<string, Output<string>>;

  constructor(name: string, args: ClusterWorkloadsArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:ClusterWorkloads', name, {}, opts);
    const objects = new Map<string, CustomResource>();
    const steps = planApplySteps(args.manifests);
    const addressed = addressedGatewaysOf(args);
    const after = [...(args.after ?? []), ...this.#runWaveCheck(args)];
    for (const step of args.waves ? orderByWave(steps) : steps) {
      const needs = step.needs.flatMap((id) => objects.get(id) ?? []);
      objects.set(step.id, this.#register(step, needs, { ...args, addressed, after }));
    }
    this.objects = objects;
    this.addresses = new Map(
      [...addressed].flatMap((gateway) => {
        const object = objects.get(gatewayIdOf(gateway));
        return object instanceof AddressedGateway ? [[gateway, object.address] as const] : [];
      }),
    );
    this.registerOutputs();
  }

  #runWaveCheck({ waves, declared, cluster, manifests }: ClusterWorkloadsArgs): readonly Input<Resource>[] {
    if (!waves || !declared) return [];
    const check = createWaveCheck({ ...declared, manifests }, cluster);
    return runClusterChecks([check], this).map((passed) => passed.apply(() => cluster.provider));
  }

  #register({ id, manifest }: ApplyStep, needs: readonly Resource[], args: ClusterWorkloadsArgs): CustomResource {
    const { cluster, after = [], keepData = true, waves = false, addressed = NO_GATEWAYS, transform } = args;
    const retained = isRetained(manifest, keepData);
    const waiting = waves ? rolloutWaitOf(manifest) : undefined;
    const time = `${waiting?.seconds}s`;
    const opts = {
      ...(waiting && { customTimeouts: { create: time, update: time } }),
      parent: this,
      provider: cluster.provider,
      // Needed objects already wait for the dependencies of the cluster: explicit edges for all objects are too many
      // for large fleets.
      dependsOn: needs.length > 0 ? [...needs] : [...cluster.dependencies, ...after],
      retainOnDelete: retained,
    };
    const object = `${cluster.name}/${id}`;
    const hasAddress = [...addressed].some((gateway) => gatewayIdOf(gateway) === id);
    const annotated = waiting ? addAnnotations(manifest, waiting.annotations) : skipAwait(manifest);
    const adoptable = retained ? applyAsFleetwright(annotated) : annotated;
    const tuned = transformObject(transform, hasAddress ? awaitAddress(adoptable) : adoptable);
    return withoutStackTraces(() =>
      hasAddress ? new AddressedGateway(object, tuned, opts) : registerObject(object, tuned, opts),
    );
  }
}

function transformObject(transform: WorkloadsTransform | undefined, planned: Manifest): ObjectArgs {
  return transform?.object?.(planned) ?? planned;
}

const NO_GATEWAYS: ReadonlySet<string> = new Set();

/**
 * The Gateways whose address is awaited: the requested ones, and all public ones on clusters with load balancers,
 * which assign addresses within minutes.
 */
function addressedGatewaysOf({
  cluster,
  manifests,
  addressed = NO_GATEWAYS,
}: ClusterWorkloadsArgs): ReadonlySet<string> {
  if (!cluster.hasLoadBalancers) return addressed;
  const gateways = manifests.filter(({ kind, metadata }) => kind === 'Gateway' && metadata.name !== EGRESS_NAME);
  return new Set([...addressed, ...gateways.map(({ metadata }) => metadata.name)]);
}

function gatewayIdOf(gateway: string): string {
  return `Gateway.${SYSTEM_NAMESPACE}.${gateway}`;
}
