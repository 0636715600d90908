import { all, log, type Output, type Resource, RunError, runtime } from '@pulumi/pulumi';
import type { InferenceCluster } from '../src/api/inference-cluster';
import type { Locate } from '../src/api/locate';
import { describe, FleetwrightError, type Problem } from '../src/errors';
import type { Fleet } from '../src/fleet';
import { examineLive } from '../src/kubernetes/examine-live';
import { findKubeconfig } from '../src/kubernetes/find-kubeconfig';
import { Unreachable } from '../src/kubernetes/unreachable';
import { type Access, accessBy } from '../src/live/access';
import { type Finding, noAnswer } from '../src/live/finding';
import { findingProblems, type FindingProblems } from '../src/live/finding-problems';
import { readKubeconfigs } from '../src/live/kubeconfig';
import { releasesInstalled } from '../src/provision/releases/releases-of';
import type { Cluster } from './cluster';

/** What is declared of a cluster, to compare it with what is there. */
export interface DeclaredCluster {
  readonly cluster: InferenceCluster;

  /** The fleet that it is of, with the hardware of its classes. */
  readonly fleet: Fleet;

  /**
   * Finds places in the declarations.
   *
   * @default - classes are told by their names
   */
  readonly locate?: Locate;
}

/** A cluster that exists, and what is declared of it. */
export interface Checked extends DeclaredCluster {
  readonly reached: Pick<Cluster, 'kubeconfig'> & { readonly context?: string | undefined };
}

/** Milliseconds for each request. */
const TIMEOUT = 15_000;

/**
 * Compares running clusters with what is declared of them, as `fleetwright doctor` does; what the releases of a stack
 * bring is not missed. Warnings are told at once. Failures of all clusters end the program together: what waits for the
 * result is registered only where there are none.
 *
 * A kubeconfig that is not known yet is of a cluster that is not there yet, and nothing is asked. In a preview, a
 * cluster that cannot be asked is a warning.
 */
export function precheck(clusters: readonly Checked[], parent: Resource): Output<unknown> {
  const looks = clusters.map((one) => one.reached.kubeconfig.apply((text) => look(one, text, parent)));
  return all(looks).apply((found) => {
    if (found.some((problems) => problems.length > 0)) throw asItIs(found.flat());
  });
}

/** Nobody can catch it, and the host shows the stack of what ends a program whose own code has run to its end. */
function asItIs(problems: readonly Problem[]): Error {
  const { message } = new FleetwrightError(problems);
  return Object.assign(new RunError(message), { stack: message });
}

/** What would not work on a cluster. */
async function look(
  one: Checked,
  kubeconfig: string | undefined,
  parent: Resource,
): Promise<readonly Problem[]> {
  const { name } = one.cluster.metadata;
  const asked = await ask(one, kubeconfig);
  const { problems, warnings } =
    'findings' in asked ? findingProblems(name, asked.findings) : unasked(asked.problems);
  for (const warning of warnings) await log.warn(describe(warning), parent);
  return problems;
}

/** Previews need no cluster. */
function unasked(problems: readonly Problem[]): FindingProblems {
  if (!runtime.isDryRun()) return { problems, warnings: [] };
  const what = 'it cannot be compared with what is declared of it';
  return { problems: [], warnings: problems.map((one) => ({ ...one, what: `${one.what}, and ${what}` })) };
}

/** Asks a cluster, or says why it cannot be asked. */
async function ask(
  { cluster, fleet, reached: { context }, locate = byName }: Checked,
  kubeconfig: string | undefined,
): Promise<{ readonly findings: readonly Finding[] } | { readonly problems: readonly Problem[] }> {
  const { name } = cluster.metadata;
  const coming = new Set(releasesInstalled(cluster, fleet).map(({ key }) => key));
  try {
    const access = accessOf(name, kubeconfig, context);
    const options = { timeout: TIMEOUT, env: process.env };
    const found = await examineLive({ cluster, fleet, locate, coming }, access, options);
    return found instanceof Unreachable
      ? findingProblems(name, [noAnswer(found.message)])
      : { findings: found };
  } catch (error) {
    if (error instanceof FleetwrightError) return { problems: error.problems };
    throw error;
  }
}

/** By the kubeconfig that is given, as its provider does, or the file of whoever applies. */
function accessOf(cluster: string, kubeconfig: string | undefined, context: string | undefined): Access {
  const config =
    kubeconfig === undefined
      ? findKubeconfig(undefined, { env: process.env })
      : readKubeconfigs([{ path: `kubeconfig of ${cluster}`, text: kubeconfig }]);
  const name = context ?? config.current;
  if (name !== undefined) return accessBy(name, cluster, config);
  const [what, hint] = ['the kubeconfig has no current context', 'Name the context of the cluster'];
  throw new FleetwrightError([{ code: 'no-context', where: cluster, what, hint }]);
}

function byName({ kind, metadata: { name } }: Parameters<Locate>[0]): string {
  return `${kind} ${name}`;
}
