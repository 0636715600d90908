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

/** The most copies of an engine that can run while its pods are replaced: the autoscaler may add some of them then. */
export function countMostCopies(engine: Engine, was: ModelDeployment): number {
  const before = findEngine(was, engine.name);
  return Math.max(copyBoundsOf(engine).max, before ? copyBoundsOf(before).max : 0);
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
