import type { ComponentResource } from '@pulumi/pulumi';
import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { Resource } from '../../src/api/kinds';
import type { Path } from '../../src/api/resource';
import type { DiagnosticCode } from '../../src/base/diagnostic-codes';
import type { Fleet } from '../../src/fleet/fleet';
import { checkProvisioning } from '../../src/provision/check-provisioning';
import type { Cluster } from './cluster';

/** A reason why a cloud cannot create a cluster as it is declared. */
export interface CloudProblem {
  /** What is wrong, as a clause without a full stop: `'ord9' is not a region of CoreWeave`. */
  readonly message: string;

  /** What to do, without a full stop at the end: `Use 'us-east-04'`. */
  readonly hint?: string | undefined;

  /**
   * The field, from the top of the resource: `['spec', 'cluster', 'custom', 'region']`.
   *
   * @default - `spec.cluster.source`
   */
  readonly path?: Path;

  /**
   * The resource that is wrong, such as the class of a pool.
   *
   * @default - the cluster
   */
  readonly resource?: Resource;

  /** @default rejected-by-cloud */
  readonly code?: DiagnosticCode;
}

/** Options from the stack that creates a cluster. */
export interface CloudOptions {
  /** The name of the cluster. */
  readonly name: string;

  /** The parent of everything that is registered. */
  readonly parent: ComponentResource;

  /** Whether resources that hold models stay when the cluster is destroyed. */
  readonly keepData: boolean;
}

/**
 * Creates clusters in one cloud. GKE, EKS and AKS are clouds of this kind; a program passes its own in `clouds` of a
 * `FleetStack`. `cloudContract` lists the rules for every cloud.
 *
 * `check` and `plan` are pure: they depend on the declarations only, read no clock, no network and no outputs, and
 * register nothing. Only `make` registers resources, and only what `plan` returned.
 *
 * @example
 * const oke: Cloud<OkePlan> = {
 *   source: 'OKE',
 *   check: ({ spec }) => (spec.cluster.custom?.region ? [] : [{ message: 'it has no region', hint: 'Set region' }]),
 *   plan: (cluster, fleet) => ({ pools: listDeclaredPools(cluster, fleet) }),
 *   make: (plan, { name, parent }) => new OkeCluster(name, plan, { parent }),
 * };
 */
export interface Cloud<Planned = unknown> {
  /**
   * The source of its clusters in declarations: `spec.cluster.custom.cloud` of those with source Custom, or a source
   * such as Nebius.
   */
  readonly source: string;

  /** Returns everything that would make the cloud refuse a cluster. Called before anything is registered. */
  check(cluster: InferenceCluster, fleet: Fleet): Iterable<CloudProblem>;

  /** Plans a cluster without problems, as plain data. Called before anything is registered. */
  plan(cluster: InferenceCluster, fleet: Fleet): Planned;

  /**
   * Returns the ServiceAccounts of a planned cluster whose annotations are in `accounts` of the `Cluster` that `make`
   * returns.
   *
   * @default - none
   */
  accounts?(planned: Planned): readonly { readonly namespace: string; readonly name: string }[];

  /** Registers a planned cluster and the resources that it depends on. */
  make(planned: Planned, options: CloudOptions): Cluster;
}

/** Returns everything that would make GKE, EKS or AKS refuse a cluster. */
export function listManagedProblems(cluster: InferenceCluster, fleet: Fleet): CloudProblem[] {
  return [...checkProvisioning([cluster], fleet)].map(({ at, code, message, hint }) => ({
    ...at,
    code,
    message,
    hint,
  }));
}
