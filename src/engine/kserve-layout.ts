import type { Engine, EngineMember } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import type { KServeShape } from '../catalog/backends';
import { readContainerSettings } from './container-settings';
import { ranksOf } from './parallel-ranks';
import { profileOf, servingMemberOf } from './runtime-detection';

/** The engines of a replica as KServe runs them: one service, which has at most a prefill in addition. */
export interface KServeEngines {
  /** The engine that accepts requests: the only one, or that of decode. */
  readonly main: Engine;
  readonly prefill?: Engine;
}

/** Returns the engines of a deployment as one service. Undefined if they are neither one engine nor one pair. */
export function kserveEnginesOf({ spec }: Pick<ModelDeployment, 'spec'>): KServeEngines | undefined {
  const { engines, serving } = spec.template.spec;
  const [first, ...others] = engines;
  if (!first) return undefined;
  if (others.length === 0) return { main: first };
  const [main, prefill] = (['Decode', 'Prefill'] as const).map((phase) => engines.find((one) => one.phase === phase));
  const isPair = serving.mode === 'PrefillDecode' && engines.length === 2;
  return isPair && main && prefill ? { main, prefill } : undefined;
}

/** How KServe divides an engine over nodes. It takes the size of a gang from this and from nothing else. */
export interface KServeParallelism {
  readonly shape: KServeShape;

  /** The pods of a copy. */
  readonly size: number;

  /** Empty for a single pod. */
  readonly fields: Readonly<Partial<Record<'pipeline' | 'data' | 'dataLocal', number>>>;

  /** Why KServe cannot express how the engine divides its model, as a clause. Absent if it can. */
  readonly unfit?: string;
}

/** The pods of a copy of an engine. */
export function gangSizeOf({ members }: Engine): number {
  return members.reduce((size, { role, worker }) => size + (role === 'Worker' ? (worker?.nodes ?? 1) : 1), 0);
}

/** Whether an engine is a gang: also one of a leader and one worker is. */
export function workerOf({ members }: Engine): EngineMember | undefined {
  return members.find(({ role }) => role === 'Worker');
}

/** Returns how KServe divides an engine over nodes. */
export function kserveParallelismOf(deployment: ModelDeployment, engine: Engine): KServeParallelism {
  const size = gangSizeOf(engine);
  if (!workerOf(engine)) return { shape: 'pod', size, fields: {} };
  const byPipeline = { shape: 'pipeline', size, fields: { pipeline: size } } as const;
  const [container] = servingMemberOf(engine).template.spec.containers;
  const ranks = ranksOf(readContainerSettings(container, profileOf(deployment, engine).profile));
  if (!ranks) return byPipeline;
  const { tensor, pipeline, data } = ranks;
  if (pipeline > 1) {
    const stages = `engine ${engine.name} has ${pipeline} pipeline stages on ${size} nodes, and KServe runs one on each node`;
    return pipeline === size ? byPipeline : { ...byPipeline, unfit: stages };
  }
  if (data > 1) {
    const fields = { data, dataLocal: Math.max(1, Math.floor(data / size)) };
    const uneven = `engine ${engine.name} has ${data} data ranks on ${size} nodes, and KServe runs as many on each node`;
    return { shape: 'data', size, fields, ...(data % size > 0 && { unfit: uneven }) };
  }
  if (tensor === 1) return byPipeline;
  const unfit = `engine ${engine.name} divides its model by tensor parallelism over ${size} nodes, which KServe cannot without pipeline or data parallelism`;
  return { ...byPipeline, unfit };
}
