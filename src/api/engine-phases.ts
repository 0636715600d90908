import type { Engine } from './engine';

/** Whether an engine is a worker or the frontend of NVIDIA Dynamo. */
export function isDynamo({ runtime }: Pick<Engine, 'runtime'>): boolean {
  return runtime === 'Dynamo';
}

/** Whether an engine accepts requests for the workers of Dynamo. */
export function isFrontend({ phase }: Pick<Engine, 'phase'>): boolean {
  return phase === 'Frontend';
}

/** Whether an engine accepts requests itself. The workers of Dynamo have a frontend for that. */
export function acceptsRequests(engine: Pick<Engine, 'runtime' | 'phase'>): boolean {
  return !isDynamo(engine) || isFrontend(engine);
}

/** The phase of an engine in serving mode PrefillDecode. Dynamo pairs the phases of its workers itself. */
export function pairPhaseOf(engine: Pick<Engine, 'runtime' | 'phase'>): 'Prefill' | 'Decode' | undefined {
  const { phase } = engine;
  return isDynamo(engine) || phase === 'Frontend' ? undefined : phase;
}
