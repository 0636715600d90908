import {
  ComponentResource,
  type ComponentResourceOptions,
  type CustomResource,
  type Input,
  type Output,
  output,
  type Resource,
  runtime,
} from '@pulumi/pulumi';
import { REPLICA_INDEX_LABEL } from '../../src/api/labels';
import { deploymentKeyOf, formatDeploymentKey } from '../../src/live/waves/read-workloads';
import { findDeploymentsInWaves, findTemplatesInWaves, hasWave } from '../../src/live/waves/replaced-workloads';
import { type ApplyStep, planApplySteps } from '../../src/manifest/kubernetes/apply-order';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../src/manifest/kubernetes/object-names';
import { isAdopted, isRetained } from '../../src/manifest/kubernetes/retained-objects';
import { orderByWave, turnsWithWorkloads } from '../../src/render/rollout-waves';
import { EGRESS_NAME } from '../../src/routing/addresses';
import { annotateAccount, listCloudAccounts } from './cloud-accounts';
import type { Cluster } from '../cloud/cluster';
import { runClusterChecks } from '../checks/cluster-checks';
import { withoutStackTraces } from '../runtime/disable-stack-traces';
import { AddressedGateway, awaitAddress } from './gateway-address';
import {
  applyAsFleetwright,
  type ObjectArgs,
  registerObject,
  skipAwait,
  type WorkloadsTransform,
} from './kubernetes-objects';
import type { DeclaredCluster } from '../checks/precheck';
import { RegistrationSlots } from './registration-slots';
import { awaitOutput, listRunningWorkloads, toPromise } from '../checks/running-workloads';
import { ServingStack } from './serving-stack';
import { createWaveCheck } from '../checks/wave-check';
import { type ClusterGates, WaveGates } from '../checks/wave-gates';

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
   * Whether replicas of a deployment with more than one replica are replaced in waves: an update reads the workloads
   * on the cluster, and replaces those of a wave when the others are ready. A replica that grows in place into devices
   * which the change itself frees then never becomes ready. With `declared`, such a change is rejected.
   *
   * @default true
   */
  readonly waves?: boolean;

  /**
   * The gates of a stack with several clusters, which take turns.
   *
   * @internal
   */
  readonly gates?: StackGates;

  /**
   * The declared cluster. With waves, the running cluster is checked before anything is registered; a change whose
   * waves would wait for devices which it frees itself ends the program.
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

/** The deployments of a stack that have waves, and the gates of one of its clusters. */
export interface StackGates {
  /** `namespace/name` of each. */
  readonly inWaves: ReadonlySet<string>;

  /** Absent in a preview, which replaces nothing. */
  readonly cluster?: ClusterGates | undefined;
}

