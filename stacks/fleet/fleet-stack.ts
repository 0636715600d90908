import {
  ComponentResource,
  type ComponentResourceOptions,
  type Input,
  log,
  type Output,
  type Resource,
  runtime,
} from '@pulumi/pulumi';
import type { RetainedObject } from '../../src/manifest/kubernetes/retained-objects';
import type { Plan } from '../../src/plan/plan';
import type { RoutingDocument } from '../../src/routing/routing-document';
import type { Cluster } from '../cloud/cluster';
import { ClusterWorkloads, type StackGates } from '../workloads/cluster-workloads';
import { registerRecords } from '../dns/dns-records';
import { ExistingCluster } from '../cloud/existing-cluster';
import type { FleetStackArgs } from './fleet-stack-args';
import { type ClusterPlan, planStack, type StackPlan } from './plan-stack';
import { ServingStack } from '../workloads/serving-stack';
import { runStackChecks } from '../checks/stack-checks';
import { openStackGates, reportForecast } from '../checks/stack-gates';
import { writeManifests } from './write-manifests';

/** The outputs of a stack for a cluster. */
export interface ClusterOutputs {
  readonly name: string;

  /** The kubeconfig, a secret. Undefined where the cluster is a context of the user's own file. */
  readonly kubeconfig: Output<string | undefined>;

  /** The names of its Helm releases. */
  readonly releases: readonly string[];

  /**
   * The addresses of its Gateways, IP addresses or host names, by Gateway name: `fleetwright-edge`. On clusters that
   * the stack creates, all but the egress; on others, those for whose host names the stack writes records.
   */
  readonly gateways: Readonly<Record<string, Output<string>>>;
}

/**
 * A fleet on its clusters: it reads declarations and lock, decides at synth time, creates the clusters that are
 * declared on GKE, EKS and AKS, and registers the releases and objects of each cluster.
 *
 * It validates everything before it registers anything.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * const stack = new FleetStack('models', { fleet: 'fleet', clusters: { lab } });
 * stack.outputs['lab']?.kubeconfig;
 */
export class FleetStack extends ComponentResource {
  /** The clusters by name. */
  readonly clusters: ReadonlyMap<string, Cluster>;

  /**
   * The plan and the changes that it makes. Undefined for a stack of one cluster, which only checks the lines of the
   * lock for it.
   */
  readonly plan: Plan | undefined;

  /**
   * Objects that manifests refer to and that the stack does not create, by cluster. They must exist before the
   * manifests are applied.
   */
  readonly mustExist: Plan['mustExist'];

  /**
   * The routes of requests to engines, as an exportable document: services, routes, a digest. For a stack of one
   * cluster: the services with a front on the cluster.
   */
  readonly routing: RoutingDocument;

  /**
   * What stays on the clusters when the stack is destroyed, by cluster, in the order in which it can be removed, each
   * with the command that removes it.
   */
  readonly retained: Readonly<Record<string, readonly RetainedObject[]>>;

  /** The outputs to export, by cluster. */
  readonly outputs: Readonly<Record<string, ClusterOutputs>>;

  /**
   * @throws FleetwrightError with all problems: of the declarations, a lock that is missing or out of date, policies of the fleet
   * that deny the plan, replicas that cannot be placed, clusters that cannot be reached or created
   */
  constructor(name: string, args: FleetStackArgs, opts?: ComponentResourceOptions) {
    const planned = planStack(args);
    super('fleetwright:index:FleetStack', name, {}, opts);
    for (const text of planned.warnings) void log.warn(text, this);
    if (args.workloads === 'files') writeManifests(planned, args.out);
    this.plan = planned.plan;
    this.mustExist = planned.mustExist;
    this.routing = planned.routingDocument;
    this.retained = Object.fromEntries(planned.clusters.map((one) => [one.cluster.metadata.name, one.retained]));
    const applied = this.#apply(planned, args);
    this.clusters = new Map(applied.map(({ cluster }) => [cluster.name, cluster]));
    this.outputs = Object.fromEntries(applied.map((one) => [one.cluster.name, outputsOf(one)]));
    const gateways = new Map(applied.map(({ cluster, workloads }) => [cluster.name, workloads?.addresses]));
    registerRecords(planned.records, (one) => gateways.get(one.cluster)?.get(one.name), this);
    // The routing is not an output: it is large, and every output value takes time.
    const outputs = { clusters: this.outputs };
    this.registerOutputs(runtime.isDryRun() ? this.#forecast(planned, applied, args).then(() => outputs) : outputs);
  }

  #forecast(planned: StackPlan, applied: readonly AppliedCluster[], args: FleetStackArgs): Promise<void> {
    const reached = planned.clusters.flatMap((plan, i) => {
      const { cluster } = applied[i] ?? {};
      return cluster ? [[plan, cluster] as const] : [];
    });
    return reportForecast(reached, args, this);
  }

  #apply(planned: StackPlan, args: FleetStackArgs): readonly AppliedCluster[] {
    const { keepData = true } = args;
    const reached = planned.clusters.map((one) => {
      return [one, this.#reach(one, keepData)] as const;
    });
    const gatesOf = openStackGates(reached, planned.inWaves, this);
    const checked = runStackChecks(reached, { planned, args, gatesOf, parent: this });
    return reached.map((one) => {
      const [plan, cluster] = one;
      const after = checked(one).map((passed) => passed.apply(() => cluster.provider));
      return this.#install(plan, cluster, { after, gates: gatesOf(cluster) }, args);
    });
  }

  #reach({ cluster: { metadata }, source, transform }: ClusterPlan, keepData: boolean): Cluster {
    const { name } = metadata;
    if ('given' in source) return source.given;
    if ('madeBy' in source) return source.madeBy.make(source.planned, { name, parent: this, keepData });
    return new ExistingCluster(name, { ...source.existing, transform }, { parent: this });
  }

  #install(
    { releases, servingObjects, manifests, addressedGateways: addressed, transform }: ClusterPlan,
    cluster: Cluster,
    { after, gates }: { readonly after: readonly Input<Resource>[]; readonly gates: StackGates },
    { keepData = true, workloads }: FleetStackArgs,
  ): AppliedCluster {
    const { name } = cluster;
    const opts = { parent: this };
    const serving = { cluster, releases, objects: servingObjects, keepData, after, transform };
    const stack = new ServingStack(name, serving, opts);
    if (workloads === 'files') return { cluster, releases };
    const objects = { cluster, manifests, after: [stack, ...after], keepData, gates, addressed, transform };
    return { cluster, releases, workloads: new ClusterWorkloads(name, objects, opts) };
  }
}

/** A cluster of a stack, and its objects where they are resources. */
interface AppliedCluster extends Pick<ClusterPlan, 'releases'> {
  readonly cluster: Cluster;
  readonly workloads?: ClusterWorkloads;
}

function outputsOf({ cluster: { name, kubeconfig }, releases, workloads }: AppliedCluster): ClusterOutputs {
  const gateways = Object.fromEntries(workloads?.addresses ?? []);
  return { name, kubeconfig, releases: releases.map((release) => release.name), gateways };
}
