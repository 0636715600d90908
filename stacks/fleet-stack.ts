import {
  ComponentResource,
  type ComponentResourceOptions,
  type Input,
  log,
  type Output,
  type Resource,
  runtime,
} from '@pulumi/pulumi';
import { describe } from '../src/base/errors';
import { writeOutput } from '../src/files/write-output';
import type { Fleet } from '../src/fleet/fleet';
import type { Plan } from '../src/plan/plan';
import { renderFleet } from '../src/render/fleet';
import { formatPolicyFinding } from '../src/report/plan/policy-text';
import type { Routing } from '../src/routing/routing';
import { formatRoutingFiles, type RoutingDocument, routingDocument } from '../src/routing/routing-document';
import type { Cluster } from './cluster';
import { ClusterWorkloads } from './cluster-workloads';
import { registerRecords } from './dns-records';
import { ExistingCluster } from './existing-cluster';
import type { FleetStackArgs, FleetTransform } from './fleet-stack-args';
import { type ClusterPlan, planStack, type StackPlan } from './plan-stack';
import { ServingStack } from './serving-stack';
import { runStackChecks } from './stack-checks';

/** What a stack tells of a cluster. */
export interface ClusterOutputs {
  readonly name: string;

  /** The kubeconfig, a secret. Undefined where it is a context of the user's own file. */
  readonly kubeconfig: Output<string | undefined>;

  /** The names of its Helm releases. */
  readonly releases: readonly string[];

  /**
   * The addresses of its Gateways, numbers or names, by the name of the Gateway: `fleetwright-edge`. All but the egress on
   * clusters that are made; on others those of whose host names the stack writes records.
   */
  readonly gateways: Readonly<Record<string, Output<string>>>;
}

/**
 * A fleet on its clusters: it reads declarations and lock, decides at synth time, makes the clusters that are declared
 * on GKE and EKS, and registers on each cluster the releases that it needs and the objects that land there.
 *
 * Nothing is registered before everything is known to be sound.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * const stack = new FleetStack('models', { fleet: 'fleet', clusters: { lab } });
 * stack.outputs['lab']?.kubeconfig;
 */
export class FleetStack extends ComponentResource {
  /** By name. */
  readonly clusters: ReadonlyMap<string, Cluster>;

  /**
   * What was decided, and what it changes. Undefined for a stack of one cluster, which only checks what the lock says of
   * it.
   */
  readonly plan: Plan | undefined;

  /** What manifests refer to and nobody here makes, by cluster: it has to be there before them. */
  readonly mustExist: Plan['mustExist'];

  /**
   * How requests reach what serves, for machines to export: services, routes, a digest. In a stack of one cluster: those
   * of its front doors.
   */
  readonly routing: RoutingDocument;

  /** What to export, by cluster. */
  readonly outputs: Readonly<Record<string, ClusterOutputs>>;

  /**
   * @throws FleetwrightError with everything that is wrong: the declarations, a lock that is missing or stale, rules
   *   of the fleet that deny the plan, replicas without a place, clusters that cannot be reached or made
   */
  constructor(name: string, args: FleetStackArgs, opts?: ComponentResourceOptions) {
    const planned = planStack(name, args, args.workloads === 'files');
    const { clusters, plan, mustExist, records, routing } = planned;
    if (args.workloads === 'files') writeManifests(planned, args);
    super('fleetwright:index:FleetStack', name, {}, opts);
    for (const text of warningsOf(planned, args)) void log.warn(text, this);
    this.plan = plan;
    this.mustExist = mustExist;
    this.routing = routingDocument(routingOfCluster(routing, args.cluster));
    const reached = clusters.map((one) => [one, this.#reach(one, planned.fleet, args)] as const);
    const passed = runStackChecks(reached, { planned, args, parent: this });
    const made = reached.map((site) => {
      const [one, cluster] = site;
      const after = passed(site).map((told) => told.apply(() => cluster.provider));
      return this.#apply(one, { cluster, after, records }, args);
    });
    this.clusters = new Map(made.map(({ cluster }) => [cluster.name, cluster]));
    const addresses = new Map(made.map(({ cluster, workloads }) => [cluster.name, workloads?.addresses]));
    registerRecords(records, ({ cluster, name: gateway }) => addresses.get(cluster)?.get(gateway), this);
    this.outputs = Object.fromEntries(
      clusters.flatMap(({ cluster: { metadata }, releases }) => {
        const cluster = this.clusters.get(metadata.name);
        return cluster ? [[cluster.name, outputsOf(cluster, releases, addresses.get(cluster.name))]] : [];
      }),
    );
    // Without the routing: it is large, and every value of an output takes its time.
    this.registerOutputs({ clusters: this.outputs });
  }

  #apply(
    { releases, servingObjects: objects, manifests }: ClusterPlan,
    { cluster, after, records }: ReadyCluster,
    args: FleetStackArgs,
  ): AppliedCluster {
    const { keepData = true, waves = false, workloads } = args;
    const { name } = cluster;
    const opts = { parent: this };
    const transform = transformOf(name, args);
    const serving = { cluster, releases, objects, keepData, after, transform };
    const stack = new ServingStack(name, serving, opts);
    if (workloads === 'files') return { cluster };
    const here = records.flatMap(({ gateways }) => gateways.filter((one) => one.cluster === name));
    const addressed = new Set(here.map((one) => one.name));
    const all = { cluster, manifests, after: [stack, ...after], keepData, waves, addressed, transform };
    return { cluster, workloads: new ClusterWorkloads(name, all, opts) };
  }

  #reach({ cluster, reach }: ClusterPlan, fleet: Fleet, args: FleetStackArgs): Cluster {
    const { keepData = true } = args;
    if ('given' in reach) return reach.given;
    if ('madeBy' in reach) return reach.madeBy.make(cluster, fleet, { parent: this, keepData });
    const { name } = cluster.metadata;
    return new ExistingCluster(
      name,
      { ...reach.existing, transform: transformOf(name, args) },
      { parent: this },
    );
  }
}

