import { deployment } from './deployment';
import type { EngineWorkload } from './engine-workload';
import { leaderWorkerSet } from './leader-worker-set';
import type { ComputedEngine } from './replica';

/** Every kind of workload, in the order in which they are asked. */
export const WORKLOADS: readonly EngineWorkload[] = [deployment, leaderWorkerSet];

/** The first kind of workload that takes an engine. */
export function workloadFor(engine: ComputedEngine): EngineWorkload {
  const found = WORKLOADS.find((workload) => workload.reject(engine) === undefined);
  if (found) return found;
  const reasons = WORKLOADS.map((workload) => `${workload.name}: ${workload.reject(engine)}`);
  throw new Error(`bug: nothing renders engine ${engine.engine.name} (${reasons.join('; ')})`);
}
