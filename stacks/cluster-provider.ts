import { Provider, type ProviderArgs } from '@pulumi/kubernetes/provider';
import { type ComponentResource, type Input, type Output, output, secret } from '@pulumi/pulumi';
import { type Diagnostic, errorAt } from '../src/base/diagnostic';
import { isBlank } from './config-values';
import { toRunError } from './run-error';

/** How a cluster is reached, and what makes it the same one. */
interface ProviderAccess {
  /** A whole kubeconfig, as text. Absent: the file of whoever applies. */
  readonly kubeconfig?: Input<string>;
  readonly context?: string | undefined;

  /** While it stays, another kubeconfig updates the provider; when it changes, everything on the cluster is replaced. */
  readonly identity: string;
}

/** Changes to what applies objects to a cluster. */
export interface ProviderTransform {
  /** Arguments of the Kubernetes provider. */
  readonly provider?: (args: ProviderArgs) => ProviderArgs;
}

/**
 * What applies objects to one cluster. A kubeconfig is a secret in the state, whether or not it comes as one. One that
 * turns out to be empty ends the program.
 */
export function createClusterProvider(
  name: string,
  { kubeconfig, context, identity }: ProviderAccess,
  transform: ProviderTransform,
  parent: ComponentResource,
): Provider {
  const args: ProviderArgs = {
    ...(kubeconfig !== undefined && { kubeconfig: secret(refuseEmpty(kubeconfig, name)) }),
    ...(context !== undefined && { context }),
    clusterIdentifier: identity,
    enableServerSideApply: true,
    // What is kept on destroy is there when the stack comes back, and so may be objects of an earlier installation.
    upsertExistingObjects: true,
    deleteUnreachable: true,
  };
  return new Provider(name, transform.provider?.(args) ?? args, { parent });
}

/** For an empty kubeconfig the provider takes the file of whoever applies, at its current context (its `Configure`). */
function refuseEmpty(kubeconfig: Input<string>, cluster: string): Output<string> {
  return output(kubeconfig).apply((text) => {
    if (isBlank(text)) throw toRunError([emptyKubeconfig(cluster)]);
    return text;
  });
}

function emptyKubeconfig(where: string): Diagnostic {
  return errorAt('no-kubeconfig', where, 'its kubeconfig is empty', 'Pass the text of one');
}
