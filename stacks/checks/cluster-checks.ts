import { all, log, type Output, type Resource } from '@pulumi/pulumi';
import { type Diagnostic, errorAt, formatDiagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import type { ApiClientOptions } from '../../src/live/client/api-client';
import { type ClusterAccess, resolveContextAccess } from '../../src/live/client/cluster-access';
import { loadKubeconfig, parseKubeconfigs } from '../../src/live/client/kubeconfig';
import type { ClusterProblems } from '../../src/live/finding';
import type { Cluster } from '../cloud/cluster';
import { toRunError } from '../runtime/run-error';

/** A check of a running cluster before anything is registered on it. */
export interface ClusterCheck {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly reached: Pick<Cluster, 'kubeconfig'> & { readonly context?: string | undefined };

  /** Checks the cluster. A cluster that does not answer is a result, too. */
  readonly ask: (access: ClusterAccess, options: ApiClientOptions) => Promise<ClusterProblems>;

  /** Converts the reasons why the cluster cannot be reached to a result. */
  readonly unasked: (problems: readonly Diagnostic[]) => ClusterProblems;
}

/**
 * How clusters are asked. All times are in milliseconds: the time limit of each request, and the pauses between
 * requests to an API server that does not answer.
 */
export const API_OPTIONS: ApiClientOptions & { readonly pauses: readonly number[] } = {
  timeout: 15_000,
  pauses: [1000, 3000],
  env: process.env,
};

/**
 * Checks running clusters. It prints warnings immediately. Problems of all clusters end the program together:
 * resources that wait for the result are registered only if there are none.
 *
 * An unknown kubeconfig belongs to a cluster that does not exist yet, which is not checked. Clusters that are checked
 * together with it wait for it.
 *
 * @returns the outputs to wait for. Empty where no check runs
 */
export function runClusterChecks(checks: readonly ClusterCheck[], parent: Resource): Output<unknown>[] {
  if (checks.length === 0) return [];
  const results = checks.map((one) => one.reached.kubeconfig.apply((text) => runCheck(one, text, parent)));
  const passed = all(results).apply((found) => {
    if (found.some((problems) => problems.length > 0)) throw toRunError(found.flat());
  });
  return [passed];
}

/** Runs a check, prints its warnings and returns its problems. */
async function runCheck(
  check: ClusterCheck,
  kubeconfig: string | undefined,
  parent: Resource,
): Promise<readonly Diagnostic[]> {
  const { problems, warnings } = await checkCluster(check, kubeconfig);
  for (const warning of warnings) await log.warn(formatDiagnostic(warning), parent);
  return problems;
}

async function checkCluster(check: ClusterCheck, kubeconfig: string | undefined): Promise<ClusterProblems> {
  try {
    const access = resolveAccess(check, kubeconfig);
    return await check.ask(access, API_OPTIONS);
  } catch (error) {
    if (error instanceof FleetwrightError) return check.unasked(error.diagnostics);
    throw error;
  }
}

/**
 * Resolves the connection by the given kubeconfig, as the provider does, or by a context of the user's own kubeconfig
 * file.
 */
export function resolveAccess(
  { cluster, reached: { context } }: Pick<ClusterCheck, 'cluster' | 'reached'>,
  kubeconfig: string | undefined,
): ClusterAccess {
  const config =
    kubeconfig === undefined
      ? loadKubeconfig(undefined, { env: process.env })
      : parseKubeconfigs([{ path: `kubeconfig of ${cluster}`, text: kubeconfig }]);
  // The current context of the user's own file can be any cluster.
  const name = context ?? (kubeconfig === undefined ? undefined : config.current);
  if (name !== undefined) return resolveContextAccess(name, cluster, config);
  const what =
    kubeconfig === undefined ? 'the context of the kubeconfig is not set' : 'the kubeconfig has no current context';
  const hint = 'Set the context of the cluster';
  throw new FleetwrightError([errorAt('no-context', cluster, what, hint)]);
}
