import { all, log, type Output, type Resource } from '@pulumi/pulumi';
import { type Diagnostic, errorAt, formatDiagnostic } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';
import type { ApiClientOptions } from '../src/live/client/api-client';
import { type ClusterAccess, resolveContextAccess } from '../src/live/client/cluster-access';
import { loadKubeconfig, parseKubeconfigs } from '../src/live/client/kubeconfig';
import type { ClusterProblems } from '../src/live/finding';
import type { Cluster } from './cluster';
import { toRunError } from './run-error';

/** What a running cluster is asked before anything is registered on it. */
export interface ClusterCheck {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly reached: Pick<Cluster, 'kubeconfig'> & { readonly context?: string | undefined };

  /** Asks it. One that gives no answer is a result, too. */
  readonly ask: (access: ClusterAccess, options: ApiClientOptions) => Promise<ClusterProblems>;

  /** What it means that nobody can tell how it is reached. */
  readonly unasked: (problems: readonly Diagnostic[]) => ClusterProblems;
}

/** Milliseconds for each request. */
const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Asks running clusters. Warnings are told at once. Problems of all clusters end the program together: what waits for
 * the result is registered only where there are none.
 *
 * A kubeconfig that is not known yet is of a cluster that is not there yet, and nothing is asked. Others that are asked
 * together with it wait for it.
 *
 * @returns what to wait for. Nothing where nothing is asked
 */
export function runClusterChecks(questions: readonly ClusterCheck[], parent: Resource): Output<unknown>[] {
  if (questions.length === 0) return [];
  const asked = questions.map((one) => one.reached.kubeconfig.apply((text) => runCheck(one, text, parent)));
  const passed = all(asked).apply((found) => {
    if (found.some((problems) => problems.length > 0)) throw toRunError(found.flat());
  });
  return [passed];
}

/** What is wrong on a cluster. */
async function runCheck(
  question: ClusterCheck,
  kubeconfig: string | undefined,
  parent: Resource,
): Promise<readonly Diagnostic[]> {
  const { problems, warnings } = await checkCluster(question, kubeconfig);
  for (const warning of warnings) await log.warn(formatDiagnostic(warning), parent);
  return problems;
}

async function checkCluster(
  question: ClusterCheck,
  kubeconfig: string | undefined,
): Promise<ClusterProblems> {
  try {
    const access = resolveAccess(question, kubeconfig);
    return await question.ask(access, { timeout: REQUEST_TIMEOUT_MS, env: process.env });
  } catch (error) {
    if (error instanceof FleetwrightError) return question.unasked(error.diagnostics);
    throw error;
  }
}

/** By the kubeconfig that is given, as its provider does, or a context of the file of whoever applies. */
function resolveAccess(
  { cluster, reached: { context } }: ClusterCheck,
  kubeconfig: string | undefined,
): ClusterAccess {
  const config =
    kubeconfig === undefined
      ? loadKubeconfig(undefined, { env: process.env })
      : parseKubeconfigs([{ path: `kubeconfig of ${cluster}`, text: kubeconfig }]);
  // The current context of a user's own file may be that of any cluster.
  const name = context ?? (kubeconfig === undefined ? undefined : config.current);
  if (name !== undefined) return resolveContextAccess(name, cluster, config);
  const own = kubeconfig === undefined;
  const what = own
    ? 'nothing says which context of the kubeconfig it is'
    : 'the kubeconfig has no current context';
  const hint = 'Name the context of the cluster';
  throw new FleetwrightError([errorAt('no-context', cluster, what, hint)]);
}
