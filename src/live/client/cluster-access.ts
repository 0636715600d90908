import type { InferenceCluster } from '../../api/inference-cluster';
import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { suggestName } from '../../base/name-suggestion';
import type { ClusterEntry, Kubeconfig, UserEntry } from './kubeconfig';

/** The server and the user entry for connecting to a cluster. */
export interface ClusterAccess {
  readonly context: string;
  readonly server: ClusterEntry;
  readonly user: UserEntry;
}

/** How the context of a cluster is selected in a kubeconfig. */
export interface ContextOptions {
  /** The contexts that the user selects, by cluster. */
  readonly named: Readonly<Record<string, string>>;

  /** Whether the user selects the kubeconfig too, so the contexts that clusters declare refer to it. */
  readonly ownFile: boolean;
}

/**
 * Resolves how to connect to a cluster: by the context that the user selects, else the one that the cluster declares,
 * else the context with the name of the cluster. The current context is never used, since any use of kubectl can
 * change it.
 *
 * @throws FleetwrightError when no context is found, or it cannot be used
 */
export function resolveClusterAccess(
  cluster: InferenceCluster,
  config: Kubeconfig,
  contexts: ContextOptions,
): ClusterAccess {
  return resolveContextAccess(contextOf(cluster, contexts), cluster.metadata.name, config);
}

/** Resolves how to connect to a cluster by a context. Throws if there is no such context, or it cannot be used. */
export function resolveContextAccess(name: string, cluster: string, config: Kubeconfig): ClusterAccess {
  const context = config.contexts.get(name);
  if (!context) throw noContextError(cluster, name, [...config.contexts.keys()]);
  const server = config.servers.get(context.cluster);
  if (!server) throw badContextError(name, `the kubeconfig has no cluster '${context.cluster}'`);
  const user = context.user === '' ? {} : config.users.get(context.user);
  if (!user) throw badContextError(name, `the kubeconfig has no user '${context.user}'`);
  const provider = user['auth-provider'];
  if (provider) {
    const what = `user '${context.user}' has the auth-provider '${provider.name}', which kubectl no longer supports either`;
    throw badContextError(name, what, 'Use a credential plugin (exec)');
  }
  return { context: name, server, user };
}

function contextOf({ metadata, spec }: InferenceCluster, { named, ownFile }: ContextOptions): string {
  const { context, secretRef } = spec.cluster.existing ?? {};
  // A context that is declared with a Secret refers to the kubeconfig in the Secret. In the user's own file it may
  // name another cluster.
  const declared = secretRef === undefined || ownFile ? context : undefined;
  return named[metadata.name] ?? declared ?? metadata.name;
}

function noContextError(cluster: string, name: string, all: readonly string[]): FleetwrightError {
  const near = suggestName(name, all);
  const hint = `Set one with --context${near === undefined ? '' : `: '${near}'?`}`;
  const problem =
    all.length === 0
      ? errorAt('no-context', cluster, 'there is no kubeconfig with contexts', NO_KUBECONFIG_HINT)
      : errorAt('no-context', cluster, `the kubeconfig has no context '${name}'`, hint);
  return new FleetwrightError([problem]);
}

const NO_KUBECONFIG_HINT = 'Set --kubeconfig or KUBECONFIG';

function badContextError(context: string, what: string, hint = "Compare it with 'kubectl config view'") {
  return new FleetwrightError([errorAt('no-context', `context ${context}`, what, hint)]);
}
