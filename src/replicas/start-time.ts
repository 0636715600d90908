import type { Engine } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import type { NodePool } from '../api/node-pool';
import { ENGINE_LOAD, IMAGE_PULL, NEW_NODE, READ_MIB_PER_SECOND, type StartTime } from '../catalog/start-times';
import { servedRepositoryOf } from '../engine/model-setup';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import { startupSecondsOf } from '../engine/startup-and-shutdown';
import { findModel, type ModelBook } from '../fleet/models/model-book';
import { weightsOf } from '../sizing/weights';
import { modelCacheOf, modelSizeOf, type MountedCache } from './mounted-caches';
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

type ScalingPool = Pick<NodePool, 'minNodeCount' | 'maxNodeCount' | 'overprovision'>;

/**
 * Computes how long a further copy takes from the request for it to the first response.
 *
 * @param weightsGiB the size of its weights. Default: that of the volume of its cache, or not known
 */
export function copyStartOf(
  engine: Engine,
  pool: ScalingPool,
  caches: readonly MountedCache[],
  weightsGiB?: number,
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
    engine: [bounded('weights', ...weightMinutesOf({ sizeGiB, weightsGiB, budget })), load],
    budget,
  };
}

interface WeightsToRead {
  /** The size of the volume of a cache. */
  readonly sizeGiB: number | undefined;
  readonly weightsGiB: number | undefined;
  readonly budget: number;
}

/** The least and the most minutes until weights are read. Those without a cache are downloaded before they are read. */
function weightMinutesOf({ sizeGiB, weightsGiB = sizeGiB, budget }: WeightsToRead): [least: number, most: number] {
  // Weights of an unknown size come from anywhere, at any speed.
  if (weightsGiB === undefined) return [1, budget];
  const times = sizeGiB === undefined ? 2 : 1;
  return [readMinutesOf(weightsGiB, 'most'), readMinutesOf(times * weightsGiB, 'least')];
}

/** The most minutes until a further copy serves, with a new node where its pool scales. */
export function longestStartOf({ node, budget }: CopyStart): number {
  return budget + sumOf(node, 'most');
}

/** The most minutes until a further copy of each engine of a replica serves. */
export function longestReplicaStartOf({ engines, caches }: Omit<StartingReplica, 'deployment'>): number {
  return Math.max(...engines.map(({ engine, pool }) => longestStartOf(copyStartOf(engine, pool, caches))));
}

/** How long a replica takes from the start of its pods to its first response, in minutes: its slowest engine. */
export interface ReplicaStart {
  /** Absent: the size of weights is not known, which an engine downloads. */
  readonly least?: number;
  readonly most: number;

  /** The startup budget: an engine that has not loaded by then is restarted. */
  readonly budget: number;
}

/** Where the pods of a replica start: on the nodes where it ran, with or without their image, or on others. */
export type StartPlace = 'same-nodes' | 'same-nodes-new-image' | 'other-nodes';

/** A replica, and the pool that each of its engines starts on. */
interface StartingReplica extends Pick<ComputedReplica, 'deployment' | 'caches'> {
  readonly engines: readonly { readonly engine: Engine; readonly pool: ScalingPool }[];
}

/** Computes how long a replica takes to serve. */
export function replicaStartOf(
  { deployment, engines, caches }: StartingReplica,
  place: StartPlace,
  models: ModelBook,
): ReplicaStart {
  const starts = engines.map(({ engine, pool }) => {
    const weightsGiB = weightsSizeOf(deployment, engine, caches, models);
    const start = copyStartOf(engine, pool, caches, weightsGiB);
    const { budget } = start;
    const nodes = NODE_PARTS[place](start);
    const total = (end: 'least' | 'most'): number => Math.min(sumOf(start.engine, end), budget) + sumOf(nodes, end);
    const isSizeKnown = (weightsGiB ?? modelSizeOf(caches)) !== undefined;
    return { least: isSizeKnown ? total('least') : undefined, most: total('most'), budget };
  });
  const least = starts.flatMap((one) => one.least ?? []);
  return {
    ...(least.length === starts.length && { least: Math.max(...least) }),
    most: Math.max(...starts.map(({ most }) => most)),
    budget: Math.max(...starts.map(({ budget }) => budget)),
  };
}

/** What the nodes add, by where pods start. Other nodes may be there already, with the image. */
const NODE_PARTS: Readonly<Record<StartPlace, (start: CopyStart) => readonly StartRange[]>> = {
  'same-nodes': () => [],
  'same-nodes-new-image': () => [rangeOf('image', IMAGE_PULL)],
  'other-nodes': ({ node }) =>
    (node.length > 0 ? node : [rangeOf('image', IMAGE_PULL)]).map((part) => ({ ...part, least: 0 })),
};

/** The least or the most minutes of parts that follow each other. */
export function sumOf(parts: readonly StartRange[], end: 'least' | 'most'): number {
  return parts.reduce((total, part) => total + part[end], 0);
}

/** The size in GiB of the weights that an engine names or loads from a cache, if its model is known. */
export function weightsSizeOf(
  deployment: ModelDeployment,
  engine: Engine,
  caches: readonly MountedCache[],
  models: ModelBook,
): number | undefined {
  const named = servedRepositoryOf(containerSettingsOf(deployment, engine), undefined);
  const repository = named ?? modelCacheOf(caches)?.repository;
  const model = repository === undefined ? undefined : findModel(repository, models);
  return model && weightsOf(model)?.totalGiB;
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
