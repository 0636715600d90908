import { all, log, type Output, type Resource } from '@pulumi/pulumi';
import { describe, FleetwrightError, type Problem } from '../src/errors';
import type { ApiServerOptions } from '../src/kubernetes/api-server';
import { findKubeconfig } from '../src/kubernetes/find-kubeconfig';
import { type Access, accessBy } from '../src/live/access';
import type { FindingProblems } from '../src/live/finding-problems';
import { readKubeconfigs } from '../src/live/kubeconfig';
import { asItIs } from './as-it-is';
import type { Cluster } from './cluster';

/** What a running cluster is asked before anything is registered on it. */
export interface Question {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly reached: Pick<Cluster, 'kubeconfig'> & { readonly context?: string | undefined };

  /** Asks it. One that gives no answer is a result, too. */
  readonly ask: (access: Access, options: ApiServerOptions) => Promise<FindingProblems>;

  /** What it means that nobody can tell how it is reached. */
  readonly unasked: (problems: readonly Problem[]) => FindingProblems;
}

/** Milliseconds for each request. */
const TIMEOUT = 15_000;

/**
 * Asks running clusters. Warnings are told at once. Problems of all clusters end the program together: what waits for
 * the result is registered only where there are none.
 *
 * A kubeconfig that is not known yet is of a cluster that is not there yet, and nothing is asked. Others that are asked
 * together with it wait for it.
 *
 * @returns what to wait for. Nothing where nothing is asked
 */
export function askClusters(questions: readonly Question[], parent: Resource): Output<unknown>[] {
  if (questions.length === 0) return [];
  const asked = questions.map((one) => one.reached.kubeconfig.apply((text) => answer(one, text, parent)));
  const passed = all(asked).apply((found) => {
    if (found.some((problems) => problems.length > 0)) throw asItIs(found.flat());
  });
  return [passed];
}

/** What is wrong on a cluster. */
async function answer(
  question: Question,
  kubeconfig: string | undefined,
  parent: Resource,
): Promise<readonly Problem[]> {
  const { problems, warnings } = await ask(question, kubeconfig);
  for (const warning of warnings) await log.warn(describe(warning), parent);
  return problems;
}

async function ask(question: Question, kubeconfig: string | undefined): Promise<FindingProblems> {
  try {
    const access = accessOf(question, kubeconfig);
    return await question.ask(access, { timeout: TIMEOUT, env: process.env });
  } catch (error) {
    if (error instanceof FleetwrightError) return question.unasked(error.problems);
    throw error;
  }
}

/** By the kubeconfig that is given, as its provider does, or a context of the file of whoever applies. */
function accessOf({ cluster, reached: { context } }: Question, kubeconfig: string | undefined): Access {
  const config =
    kubeconfig === undefined
      ? findKubeconfig(undefined, { env: process.env })
      : readKubeconfigs([{ path: `kubeconfig of ${cluster}`, text: kubeconfig }]);
  // The current context of a user's own file may be that of any cluster.
  const name = context ?? (kubeconfig === undefined ? undefined : config.current);
  if (name !== undefined) return accessBy(name, cluster, config);
  const own = kubeconfig === undefined;
  const what = own
    ? 'nothing says which context of the kubeconfig it is'
    : 'the kubeconfig has no current context';
  const hint = 'Name the context of the cluster';
  throw new FleetwrightError([{ code: 'no-context', where: cluster, what, hint }]);
}
