import type { ProviderTransform } from './cluster-provider';
import type { WorkloadsTransform } from './cluster-workloads';
import type { FleetSource } from './fleet-source';
import type { ClusterSources } from './resolve-clusters';
import type { ServingTransform } from './serving-stack';

/**
 * Changes to what is registered on a cluster: its releases, its objects where they are resources, and its provider
 * where the stack reaches one that exists. Clusters that are made have their own, with the cloud that makes them.
 */
export interface FleetTransform extends ProviderTransform, ServingTransform, WorkloadsTransform {}

/** A fleet, and what says how its clusters are reached. */
export interface StackSource extends FleetSource, ClusterSources {
  /**
   * The only cluster of this stack, for a stack a cluster. With a lock nothing is decided then: what the lock says of
   * this cluster is checked, and how many replicas it has of each deployment there. Rules of the fleet are judged with
   * all that the lock has, on any cluster.
   *
   * @default - all clusters of the fleet
   */
  readonly cluster?: string;
}

/** Arguments of a `FleetStack`. */
export interface FleetStackArgs extends StackSource {
  /**
   * Whether namespaces, volumes and definitions of kinds stay on the clusters when they are destroyed.
   *
   * @default true
   */
  readonly keepData?: boolean;

  /**
   * `resources`: objects are resources of the stack. `files`: they are written to `out` when the stack is updated, for
   * a tool that applies them from git, and the stack has clusters and releases only.
   *
   * @default resources
   */
  readonly workloads?: 'resources' | 'files';

  /**
   * The folder for the manifests of all clusters, relative to the working directory.
   *
   * @default out
   */
  readonly out?: string;

  /**
   * Whether replicas of a deployment are replaced in waves, each waiting for the one before. Clusters are asked what
   * runs there, and a change that needs devices which it frees itself ends the program: it would wait in vain.
   *
   * @default false
   */
  readonly waves?: boolean;

  /**
   * Whether clusters that exist are compared with what is declared of them before anything is registered on any of
   * them, as `fleetwright doctor` does. What would not work ends the program, that of all clusters at once. A preview
   * warns of clusters that it cannot ask.
   *
   * @default false
   */
  readonly precheck?: boolean;

  /**
   * What to change of what is registered on a cluster, by its name.
   *
   * @default - nothing
   */
  readonly transform?: (cluster: string) => FleetTransform;
}