function transformOf(cluster: string, { transform }: FleetStackArgs): FleetTransform {
  return transform?.(cluster) ?? {};
}

/** What whoever applies should know of a plan. */
function warningsOf({ plan, policies, ...planned }: StackPlan, args: FleetStackArgs): string[] {
  return [
    ...(plan?.warnings ?? []).map(describe),
    ...policies.map(formatPolicyFinding),
    ...(args.workloads === 'files' ? fileModeWarningsOf(planned, args) : []),
  ];
}

/** What a stack without objects does not do. */
function fileModeWarningsOf(
  { records, clusters }: Pick<StackPlan, 'records' | 'clusters'>,
  args: FleetStackArgs,
): string[] {
  const unwritten = records.map(({ host }) => host);
  const unchanged = clusters
    .map(({ cluster }) => cluster.metadata.name)
    .filter((name) => transformOf(name, args).object);
  return [
    ...(unwritten.length > 0 ? [`${unwritten.join(', ')}: ${RECORDS_NOT_WRITTEN}`] : []),
    ...(unchanged.length > 0 ? [`${unchanged.join(', ')}: ${OBJECTS_NOT_TRANSFORMED}`] : []),
  ];
}

const RECORDS_NOT_WRITTEN =
  'the stack does not write their DNS records, because it has no Gateways. Write them yourself.';

const OBJECTS_NOT_TRANSFORMED =
  "'object' of their transform changes no files. Change them with the tool that applies them, or with a renderer.";

/** A cluster that is there, or becomes so. */
interface ReadyCluster extends Pick<StackPlan, 'records'> {
  readonly cluster: Cluster;

  /** What everything on it waits for beside its own dependencies. */
  readonly after: readonly Input<Resource>[];
}

/** A cluster of a stack, and its objects where they are resources. */
interface AppliedCluster {
  readonly cluster: Cluster;
  readonly workloads?: ClusterWorkloads;
}

function outputsOf(
  { name, kubeconfig }: Cluster,
  releases: ClusterPlan['releases'],
  addresses: ClusterWorkloads['addresses'] = new Map(),
): ClusterOutputs {
  const gateways = Object.fromEntries(addresses);
  return { name, kubeconfig, releases: releases.map((release) => release.name), gateways };
}

/** The services that have a front door on a cluster, or all. */
function routingOfCluster(routing: Routing, cluster: string | undefined): Routing {
  if (cluster === undefined) return routing;
  const services = routing.services.filter(({ doors }) => doors.some((door) => door.cluster === cluster));
  return { ...routing, services };
}

/** Those of all clusters, also where the stack has one: stacks of one fleet may write to one folder. */
function writeManifests(
  { fleet, replicas, renderers, routing }: StackPlan,
  { out = 'out' }: FleetStackArgs,
): void {
  if (runtime.isDryRun()) return;
  const files = [...renderFleet(fleet, replicas, { renderers, routing }), ...formatRoutingFiles(routing)];
  writeOutput(out, new Map(files));
}
