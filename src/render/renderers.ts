import { resourceIdOf } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { groupBy, sortedBy } from '../base/order';
import { COMPUTED_VERSION, type ComputedReplica } from '../replicas/replica';
import { dynamo } from './dynamo/dynamo';
import { kserve } from './kserve/kserve';
import { native } from './native';
import type { Renderer, RendererSelector } from './renderer';

/** The renderers of Fleetwright, in their order. The native one rejects no replica. */
export const BUILT_IN_RENDERERS: readonly Renderer[] = [kserve, dynamo, native];

/**
 * Creates a function that selects the first renderer that does not reject a replica. Custom renderers come first, the native one last.
 *
 * @param given custom renderers, in order of precedence
 * @throws FleetwrightError when a renderer is invalid
 */
export function createRendererSelector(given: readonly Renderer[]): RendererSelector {
  const problems = given.flatMap((renderer, i) => [...checkRenderer(renderer, given.slice(0, i))]);
  if (problems.length > 0) throw new FleetwrightError(problems);
  const all = [...given, ...BUILT_IN_RENDERERS];
  return (replica) => all.find((renderer) => renderer.reject(replica) === undefined) ?? native;
}

const RENDERER_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$/;

function* checkRenderer({ name, version }: Renderer, earlier: readonly Renderer[]): Iterable<Diagnostic> {
  const where = `renderer '${name}'`;
  if (!RENDERER_NAME.test(name)) {
    const hint = "Use letters, digits, '.' and '-', with a letter or digit at both ends";
    yield errorAt('bad-name', where, 'this is not a name for a renderer', hint);
  }
  if ([...BUILT_IN_RENDERERS, ...earlier].some((other) => other.name === name)) {
    yield errorAt('duplicate-name', where, 'another renderer has this name', 'Rename one');
  }
  if (version !== COMPUTED_VERSION) {
    const what = `it reads version ${String(version)} of computed replicas, and this release makes ${COMPUTED_VERSION}`;
    yield errorAt('bad-renderer', where, what, 'Use a release of it for this version');
  }
}

/** Returns a sentence for the plan per custom renderer, with the deployments that it renders. */
export function describeOtherRenderers(replicas: readonly ComputedReplica[], rendererFor: RendererSelector): string[] {
  const others = replicas.filter((replica) => rendererFor(replica) !== native);
  const byRenderer = groupBy(others, (replica) => rendererFor(replica).name);
  return sortedBy(byRenderer, ([name]) => name).map(([name, rendered]) => {
    const ids = new Set(rendered.map(({ deployment }) => resourceIdOf(deployment)));
    return `${sortedBy(ids, (id) => id).join(', ')}: rendered by ${name}.`;
  });
}