/**
 * The objects of one cluster, one resource each.
 *
 * Resource names are fixed: the name of the cluster, and the kind, namespace and name of the object. Resources do not
 * wait until objects are ready, because a change may need the devices that it frees itself, and Pulumi deletes last.
 * Only the waves of deployments with several replicas wait. Claim templates of other deployments are retained when they
 * are replaced, since pods of a running rollout are created from the old template.
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

  readonly #slots = new RegistrationSlots();
  readonly #registered = new Map<Resource, Promise<unknown>>();

  /** When the workloads of each replica can be applied. */
  readonly #turns = new Map<string, Promise<unknown>[]>();

  constructor(name: string, args: ClusterWorkloadsArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:ClusterWorkloads', name, {}, opts);
    const objects = new Map<string, CustomResource>();
    const gates = args.waves === false ? NO_WAVES : (args.gates ?? this.#openGates(args));
    const accounts = listCloudAccounts(args.manifests, args.cluster.accounts);
    const steps = planApplySteps([...args.manifests, ...accounts]);
    const addressed = addressedGatewaysOf(args);
    const after = [...(args.after ?? []), ...this.#runWaveCheck(args, gates)];
    const reached = awaitAll([args.cluster.provider, ...args.cluster.dependencies, ...after]);
    const unneeded = findTemplatesInWaves(args.manifests, gates.inWaves);
    for (const step of gates.inWaves.size > 0 ? orderByWave(steps) : steps) {
      const needs = step.needs.flatMap((id) => objects.get(id) ?? []);
      objects.set(step.id, this.#register(step, needs, { ...args, addressed, after, gates, unneeded, reached }));
    }
    this.objects = objects;
    this.addresses = new Map(
      [...addressed].flatMap((gateway) => {
        const object = objects.get(gatewayIdOf(gateway));
        return object instanceof AddressedGateway ? [[gateway, object.address] as const] : [];
      }),
    );
    // Pulumi deletes what is gone once all outputs are registered.
    this.registerOutputs(gates.cluster ? gates.cluster.finished().then(() => ({})) : {});
  }

  /** The gates of a cluster that is in no stack. */
  #openGates({ cluster, manifests }: ClusterWorkloadsArgs): StackGates {
    const inWaves = findDeploymentsInWaves([{ cluster: cluster.name, manifests }]);
    if (runtime.isDryRun() || inWaves.size === 0) return { inWaves };
    return { inWaves, cluster: new WaveGates(this).addCluster(listRunningWorkloads(cluster, this)) };
  }

  #runWaveCheck(
    { declared, cluster, manifests }: ClusterWorkloadsArgs,
    { inWaves, cluster: gates }: StackGates,
  ): readonly Input<Resource>[] {
    if (inWaves.size === 0 || !declared) return [];
    const check = createWaveCheck({ ...declared, manifests, inWaves }, cluster, gates);
    return runClusterChecks([check], this).map((passed) => passed.apply(() => cluster.provider));
  }

  #register({ id, manifest }: ApplyStep, needs: readonly Resource[], args: RegisterArgs): CustomResource {
    const { cluster, after = [], keepData = true, addressed = NO_GATEWAYS, transform, gates, unneeded } = args;
    const hasAddress = [...addressed].some((gateway) => gatewayIdOf(gateway) === id);
    const adoptable = isAdopted(manifest, keepData) ? applyAsFleetwright(skipAwait(manifest)) : skipAwait(manifest);
    const planned = hasAddress ? awaitAddress(adoptable) : adoptable;
    const tuned = annotateAccount(manifest, transformObject(transform, planned), cluster.accounts);
    const gate = hasWave(manifest, gates.inWaves)
      ? gates.cluster?.before(manifest, valueOf(tuned, manifest))
      : undefined;
    const replica = replicaKeyOf(manifest);
    const turns = this.#turns.get(replica) ?? [];
    if (gate) this.#turns.set(replica, [...turns, gate.opened]);
    // Needed objects already wait for the dependencies of the cluster: explicit edges for all objects are too many
    // for large fleets.
    const dependsOn = needs.length > 0 ? [...needs] : [...cluster.dependencies, ...after];
    // A slot is taken by what can be registered now, so that no object waits for one that something blocked has, and
    // that the SDK never gives back what it does not register.
    const changed = tuned !== planned ? awaitOutput(output(tuned)) : undefined;
    const ready = Promise.all([
      args.reached,
      gate?.opened,
      ...(turnsWithWorkloads(manifest) ? turns : []),
      changed,
      ...needs.map((need) => this.#registered.get(need)),
    ]);
    const slot = ready.then(() => this.#slots.take());
    const opts = {
      parent: this,
      provider: cluster.provider,
      dependsOn: waitFirst(slot, dependsOn),
      retainOnDelete: isRetained(manifest, { keepData, unneeded }),
    };
    const object = `${cluster.name}/${id}`;
    const resource = withoutStackTraces(() =>
      hasAddress ? new AddressedGateway(object, tuned, opts) : registerObject(object, tuned, opts),
    );
    const registered = slot.then(() => awaitOutput(resource.urn).finally(() => this.#slots.give()));
    // The SDK reports the error.
    registered.catch(() => undefined);
    this.#registered.set(resource, registered);
    gate?.applied(registered.then(() => generationOf(resource)));
    return resource;
  }
}

/** The arguments, with what was found for all objects of the cluster. */
interface RegisterArgs extends ClusterWorkloadsArgs {
  readonly gates: StackGates;

  /** Claim templates that nothing needs once an update has ended. */
  readonly unneeded: ReadonlySet<Manifest>;

  /** Is fulfilled when everything that all objects wait for is registered. */
  readonly reached: Promise<unknown>;
}

/** The deployment and the index of the replica of an object, which may have no labels. */
function replicaKeyOf(object: Parameters<typeof deploymentKeyOf>[0]): string {
  return `${formatDeploymentKey(deploymentKeyOf(object))} ${object.metadata.labels?.[REPLICA_INDEX_LABEL] ?? ''}`;
}

const NO_WAVES: StackGates = { inWaves: new Set() };

/** Waits until resources are registered: a serving stack when all that it installs is. */
async function awaitAll(resources: readonly Input<Resource>[]): Promise<void> {
  const all = resources.flatMap((one) =>
    one instanceof ServingStack ? [one, ...one.releases.values(), ...one.objects.values()] : [one],
  );
  await Promise.all(all.map((one) => awaitOutput(output(one).apply((resource) => (resource as Resource).urn))));
}

/**
 * Dependencies that are known when something has happened. A promise of all of them would do, but for it the SDK goes
 * through everything that these resources refer to.
 */
function waitFirst(happened: Promise<unknown>, dependsOn: readonly Input<Resource>[]): Input<Input<Resource>[]> {
  const [first, ...rest] = dependsOn;
  if (first === undefined) return happened.then(() => []);
  return [happened.then(() => first) as Promise<Resource>, ...rest];
}

/** The object that is applied, once all of it is known. */
function valueOf(tuned: ObjectArgs, manifest: Manifest): Promise<Manifest> {
  // Only a transform brings outputs. Reading them copies the object.
  return tuned === manifest ? Promise.resolve(manifest) : toPromise(output(tuned) as unknown as Output<Manifest>);
}

/** The generation that the API server gave an object when it was applied. */
function generationOf(resource: CustomResource): Promise<number | undefined> {
  const { metadata } = resource as { readonly metadata?: Output<{ readonly generation?: number } | undefined> };
  return toPromise(
    output([resource.id, metadata]).apply(([, known]) => (known as { generation?: number })?.generation),
  );
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
