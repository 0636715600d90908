import type { Provider } from '@pulumi/kubernetes/provider';
import type { CustomResourceOptions, Input, Output, Resource } from '@pulumi/pulumi';

/** A Kubernetes cluster, made here or there already: all that the rest has to know of it. */
export interface Cluster {
  /** The name of its InferenceCluster. */
  readonly name: string;

  /**
   * What applies objects and releases to it. It is named wherever it is used, and nothing ever falls back to the
   * kubeconfig at hand. It stays the same when a token or an address changes.
   */
  readonly provider: Provider;

  /**
   * Whether its cloud gives Gateways addresses in minutes, so that they are waited for. Undefined: only those are of whose
   * host names the stack writes records.
   */
  readonly hasLoadBalancers?: boolean;

  /** The kubeconfig, a secret. Undefined where it is a context of the user's own file. */
  readonly kubeconfig: Output<string | undefined>;

  /** What everything on the cluster waits for and is destroyed before, such as its pools. */
  readonly dependencies: readonly Input<Resource>[];
}

/**
 * Options of a resource of a cluster. Without a provider it would land on whatever cluster the kubeconfig at hand names.
 */
export type ClusterResourceOptions = CustomResourceOptions &
  Required<Pick<CustomResourceOptions, 'parent' | 'provider'>>;
