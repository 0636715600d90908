import type { Engine } from '../api/engine';
import { copyBoundsOf, isAutoscaled } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';

/** A deployment before and after a change. */
export interface ChangedDeployment {
  /** Undefined: the deployment is new. */
  readonly was: ModelDeployment | undefined;
  readonly is: ModelDeployment;
}

/**
 * The copies of an engine that surely run when its pods are replaced. A workload starts the copies of a fixed number before
 * it stops others.
 */
export function countCopiesInRollout(engine: Engine, was: ModelDeployment): number {
  return isAutoscaled(engine) ? countRunningCopies(engine, was) : copyBoundsOf(engine).min;
}

/** Whether one of the engines has no copy on another node that serves while its node restarts. */
export function hasSingleCopy({ was, is }: ChangedDeployment, engines: readonly string[]): boolean {
  return engines.some((name) => {
    const engine = findEngine(is, name);
    return !engine || countRunningCopies(engine, was) <= 1;
  });
}

/** The copies of an engine that surely run throughout a change. Further ones may start only when it is applied already. */
function countRunningCopies(engine: Engine, was: ModelDeployment | undefined): number {
  const before = was && findEngine(was, engine.name);
  const { min } = copyBoundsOf(engine);
  return before ? Math.min(copyBoundsOf(before).min, min) : min;
}

function findEngine({ spec }: ModelDeployment, name: string): Engine | undefined {
  return spec.template.spec.engines.find((engine) => engine.name === name);
}
