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
import { orderByWave, rolloutWaitOf } from '../src/render/rollout-waves';
import { EGRESS_NAME } from '../src/routing/addresses';
import type { Cluster } from './cluster';
import { runClusterChecks } from './cluster-checks';
import { withoutStackTraces } from './disable-stack-traces';
import { AddressedGateway, awaitAddress } from './gateway-address';
import { addAnnotations, type ObjectArgs, registerObject, skipAwait } from './kubernetes-objects';
import type { DeclaredCluster } from './precheck';
import { createWaveCheck } from './wave-check';

/** Changes to the objects of a cluster. */
export interface WorkloadsTransform {
  /**
   * An object, from how it was planned. What it is and its name stay: others refer to it by them, and its place in the
   * order was found before. What is added may be known later.
   */
  readonly object?: (manifest: Manifest) => ObjectArgs;
}

/** Arguments of `ClusterWorkloads`. */
export interface ClusterWorkloadsArgs {
  /** Where everything goes. */
  readonly cluster: Cluster;

  /** The objects, as `renderCluster` makes them. */
  readonly manifests: readonly Manifest[];

  /**
   * What all of them wait for and are destroyed before, such as a `ServingStack`.
   *
   * @default - nothing but the cluster
   */
  readonly after?: readonly Input<Resource>[];

  /**
   * Whether namespaces and volume claims stay on the cluster when they are destroyed. Namespaces take everything in
   * them along, also what is not ours, and volumes hold models that took hours to load.
   *
   * @default true
   */
  readonly keepData?: boolean;

  /**
   * Whether replicas of a deployment are replaced in waves: those of a wave wait until those of the wave before are
   * ready. A change that needs devices which it frees itself then waits in vain: the new replica comes before the old
   * one goes. With `declared` it is refused.
   *
   * @default false
   */
  readonly waves?: boolean;

  /**
   * What is declared of the cluster. With waves it is asked what runs there, before anything is registered; a change
   * that needs devices which it frees itself ends the program.
   *
   * @default - nothing is asked
   */
  readonly declared?: DeclaredCluster;

  /**
   * Names of Gateways in `fleetwright-system` that are waited for until they have an address, beside all but the egress
   * where the cluster has load balancers.
   *
   * @default - no others
   */
  readonly addressed?: ReadonlySet<string>;

  /**
   * What to change of them.
   *
   * @default - nothing
   */
  readonly transform?: WorkloadsTransform;
}

/**
 * The objects of one cluster, one resource each.
 *
 * They have fixed names: the name of the cluster, and kind, namespace and name of the object. Without waves nothing
 * waits until an object is ready, because a change may need the devices that it frees itself, and Pulumi deletes last. Claim
 * templates stay when they are replaced: pods of a rollout that goes on are made from the old one.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * new ClusterWorkloads('lab', { cluster: lab, manifests: renderCluster(cluster, replicas, { fleet }) });
 */
export class ClusterWorkloads extends ComponentResource {
  /** By kind, namespace and name: `Deployment.ml.qwen3-0-main-1a2b3`. */
  readonly objects: ReadonlyMap<string, CustomResource>;

  /** The addresses of the Gateways that are waited for, by name. */
  readonly addresses: ReadonlyMap<string, Output<string>>;

  constructor(name: string, args: ClusterWorkloadsArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:ClusterWorkloads', name, {}, opts);
    const objects = new Map<string, CustomResource>();
    const steps = planApplySteps(args.manifests);
    const addressed = addressedGatewaysOf(args);
    const after = [...(args.after ?? []), ...this.#checked(args)];
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

  #checked({ waves, declared, cluster, manifests }: ClusterWorkloadsArgs): readonly Input<Resource>[] {
    if (!waves || !declared) return [];
    const question = createWaveCheck({ ...declared, manifests }, cluster);
    return runClusterChecks([question], this).map((passed) => passed.apply(() => cluster.provider));
  }

  #register(
    { id, manifest }: ApplyStep,
    needs: readonly Resource[],
    args: ClusterWorkloadsArgs,
  ): CustomResource {
    const { cluster, after = [], keepData = true, waves = false, addressed = NO_GATEWAYS, transform } = args;
    const { kind } = manifest;
    const waiting = waves ? rolloutWaitOf(manifest) : undefined;
    const time = `${waiting?.seconds}s`;
    const opts = {
      ...(waiting && { customTimeouts: { create: time, update: time } }),
      parent: this,
      provider: cluster.provider,
      // What it needs waits for all the rest itself: large fleets have no room for every edge.
      dependsOn: needs.length > 0 ? [...needs] : [...cluster.dependencies, ...after],
      retainOnDelete: kind === 'ResourceClaimTemplate' || (keepData && DATA_KINDS.has(kind)),
    };
    const object = `${cluster.name}/${id}`;
    const hasAddress = [...addressed].some((gateway) => gatewayIdOf(gateway) === id);
    const told = waiting ? addAnnotations(manifest, waiting.annotations) : skipAwait(manifest);
    const tuned = transformObject(transform, hasAddress ? awaitAddress(told) : told);
    return withoutStackTraces(() =>
      hasAddress ? new AddressedGateway(object, tuned, opts) : registerObject(object, tuned, opts),
    );
  }
}

function transformObject(transform: WorkloadsTransform | undefined, planned: Manifest): ObjectArgs {
  return transform?.object?.(planned) ?? planned;
}

const NO_GATEWAYS: ReadonlySet<string> = new Set();

/** Those that are asked for, and all that others reach where their addresses come in minutes. */
function addressedGatewaysOf({
  cluster,
  manifests,
  addressed = NO_GATEWAYS,
}: ClusterWorkloadsArgs): ReadonlySet<string> {
  if (!cluster.hasLoadBalancers) return addressed;
  const here = manifests.filter(({ kind, metadata }) => kind === 'Gateway' && metadata.name !== EGRESS_NAME);
  return new Set([...addressed, ...here.map(({ metadata }) => metadata.name)]);
}

function gatewayIdOf(gateway: string): string {
  return `Gateway.${SYSTEM_NAMESPACE}.${gateway}`;
}

/** Kinds that hold what others may need, or what takes long to have again. */
const DATA_KINDS: ReadonlySet<string> = new Set(['Namespace', 'PersistentVolumeClaim']);
