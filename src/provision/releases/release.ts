import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { InferenceGateway } from '../../api/inference-gateway';
import type { ReleaseName, ServingStackEntry } from '../../api/serving-stack';

/** Values of a chart. */
export type Values = Readonly<Record<string, unknown>>;

/** One Helm release of a cluster, as plain data. */
export interface Release {
  /** The name of the release, the same on every cluster: names of Services follow from it. */
  readonly name: string;
  readonly namespace: string;

  /** The name of a chart in `repository`, or the address of one: `oci://registry.k8s.io/lws/charts/lws`. */
  readonly chart: string;

  /** Absent where `chart` is an address. */
  readonly repository?: string;
  readonly version: string;
  readonly values: Values;

  /**
   * What has to be there first: the names of releases, which stand before it, and the ids of objects beside them, as
   * `applySteps` has them.
   */
  readonly needs: readonly string[];
}

/** A cluster, with what is declared for it elsewhere. */
export interface ReleaseContext {
  readonly cluster: InferenceCluster;

  /** By name. */
  readonly classes: ReadonlyMap<string, InferenceClass>;

  /** Those that stand on it. */
  readonly gateways: readonly InferenceGateway[];
}

/** What is known of a release whatever the cluster. */
export interface ReleaseDefinition {
  readonly key: ReleaseName;
  readonly name: string;
  readonly namespace: string;

  /** The name of the chart, as mirrors have it. */
  readonly chart: string;

  /** Where it is without a mirror: `oci://` and a path, or `https://` and a Helm repository. */
  readonly repository: string;

  /** The version that was tried. */
  readonly version: string;

  /** What has to be there first, where it is installed at all. */
  readonly needs: readonly ServingStackEntry[];

  /** Whether something that may land on the cluster needs it: what is declared decides, never what is placed. */
  needed(site: ReleaseContext): boolean;

  /** What differs from the defaults of the chart. */
  values(site: ReleaseContext, version: string): Values;

  /** What makes the chart load its images from a mirror, as `host/path` without the registry that it stands for. */
  imageValues(mirror: string): Values;
}
