import { Provider, type ProviderArgs } from '@pulumi/kubernetes/provider';
import { type ComponentResource, type Input, type Output, output, secret } from '@pulumi/pulumi';
import { type Diagnostic, errorAt } from '../../src/base/diagnostic';
import { isBlank } from '../runtime/config-values';
import { withoutStackTraces } from '../runtime/disable-stack-traces';
import { toRunError } from '../runtime/run-error';

/** The connection of a provider to a cluster, and the identity of the cluster. */
interface ProviderAccess {
  /** A complete kubeconfig as text. Absent: the kubeconfig file of the user. */
  readonly kubeconfig?: Input<string>;
  readonly context?: string | undefined;

  /**
   * The identity of the cluster. With the same identity, another kubeconfig updates the provider; another identity
   * replaces everything on the cluster.
   */
  readonly identity: string;
}

/** Changes to the provider of a cluster. */
export interface ProviderTransform {
  /** Changes the arguments of the Kubernetes provider. */
  readonly provider?: (args: ProviderArgs) => ProviderArgs;
}

/**
 * Creates the Kubernetes provider of one cluster. A kubeconfig is stored as a secret, also if it is not passed as
 * one. An empty kubeconfig ends the program.
 */
export function createClusterProvider(
  name: string,
  { kubeconfig, context, identity }: ProviderAccess,
  transform: ProviderTransform,
  parent: ComponentResource,
): Provider {
  const args: ProviderArgs = {
    ...(kubeconfig !== undefined && { kubeconfig: secret(rejectEmpty(kubeconfig, name)) }),
    ...(context !== undefined && { context }),
    clusterIdentifier: identity,
    enableServerSideApply: true,
    // Resources that are kept on destroy still exist when the stack is created again, and so may objects of an
    // earlier installation.
    upsertExistingObjects: true,
    deleteUnreachable: true,
  };
  const changed = transform.provider?.(args) ?? args;
  return withoutStackTraces(() => new Provider(name, changed, { parent }));
}

/**
 * Throws for an empty kubeconfig. The provider would use the current context of the user's kubeconfig file instead
 * (its `Configure`).
 */
function rejectEmpty(kubeconfig: Input<string>, cluster: string): Output<string> {
  return output(kubeconfig).apply((text) => {
    if (isBlank(text)) throw toRunError([emptyKubeconfig(cluster)]);
    return text;
  });
}

function emptyKubeconfig(where: string): Diagnostic {
  return errorAt('no-kubeconfig', where, 'its kubeconfig is empty', 'Pass the content of a kubeconfig');
}
