import type { Provider } from '@pulumi/kubernetes/provider';
import type { CustomResourceOptions, Input, Output, Resource } from '@pulumi/pulumi';

/** Annotations of ServiceAccounts, by `NAMESPACE/NAME`. */
export type AccountAnnotations = ReadonlyMap<string, Readonly<Record<string, Output<string>>>>;

/** A Kubernetes cluster that the program creates or that exists already, as other resources use it. */
export interface Cluster {
  /** The name of its InferenceCluster. */
  readonly name: string;

  /**
   * The provider that applies objects and releases to the cluster. Every resource names it explicitly, so nothing
   * falls back to the user's own kubeconfig. It stays the same when a token or an address changes.
   */
  readonly provider: Provider;

  /**
   * Whether the cloud assigns addresses to Gateways within minutes, so that they are awaited. Undefined: only
   * Gateways are awaited for whose host names the stack writes records.
   */
  readonly hasLoadBalancers?: boolean;

  /** The kubeconfig, a secret. Undefined where the cluster is a context of the user's own file. */
  readonly kubeconfig: Output<string | undefined>;

  /**
   * ServiceAccounts with identities in the cloud, whose IDs are known only once the cluster exists. Those that objects
   * of the fleet use are created with them.
   *
   * @default - none
   */
  readonly accounts?: AccountAnnotations;

  /** Resources that everything on the cluster waits for and is destroyed before, such as its pools. */
  readonly dependencies: readonly Input<Resource>[];
}

/**
 * Options of a resource on a cluster. `provider` is required: without it, the resource would be created on the
 * cluster of the user's own kubeconfig.
 */
export type ClusterResourceOptions = CustomResourceOptions &
  Required<Pick<CustomResourceOptions, 'parent' | 'provider'>>;
