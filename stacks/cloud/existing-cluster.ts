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
import { errorAt } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import type { Cluster } from './cluster';
import { runClusterChecks } from '../checks/cluster-checks';
import { createClusterProvider, type ProviderTransform } from './cluster-provider';
import { isBlank } from '../runtime/config-values';
import { createPrecheck, type DeclaredCluster } from '../checks/precheck';

/** Arguments of an `ExistingCluster`. At least one of `kubeconfig` and `context` is required. */
export interface ExistingClusterArgs {
  /**
   * A complete kubeconfig as text. It is stored as a secret, also if it is not passed as one.
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
   * The identity of the cluster. With the same identity, a rotated token or a new address updates the provider;
   * another identity replaces everything on the cluster. Change it when the cluster was rebuilt.
   *
   * @default - the name of the cluster
   */
  readonly identity?: string;

  /**
   * Resources that everything on the cluster waits for and is destroyed before, such as its pools.
   *
   * @default - none
   */
  readonly dependencies?: readonly Input<Resource>[];

  /**
   * The declared cluster, which is compared with the running cluster before anything is registered, as `fleetwright
   * doctor` does. All findings that would make the change fail end the program together.
   *
   * @default - the cluster is not compared
   */
  readonly precheck?: DeclaredCluster;

  /**
   * Changes to its provider.
   *
   * @default - none
   */
  readonly transform?: ProviderTransform;
}

/**
 * An existing cluster, reached by a kubeconfig.
 *
 * @example
 * const lab = new ExistingCluster('lab', { context: 'lab' });
 * new ServingStack('lab', { cluster: lab, releases: releasesOf(cluster, fleet) });
 */
export class ExistingCluster extends ComponentResource implements Cluster {
  readonly name: string;
  readonly provider: Provider;
  readonly kubeconfig: Output<string | undefined>;
  readonly dependencies: readonly Input<Resource>[];

  /** The context of the kubeconfig. Undefined: its current one. */
  readonly context: string | undefined;

  /**
   * @param name the name of its InferenceCluster
   * @throws FleetwrightError without kubeconfig and context, or with an empty kubeconfig: the current context of the
   * user would decide
   */
  constructor(name: string, args: ExistingClusterArgs, opts?: ComponentResourceOptions) {
    if (!hasConnection(args)) throw noKubeconfigError(name);
    super('fleetwright:index:ExistingCluster', name, {}, opts);
    const { identity = name, context, precheck: declared, transform = {} } = args;
    this.name = name;
    this.context = context;
    this.kubeconfig = args.kubeconfig === undefined ? output(undefined) : secret(args.kubeconfig);
    this.provider = createClusterProvider(name, { ...args, identity }, transform, this);
    const checks = declared ? [createPrecheck(declared, this)] : [];
    const passed = runClusterChecks(checks, this).map((each) => each.apply(() => this.provider));
    this.dependencies = [...(args.dependencies ?? []), ...passed];
    this.registerOutputs({ kubeconfig: this.kubeconfig });
  }
}

function hasConnection({ kubeconfig, context }: ExistingClusterArgs): boolean {
  return kubeconfig === undefined ? context !== undefined && !isBlank(context) : !isBlank(kubeconfig);
}

function noKubeconfigError(name: string): FleetwrightError {
  return new FleetwrightError([
    errorAt(
      'no-kubeconfig',
      name,
      'the cluster has neither a kubeconfig nor a context',
      'Pass a kubeconfig or the name of a context',
    ),
  ]);
}
