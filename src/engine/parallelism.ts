import type { EngineProfile } from '../catalog/engines/profile';
import { given, numberGiven, type Reading } from './arguments';

/** How many devices an engine shares its work out to. */
export interface Ranks {
  readonly tensor: number;
  readonly pipeline: number;
  readonly data: number;

  /** Data ranks of a node, where they are given. */
  readonly dataLocal?: number;

  /** All devices of a copy of the engine. Expert parallelism adds none: it lies across those of the others. */
  readonly devices: number;
}

/**
 * The ranks that a container tells its engine to make, or nothing where the runtime decides by itself or nobody can
 * read it.
 */
export function ranksOf(reading: Reading): Ranks | undefined {
  const { parallelism } = reading.profile;
  if (!decides(reading, parallelism)) return undefined;
  const tensor = numberGiven(reading, parallelism.tensor, 1);
  const pipeline = numberGiven(reading, parallelism.pipeline, 1);
  const data = numberGiven(reading, parallelism.data, 1);
  if (tensor === undefined || pipeline === undefined || data === undefined) return undefined;
  const local = given(reading, parallelism.dataLocal) && numberGiven(reading, parallelism.dataLocal, 1);
  const shared = given(reading, parallelism.dataWithinTensor) !== undefined;
  return {
    tensor,
    pipeline,
    data,
    ...(local !== undefined && { dataLocal: local }),
    devices: tensor * pipeline * (shared ? 1 : data),
  };
}

function decides(reading: Reading, { tensor, automatic, other }: EngineProfile['parallelism']): boolean {
  if (!tensor || (other?.flags ?? []).some((flag) => given(reading, { flags: [flag] }))) return false;
  return !automatic || given(reading, tensor) !== undefined;
}
