import type { Provider } from '@pulumi/kubernetes/provider';
import {
  ComponentResource,
  type ComponentResourceOptions,
  type Input,
  type Output,
  output,
  type Resource,
  secret,
} from '@pulumi/pulumi';
import { FleetwrightError } from '../src/errors';
import type { Cluster } from './cluster';
import { clusterProvider } from './cluster-provider';

/** Arguments of an `ExistingCluster`. At least one of kubeconfig and context is needed. */
export interface ExistingClusterArgs {
  /**
   * A whole kubeconfig, as text. It is a secret in the state, whether or not it comes as one.
   *
   * @default - the file that KUBECONFIG names, or ~/.kube/config
   */
  readonly kubeconfig?: Input<string>;

  /**
   * The context of the kubeconfig to use.
   *
   * @default - the current context of `kubeconfig`
   */
  readonly context?: string;

  /**
   * What makes it the same cluster. While it stays, a rotated token or a new address updates the provider; when it
   * changes, everything on the cluster is replaced. Change it when the cluster was built anew.
   *
   * @default - the name of the cluster
   */
  readonly identity?: string;
}

/**
 * A cluster that exists already, reached by a kubeconfig.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * new ServingStack('lab', { cluster: lab, releases: releasesOf(cluster, fleet) });
 */
export class ExistingCluster extends ComponentResource implements Cluster {
  readonly name: string;
  readonly provider: Provider;
  readonly kubeconfig: Output<string | undefined>;
  readonly dependencies: readonly Resource[] = [];

  /**
   * @param name the name of its InferenceCluster
   * @throws FleetwrightError without kubeconfig and context: the current context of whoever runs it would decide
   */
  constructor(name: string, args: ExistingClusterArgs, opts?: ComponentResourceOptions) {
    if (args.kubeconfig === undefined && args.context === undefined) throw unreachable(name);
    super('fleetwright:index:ExistingCluster', name, {}, opts);
    const { identity = name } = args;
    this.name = name;
    this.kubeconfig = args.kubeconfig === undefined ? output(undefined) : secret(args.kubeconfig);
    this.provider = clusterProvider(name, { ...args, identity }, this);
    this.registerOutputs({ kubeconfig: this.kubeconfig });
  }
}

function unreachable(name: string): FleetwrightError {
  return new FleetwrightError([
    {
      code: 'no-kubeconfig',
      where: name,
      what: 'nothing says how to reach the cluster',
      hint: 'Pass a kubeconfig or the name of a context',
    },
  ]);
}
