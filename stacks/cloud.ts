import type { ComponentResource } from '@pulumi/pulumi';
import type { InferenceCluster } from '../src/api/inference-cluster';
import type { Diagnostic } from '../src/base/diagnostic';
import type { Fleet } from '../src/fleet/fleet';
import type { ManagedCloud } from '../src/provision/managed-cloud';
import type { Cluster } from './cluster';

/** What comes with the stack that a cluster is made in. */
export interface CloudOptions {
  /** What the cluster becomes a part of. */
  readonly parent: ComponentResource;

  /** Whether what holds models stays when the cluster is destroyed. */
  readonly keepData: boolean;
}

/** What makes clusters of one cloud. */
export interface Cloud {
  /** The source of its clusters. */
  readonly source: ManagedCloud;

  /** What keeps it from making any, known before anything is registered. Undefined: nothing. */
  refusal(): Diagnostic<undefined> | undefined;

  /** Registers a cluster that has passed its checks, and all that it stands on. */
  make(cluster: InferenceCluster, fleet: Fleet, options: CloudOptions): Cluster;
}
