import type { EngineProfile } from '../catalog/engines/engine-profile';
import { type ContainerSettings, findNumberSetting, findSetting } from './container-settings';

/** How an engine divides its model. */
interface Ranks {
  readonly tensor: number;
  readonly pipeline: number;
  readonly data: number;

  /** The data ranks of a node, if they are set. */
  readonly dataLocal: number | undefined;

  /** Whether data ranks share the devices of tensor parallelism. */
  readonly shared: boolean;

  /** All devices of a copy of the engine. */
  readonly devices: number;
}

/**
 * The ranks that a container asks for, the data ranks of a node if they are set, and all devices of a copy of the
 * engine. Expert parallelism adds no devices, because it uses those of the other ranks. Nothing if the runtime chooses
 * the ranks itself or they cannot be read.
 */
export function ranksOf(settings: ContainerSettings): Ranks | undefined {
  const { parallelism } = settings.profile;
  if (!countsRanks(settings, parallelism)) return undefined;
  const tensor = findNumberSetting(settings, parallelism.tensor, 1);
  const pipeline = findNumberSetting(settings, parallelism.pipeline, 1);
  const data = findNumberSetting(settings, parallelism.data, 1);
  if (tensor === undefined || pipeline === undefined || data === undefined) return undefined;
  const isLocal = findSetting(settings, parallelism.dataLocal) !== undefined;
  const dataLocal = isLocal ? findNumberSetting(settings, parallelism.dataLocal, 1) : undefined;
  const shared = findSetting(settings, parallelism.dataWithinTensor) !== undefined;
  return { tensor, pipeline, data, dataLocal, shared, devices: tensor * pipeline * (shared ? 1 : data) };
}

function countsRanks(settings: ContainerSettings, { tensor, automatic, other }: EngineProfile['parallelism']): boolean {
  if (!tensor || (other?.flags ?? []).some((flag) => findSetting(settings, { flags: [flag] }))) return false;
  return !automatic || findSetting(settings, tensor) !== undefined;
}
