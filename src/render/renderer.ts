import { resourceIdOf } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { groupBy, sortedBy } from '../base/order';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { COMPUTED_VERSION, type ComputedReplica } from '../replicas/replica';
import { renderDisruptionBudget } from './disruption-budget';
import { renderNetworkPolicy } from './network-policy';
import { renderService } from './service';
import { selectWorkloadRenderer } from './workloads';

/**
 * Turns a replica into the objects that run it on its cluster: ours into Deployments and LeaderWorkerSets, others
 * into what KServe, Dynamo or a platform of the house reads. Pure: the same replica gives the same objects, and
 * nothing but the replica decides. `rendererContract` says what every renderer owes the rest.
 *
 * @example
 * const house: Renderer = {
 *   name: 'house',
 *   version: 1,
 *   reject: ({ cluster }) => (cluster.metadata.labels.platform === 'house' ? undefined : 'it runs no house platform'),
 *   render: (replica) => [modelServer(replica)],
 * };
 */
export interface Renderer {
  /** What plans and messages call it: letters, digits, `.` and `-`. */
  readonly name: string;

  /** The version of `ComputedReplica` that it reads. */
  readonly version: typeof COMPUTED_VERSION;

  /** Why it does not render a replica, as a clause without a full stop, or nothing. */
  reject(replica: ComputedReplica): string | undefined;

  /**
   * All objects of a replica, in the namespace of its deployment. Objects that replicas share come with each of
   * them, and have to be equal. Only for replicas that it does not reject.
   */
  render(replica: ComputedReplica): readonly Manifest[];
}

/** The renderer of a replica. */
export type RendererSelector = (replica: ComputedReplica) => Renderer;

/**
 * Chooses between renderers: those given are asked first, in their order, then ours.
 *
 * @param given renderers beside ours
 * @throws FleetwrightError when one of them cannot be used
 */
export function createRendererSelector(given: readonly Renderer[]): RendererSelector {
  const problems = given.flatMap((renderer, i) => [...checkRenderer(renderer, given.slice(0, i))]);
  if (problems.length > 0) throw new FleetwrightError(problems);
  return (replica) => given.find((renderer) => renderer.reject(replica) === undefined) ?? native;
}

const RENDERER_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$/;

function* checkRenderer({ name, version }: Renderer, earlier: readonly Renderer[]): Iterable<Diagnostic> {
  const where = `renderer '${name}'`;
  if (!RENDERER_NAME.test(name)) {
    const hint = "Use letters, digits, '.' and '-', with a letter or digit at both ends";
    yield errorAt('bad-name', where, 'this is no name for a renderer', hint);
  }
  if ([native, ...earlier].some((other) => other.name === name)) {
    yield errorAt('duplicate-name', where, 'another renderer has this name', 'Rename one');
  }
  if (version !== COMPUTED_VERSION) {
    const what = `it reads version ${String(version)} of computed replicas, and this release makes ${COMPUTED_VERSION}`;
    yield errorAt('bad-renderer', where, what, 'Use a release of it for this version');
  }
}

/** Kubernetes itself: a Deployment or LeaderWorkerSet for each engine, and a Service before them. */
export const native: Renderer = {
  name: 'Native',
  version: COMPUTED_VERSION,

  reject: () => undefined,

  render(replica) {
    const workloads = replica.engines.flatMap((engine) =>
      selectWorkloadRenderer(engine).render(replica, engine),
    );
    return [
      renderService(replica),
      ...renderNetworkPolicy(replica),
      ...renderDisruptionBudget(replica),
      ...workloads,
    ];
  },
};

/** Which deployments are rendered by others than us: sentences for the plan, one a renderer. */
export function describeOtherRenderers(
  replicas: readonly ComputedReplica[],
  rendererFor: RendererSelector,
): string[] {
  const others = replicas.filter((replica) => rendererFor(replica) !== native);
  const byRenderer = groupBy(others, (replica) => rendererFor(replica).name);
  return sortedBy(byRenderer, ([name]) => name).map(([name, some]) => {
    const ids = new Set(some.map(({ deployment }) => resourceIdOf(deployment)));
    return `${sortedBy(ids, (id) => id).join(', ')}: rendered by ${name}.`;
  });
}
