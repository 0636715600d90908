import type { ChartSource } from './chart-source';
import type { ProviderTransform } from '../cloud/cluster-provider';
import type { WorkloadsTransform } from '../workloads/kubernetes-objects';
import type { FleetSource } from './fleet-source';
import type { ClusterSources } from './resolve-clusters';
import type { ServingTransform } from '../workloads/serving-stack';

/**
 * Changes to the resources of a cluster: its releases, its objects where they are resources, and its provider where
 * the cluster exists already. Clusters that the stack creates are changed with the options of their cloud.
 */
export interface FleetTransform extends ProviderTransform, ServingTransform, WorkloadsTransform {}

/** A fleet, and how its clusters are reached. */
export interface StackSource extends FleetSource, ClusterSources {
  /**
   * The only cluster of this stack, for one stack per cluster. With a lock, nothing is decided then: the lines of
   * this cluster in the lock are checked, and the number of its replicas. The policies of the fleet are evaluated
   * with all replicas in the lock, on any cluster.
   *
   * @default - all clusters of the fleet
   */
  readonly cluster?: string;
}

/** Arguments of a `FleetStack`. */
export interface FleetStackArgs extends StackSource {
  /**
   * Whether namespaces, volumes and CRDs stay on the clusters when the stack is destroyed.
   *
   * @default true
   */
  readonly keepData?: boolean;

  /**
   * `resources`: objects are resources of the stack. `files`: an update writes them to `out`, for a tool that applies
   * them from git, and the stack contains only clusters and releases.
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
   * Whether replicas of deployments with more than one replica are replaced in waves, each of which waits for the
   * previous one. The stack reads the workloads on the clusters of such deployments. A change whose waves would wait
   * for devices which it frees itself ends the program. Without waves, all replicas are replaced at once.
   *
   * @default true
   */
  readonly waves?: boolean;

  /**
   * Whether existing clusters are compared with their declarations before anything is registered on any of them, as
   * `fleetwright doctor` does. Findings that would make the change fail end the program, for all clusters together. A
   * preview warns about clusters that do not answer.
   *
   * @default false
   */
  readonly precheck?: boolean;

  /**
   * Where the charts of all releases come from: a mirror, or a folder that `helm pull` filled. With a folder, a
   * preview of existing clusters needs no registry. It takes the place of `mirror.charts` of the clusters.
   *
   * @default - the registry of each chart, or `mirror.charts` of the cluster
   */
  readonly chartSource?: ChartSource;

  /**
   * Changes to the resources of a cluster, by its name.
   *
   * @default - none
   */
  readonly transform?: (cluster: string) => FleetTransform;
}
