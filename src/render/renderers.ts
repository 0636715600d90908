import { FleetwrightError, type Problem } from '../errors';
import { native } from './native';
import type { Renderer } from './renderer';
import { COMPUTED_VERSION, type ComputedReplica } from './replica';

/** The renderer of a replica. */
export type RendererFor = (replica: ComputedReplica) => Renderer;

/**
 * Chooses between renderers: those given are asked first, in their order, then ours.
 *
 * @param given renderers beside ours
 * @throws FleetwrightError when one of them cannot be used
 */
export function rendererAmong(given: readonly Renderer[]): RendererFor {
  const problems = given.flatMap((renderer, i) => [...faultsOf(renderer, given.slice(0, i))]);
  if (problems.length > 0) throw new FleetwrightError(problems);
  return (replica) => given.find((renderer) => renderer.reject(replica) === undefined) ?? native;
}

const NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$/;

function* faultsOf({ name, version }: Renderer, earlier: readonly Renderer[]): Iterable<Problem> {
  const where = `renderer '${name}'`;
  if (!NAME.test(name)) {
    const hint = "Use letters, digits, '.' and '-', with a letter or digit at both ends";
    yield { code: 'bad-name', where, what: 'this is no name for a renderer', hint };
  }
  if ([native, ...earlier].some((other) => other.name === name)) {
    yield { code: 'duplicate-name', where, what: 'another renderer has this name', hint: 'Rename one' };
  }
  if (version !== COMPUTED_VERSION) {
    const what = `it reads version ${String(version)} of computed replicas, and this release makes ${COMPUTED_VERSION}`;
    yield { code: 'bad-renderer', where, what, hint: 'Use a release of it for this version' };
  }
}
