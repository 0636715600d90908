import { deployment } from './deployment';
import { leaderWorkerSet } from './leader-worker-set';
import type { Renderer } from './renderer';
import type { ComputedEngine } from './replica';

/** Every renderer, in the order in which they are asked. */
export const RENDERERS: readonly Renderer[] = [deployment, leaderWorkerSet];

/** The first renderer that takes an engine. */
export function rendererFor(engine: ComputedEngine): Renderer {
  const found = RENDERERS.find((renderer) => renderer.reject(engine) === undefined);
  if (found) return found;
  const reasons = RENDERERS.map((renderer) => `${renderer.name}: ${renderer.reject(engine)}`);
  throw new Error(`bug: nothing renders engine ${engine.engine.name} (${reasons.join('; ')})`);
}
