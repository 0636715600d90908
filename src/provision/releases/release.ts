import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { InferenceGateway } from '../../api/inference-gateway';
import type { ReleaseName, ServingStackEntry } from '../../api/serving-stack';

/** The values of a chart. */
export type Values = Readonly<Record<string, unknown>>;

/** A Helm release of a cluster, as plain data. */
export interface Release {
  /** The name of the release. It is the same on every cluster, because names of Services derive from it. */
  readonly name: string;
  readonly namespace: string;

  /** The name of a chart in `repository`, or the address of a chart: `oci://registry.k8s.io/lws/charts/lws`. */
  readonly chart: string;

  /** Absent if `chart` is an address. */
  readonly repository?: string;
  readonly version: string;
  readonly values: Values;

  /** The dependencies: names of preceding releases, and IDs of objects, as returned by `planApplySteps`. */
  readonly needs: readonly string[];
}

/** A cluster, with the resources of the fleet that its releases depend on. */
export interface ReleaseContext {
  readonly cluster: InferenceCluster;

  /** By name. */
  readonly classes: ReadonlyMap<string, InferenceClass>;

  /** The gateways on the cluster. */
  readonly gateways: readonly InferenceGateway[];
}

/** The definition of a release, independent of the cluster. */
export interface ReleaseDefinition {
  readonly key: ReleaseName;
  readonly name: string;
  readonly namespace: string;

  /** The name of the chart, also in mirrors. */
  readonly chart: string;

  /** The repository without a mirror: `oci://` and a path, or the `https://` URL of a Helm repository. */
  readonly repository: string;

  /** The tested version. */
  readonly version: string;

  /** The dependencies, if they are installed. Default: none. */
  readonly needs?: readonly ServingStackEntry[];

  /**
   * Whether it is installed only with `install: true`, because many clusters have it already. Then `needed` depends on
   * the cluster alone. Default: it is installed where it is needed.
   */
  readonly optIn?: true;

  /** Whether the declared cluster needs the release. Placements do not matter. */
  needed(context: ReleaseContext): boolean;

  /** Returns the values that differ from the defaults of the chart. Default: none. */
  values?(context: ReleaseContext, version: string): Values;

  /** Returns the values that make the chart load its images from a mirror: `host/path`, which replaces the registry. */
  imageValues?(mirror: string): Values;
}
