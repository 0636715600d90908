import type { ProviderTransform } from './cluster-provider';
import type { WorkloadsTransform } from './cluster-workloads';
import type { StackSource } from './plan-stack';
import type { ServingTransform } from './serving-stack';

/**
 * Changes to what is registered on a cluster: its releases, its objects where they are resources, and its provider
 * where the stack reaches one that exists. Clusters that are made have their own, with the cloud that makes them.
 */
export interface FleetTransform extends ProviderTransform, ServingTransform, WorkloadsTransform {}

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
