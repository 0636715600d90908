import type { Engine } from '../api/engine';
import type { NodePool } from '../api/node-pool';
import { ENGINE_LOAD, IMAGE_PULL, NEW_NODE, READ_MIB_PER_SECOND, type StartTime } from '../catalog/start-times';
import { startupSecondsOf } from '../engine/startup-and-shutdown';
import { modelSizeOf, type MountedCache } from './mounted-caches';
import type { ComputedReplica } from './replica';

/** The least and the most minutes of a part of starting a copy. */
export interface StartRange {
  readonly what: 'node' | 'image' | 'weights' | 'load';
  readonly least: number;
  readonly most: number;
}

/** How long a further copy of an engine takes until it serves, in minutes. */
export interface CopyStart {
  /** What a new node adds. Empty for a pool of a fixed size. */
  readonly node: readonly StartRange[];

  /** What every copy takes. The startup budget bounds their sum. */
  readonly engine: readonly StartRange[];

  /** The startup budget. */
  readonly budget: number;
}

/**
 * Computes how long a further copy takes from the request for it to the first response.
 *
 * @param downloadGiB the size of the weights that it downloads without a cache. Default: that is not known
 */
export function copyStartOf(
  engine: Engine,
  pool: Pick<NodePool, 'minNodeCount' | 'maxNodeCount' | 'overprovision'>,
  caches: readonly MountedCache[],
  downloadGiB?: number,
): CopyStart {
  const sizeGiB = modelSizeOf(caches);
  const budget = Math.ceil(startupSecondsOf(engine, sizeGiB) / 60);
  const bounded = (what: StartRange['what'], least: number, most: number): StartRange => {
    return { what, least: Math.min(least, budget), most: Math.min(most, budget) };
  };
  const load = bounded('load', ENGINE_LOAD.least, ENGINE_LOAD.most);
  return {
    node: canGrow(pool)
      ? [
          // A node in reserve is there, without the image.
          ...(pool.overprovision === undefined ? [rangeOf('node', NEW_NODE)] : []),
          rangeOf('image', IMAGE_PULL),
        ]
      : [],
    engine: [bounded('weights', ...weightMinutesOf({ sizeGiB, downloadGiB, budget })), load],
    budget,
  };
}

interface WeightsToRead {
  readonly sizeGiB: number | undefined;
  readonly downloadGiB: number | undefined;
  readonly budget: number;
}

/** The least and the most minutes until weights are read. Those without a cache are downloaded before they are read. */
function weightMinutesOf({ sizeGiB, downloadGiB, budget }: WeightsToRead): [least: number, most: number] {
  if (sizeGiB !== undefined) return [readMinutesOf(sizeGiB, 'most'), readMinutesOf(sizeGiB, 'least')];
  if (downloadGiB !== undefined) return [readMinutesOf(downloadGiB, 'most'), readMinutesOf(2 * downloadGiB, 'least')];
  // Weights of an unknown size come from anywhere, at any speed.
  return [1, budget];
}

/** The most minutes until a further copy serves, with a new node where its pool scales. */
export function longestStartOf({ node, budget }: CopyStart): number {
  return budget + node.reduce((sum, { most }) => sum + most, 0);
}

/** The most minutes until a further copy of each engine of a replica serves. */
export function longestReplicaStartOf({ engines, caches }: Pick<ComputedReplica, 'engines' | 'caches'>): number {
  return Math.max(...engines.map(({ engine, pool }) => longestStartOf(copyStartOf(engine, pool, caches))));
}

function rangeOf(what: StartRange['what'], { least, most }: StartTime): StartRange {
  return { what, least, most };
}

/** Whether an autoscaler adds nodes to a pool. */
function canGrow({ minNodeCount = 0, maxNodeCount = 0 }: Pick<NodePool, 'minNodeCount' | 'maxNodeCount'>) {
  return minNodeCount < maxNodeCount;
}

function readMinutesOf(sizeGiB: number, speed: keyof typeof READ_MIB_PER_SECOND): number {
  return Math.max(1, Math.ceil((sizeGiB * 1024) / READ_MIB_PER_SECOND[speed] / 60));
}
