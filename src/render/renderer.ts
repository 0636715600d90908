import { resourceIdOf } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { groupBy, sortedBy } from '../base/order';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { COMPUTED_VERSION, type ComputedReplica } from '../replicas/replica';
import { renderDisruptionBudget, renderNetworkPolicy, renderService } from './replica-objects';
import { renderWorkload } from './workloads';

/**
 * Turns a replica into the objects that run it on its cluster. The native renderer creates Deployments and
 * LeaderWorkerSets; a custom renderer can create objects for KServe, Dynamo or an in-house platform. A renderer is
 * pure: its objects depend on the replica only. `rendererContract` lists the rules for every renderer.
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
  /** The name in plans and messages: letters, digits, `.` and `-`. */
  readonly name: string;

  /** The version of `ComputedReplica` that the renderer reads. */
  readonly version: typeof COMPUTED_VERSION;

  /** Returns why it rejects a replica, as a clause without a full stop, or undefined if it renders the replica. */
  reject(replica: ComputedReplica): string | undefined;

  /**
   * Returns all objects of a replica, in the namespace of its deployment. Each replica includes the objects that it
   * shares with other replicas, and these must be equal. Called only for replicas that it does not reject.
   */
  render(replica: ComputedReplica): readonly Manifest[];
}

/** Returns the renderer of a replica. */
export type RendererSelector = (replica: ComputedReplica) => Renderer;

/**
 * Creates a function that selects the first renderer that does not reject a replica. The native renderer is last.
 *
 * @param given custom renderers, in order of precedence
 * @throws FleetwrightError when a renderer is invalid
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
    yield errorAt('bad-name', where, 'this is not a name for a renderer', hint);
  }
  if ([native, ...earlier].some((other) => other.name === name)) {
    yield errorAt('duplicate-name', where, 'another renderer has this name', 'Rename one');
  }
  if (version !== COMPUTED_VERSION) {
    const what = `it reads version ${String(version)} of computed replicas, and this release makes ${COMPUTED_VERSION}`;
    yield errorAt('bad-renderer', where, what, 'Use a release of it for this version');
  }
}

/**
 * Renders plain Kubernetes objects: a Deployment or LeaderWorkerSet for each engine, and a Service.
 *
 * @example
 * const accepted = replicas.filter((replica) => native.reject(replica) === undefined);
 */
export const native: Renderer = {
  name: 'Native',
  version: COMPUTED_VERSION,

  reject: () => undefined,

  render(replica) {
    const workloads = replica.engines.flatMap((engine) => renderWorkload(replica, engine));
    return [renderService(replica), ...renderNetworkPolicy(replica), ...renderDisruptionBudget(replica), ...workloads];
  },
};

/** Returns a sentence for the plan per custom renderer, with the deployments that it renders. */
export function describeOtherRenderers(replicas: readonly ComputedReplica[], rendererFor: RendererSelector): string[] {
  const others = replicas.filter((replica) => rendererFor(replica) !== native);
  const byRenderer = groupBy(others, (replica) => rendererFor(replica).name);
  return sortedBy(byRenderer, ([name]) => name).map(([name, rendered]) => {
    const ids = new Set(rendered.map(({ deployment }) => resourceIdOf(deployment)));
    return `${sortedBy(ids, (id) => id).join(', ')}: rendered by ${name}.`;
  });
}
