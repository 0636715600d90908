import type { ComponentResource } from '@pulumi/pulumi';
import type { InferenceCluster } from '../src/api/inference-cluster';
import type { Diagnostic } from '../src/base/diagnostic';
import type { Fleet } from '../src/fleet/fleet';
import type { ManagedCloud } from '../src/provision/managed-cloud';
import type { Cluster } from './cluster';

/** Options from the stack that creates a cluster. */
export interface CloudOptions {
  /** The parent of the cluster. */
  readonly parent: ComponentResource;

  /** Whether resources that hold models stay when the cluster is destroyed. */
  readonly keepData: boolean;
}

/** Creates clusters in one cloud. */
export interface Cloud {
  /** The source of its clusters in declarations. */
  readonly source: ManagedCloud;

  /** Returns the reason why it cannot create clusters, before anything is registered. Undefined: none. */
  refusal(): Diagnostic<undefined> | undefined;

  /** Registers a checked cluster and the resources that it depends on. */
  make(cluster: InferenceCluster, fleet: Fleet, options: CloudOptions): Cluster;
}
