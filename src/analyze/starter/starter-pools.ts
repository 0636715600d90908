import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { compareText, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import { cloudOf } from '../../fleet/hardware/cloud-instance-types';
import { BUILT_IN_HARDWARE } from '../../fleet/hardware/hardware';
import { DEFAULT_ENGINE } from '../../sizing/engine-version';
import { type FitRow, fitModel, type SizedHardware } from '../../sizing/fit-model';
import { gpusOf, type Layout } from '../../sizing/weights';
import { listCatalogueHardware, createGpuHardware, MOST_NODES } from '../fit/catalogue-hardware';
import type { WantedGpu } from './starter-answers';
import { STARTER_CLOUD_NAMES, STARTER_CLOUDS, type StarterCloud } from './starter-clouds';

/** The nodes of a cloud with one kind of GPU, and how the model is divided over them. */
export interface StarterPool {
  readonly cloud: StarterCloud;
  readonly gpu: string;

  /** The instance type. The name of the GPU where the hardware is declared. */
  readonly hardware: string;
  readonly layout: Layout;

  /** The GPUs of its nodes. */
  readonly gpus: number;

  /** The price of its nodes an hour. Null: unknown. */
  readonly price: number | null;
}

/** The tokens of a request that a new deployment must hold. */
const CONTEXT = 8192;

/** The tokens of a request of a model. */
export function contextOf({ positions }: ModelRow): number {
  return Math.min(CONTEXT, positions);
}

/** The GPUs that a cloud of new fleets has, sorted. */
export function gpusOfCloud(cloud: StarterCloud): string[] {
  return sortUnique(hardwareOf(cloud).map(({ gpu }) => gpu.name));
}

/** The best nodes of a cloud for a model: one entry for each GPU that certainly serves it. */
function findStarterPools(model: ModelRow, cloud: StarterCloud): StarterPool[] {
  const nodes = hardwareOf(cloud);
  const options = { engine: DEFAULT_ENGINE, context: contextOf(model), concurrency: 1, kvBytes: 2 };
  const perNode = new Map(nodes.map((one) => [one.hardware, one]));
  const rows = fitModel({ model, options, measurements: [] }, nodes)
    .filter(({ verdict, layout }) => verdict === 'fits' && layout.dp === 1)
    .map((row) => ({ row, pool: poolOf(row, cloud, perNode.get(row.hardware)) }))
    .sort((a, b) => comparePools(a.pool, b.pool));
  return sortUnique(rows.map(({ pool }) => pool.gpu)).flatMap((gpu) => {
    const best = rows.find(({ pool }) => pool.gpu === gpu);
    return best ? [best.pool] : [];
  });
}

/** The nodes of a cloud whose GPUs run the images of a new fleet, which are built for CUDA. */
function hardwareOf(cloud: StarterCloud): SizedHardware[] {
  return nodesOf(cloud).filter(({ gpu }) => gpu.platform === 'cuda');
}

function nodesOf(cloud: StarterCloud): SizedHardware[] {
  const { provider } = STARTER_CLOUDS[cloud];
  const { catalogue } = BUILT_IN_HARDWARE;
  if (provider === undefined) {
    const sized = [...catalogue.gpus.keys()].flatMap((name) => createGpuHardware(name, undefined, catalogue) ?? []);
    return sized.map((one) => ({ ...one, nodes: MOST_NODES }));
  }
  return listCatalogueHardware(BUILT_IN_HARDWARE).filter(({ hardware }) => {
    const type = catalogue.instanceTypes.get(hardware);
    return type !== undefined && cloudOf(type)?.provider === provider;
  });
}

function poolOf({ gpu, hardware, layout }: FitRow, cloud: StarterCloud, node: SizedHardware | undefined): StarterPool {
  const perHour = node?.pricePerHour ?? null;
  const price = perHour === null ? null : perHour * layout.nodes;
  return { cloud, gpu, hardware, layout, gpus: (node?.gpusPerNode ?? layout.tp) * layout.nodes, price };
}

/** Known prices first, because a type without one often cannot be had on demand; then few GPUs, then low prices. */
function comparePools(a: StarterPool, b: StarterPool): number {
  return (
    Number(a.price === null) - Number(b.price === null) ||
    a.gpus - b.gpus ||
    compareNumbers(a.price ?? Infinity, b.price ?? Infinity) ||
    gpusOf(a.layout) - gpusOf(b.layout) ||
    compareText(a.hardware, b.hardware)
  );
}

/** Infinite numbers are equal. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The GPU that serves a model on every cloud at the lowest price. Where none does: the best one of each cloud. */
export function suggestGpus(model: ModelRow, clouds: readonly StarterCloud[]): string[] {
  const pools = clouds.flatMap((cloud) => findStarterPools(model, cloud));
  const ranked = sortUnique(pools.map(({ gpu }) => gpu))
    .map((gpu) => rankGpu(gpu, pools))
    .sort((a, b) => compareNumbers(a.price, b.price) || a.gpus - b.gpus || a.gib - b.gib);
  const everywhere = ranked.find(({ count }) => count === clouds.length);
  if (everywhere) return [everywhere.gpu];
  return clouds.length > 1 ? sortUnique(clouds.flatMap((cloud) => suggestGpus(model, [cloud]))) : [];
}

/** What the pools of a GPU cost and take together. Clusters that exist are paid already. */
function rankGpu(gpu: string, pools: readonly StarterPool[]) {
  const own = pools.filter((pool) => pool.gpu === gpu);
  const price = own.reduce((sum, pool) => sum + (pool.price ?? (pool.cloud === 'existing' ? 0 : Infinity)), 0);
  const gpus = own.reduce((sum, pool) => sum + gpusOf(pool.layout), 0);
  const gib = createGpuHardware(gpu, undefined, BUILT_IN_HARDWARE.catalogue)?.gpu.memoryGiB ?? 0;
  return { gpu, count: own.length, price, gpus, gib };
}

/**
 * The pools of a new fleet, by cloud, then by GPU.
 *
 * @throws FleetwrightError when a GPU serves the model on none of its clouds, or a cloud offers none of its GPUs
 */
export function chooseStarterPools(
  model: ModelRow,
  clouds: readonly StarterCloud[],
  wanted: readonly WantedGpu[],
): StarterPool[] {
  const known = STARTER_CLOUD_NAMES.filter((name) => clouds.includes(name)).map((cloud) => ({
    cloud,
    pools: findStarterPools(model, cloud),
  }));
  const isServed = ({ gpu, clouds: own }: WantedGpu): boolean =>
    known.some(({ cloud, pools }) => own.includes(cloud) && pools.some((pool) => pool.gpu === gpu));
  const noNodes = (gpus: readonly string[], on: readonly string[]): string =>
    `no nodes with ${joinNames(gpus)} on ${joinNames(on)} serve ${model.repository}`;
  const problems = [
    ...wanted.filter((one) => !isServed(one)).map((one) => noNodes([one.gpu], one.clouds)),
    ...known.flatMap(({ cloud, pools }) => {
      const own = gpusOn(cloud, wanted.filter(isServed));
      return own.length > 0 && !pools.some(({ gpu }) => own.includes(gpu)) ? [noNodes(own, [cloud])] : [];
    }),
  ];
  if (problems.length > 0) {
    const hint = describeChoices(known);
    throw new FleetwrightError(problems.map((what) => errorAt('unknown-hardware', '--gpus', what, hint)));
  }
  return known.flatMap(({ cloud, pools }) => pools.filter(({ gpu }) => gpusOn(cloud, wanted).includes(gpu)));
}

function gpusOn(cloud: StarterCloud, wanted: readonly WantedGpu[]): string[] {
  return wanted.filter(({ clouds }) => clouds.includes(cloud)).map(({ gpu }) => gpu);
}

function describeChoices(known: readonly { readonly cloud: string; readonly pools: readonly StarterPool[] }[]): string {
  const choices = known.map(({ cloud, pools }) => {
    const names = joinNames(
      pools.map(({ gpu }) => gpu),
      pools.length,
    );
    return `${cloud}: ${names === '' ? 'none' : names}`;
  });
  return `GPUs that do: ${choices.join('; ')}`;
}
