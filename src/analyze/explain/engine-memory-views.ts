import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { groupBy, sortUnique } from '../../base/order';
import type { GibRange } from '../../catalog/engine-overheads';
import type { PlacedFleet } from '../../plan/decision';
import { memoryBookOf, type EngineMemory, type MemoryBook } from '../../plan/engine-memory';
import { type DeploymentLayout, listDeploymentLayouts } from '../../plan/model-layouts';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import { poolOf } from '../../scheduler/placement';
import { fitServed, usableGiBOf } from '../../sizing/check-serving';
import { formatLayout } from '../../sizing/layout-rules';

/** How an engine divides the memory of a GPU, as sizing expects it. */
export interface EngineMemoryView {
  /** The pools whose GPUs are of this kind, as `cluster/pool`. */
  readonly pools: readonly string[];
  readonly model: string;
  readonly gpu: string;
  readonly gpuMemoryGiB: number;

  /** How the model is divided: `TP 4`. */
  readonly layout: string;
  readonly weightsGiB: number;

  /** In addition to weights and KV cache: activations, CUDA graphs, NCCL. */
  readonly overheadGiB: GibRange;
  readonly kvGiB: GibRange;

  /** What the engine leaves. */
  readonly freeGiB: number;

  /** All GPUs of the engine together. Null where no formula is known, and for engines without a KV cache. */
  readonly kvTokens: GibRange | null;

  /** The longest request, and how many of them fit at once. */
  readonly context: number;
  readonly concurrency: GibRange | null;
}

/** The memory of a GPU of each engine of a deployment by engine, on each kind of GPU that its replicas are placed on. */
export function describeEngineMemory(
  { fleet, model, matcher, schedule }: Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'schedule'>,
  id: string,
): ReadonlyMap<string, readonly EngineMemoryView[]> {
  const all = listDeploymentLayouts(fleet, model, schedule.placements);
  const layouts = all.filter(({ deployment }) => qualifiedNameOf(deployment) === id);
  const book = memoryBookOf(fleet, matcher);
  const names = sortUnique(
    layouts.flatMap(({ deployment }) => deployment.spec.template.spec.engines.map(({ name }) => name)),
  );
  return new Map(
    names.map((name) => {
      const found = layouts.flatMap((layout) => findMemory(name, layout, model.clusters, book));
      const views = [...groupBy(found, ({ memory }) => memory)].flatMap(([memory, all]) =>
        toView(memory, sortUnique(all.map(({ pool }) => pool))),
      );
      return [name, views];
    }),
  );
}

/** The models of engines of a deployment that the model catalog lacks, by engine: their memory is not checked. */
export function findUnknownModels(
  { fleet, matcher }: Pick<PlacedFleet, 'fleet' | 'matcher'>,
  deployment: ModelDeployment,
): ReadonlyMap<string, string> {
  const book = memoryBookOf(fleet, matcher);
  const found = deployment.spec.template.spec.engines.flatMap((engine): [string, string][] => {
    const setup = book.setupOf({ deployment, engine, demand: undefined });
    return setup && !book.rowOf(setup) ? [[engine.name, setup.repository]] : [];
  });
  return new Map(found);
}

type Found = { readonly memory: EngineMemory; readonly pool: string };

/** The memory of an engine where replicas of a layout are placed. */
function findMemory(
  name: string,
  { deployment, demands, placements }: DeploymentLayout,
  clusters: CompiledFleet['clusters'],
  book: MemoryBook,
): Found[] {
  const engine = deployment.spec.template.spec.engines.find((one) => one.name === name);
  const demand = demands.find((one) => one.name === name);
  return placements.flatMap((placement) => {
    const cluster = clusters.find((one) => one.name === placement.cluster);
    const pool = cluster && poolOf(cluster, placement, name);
    if (!engine || !pool || placement.draining) return [];
    const place = `${placement.cluster}/${pool.name}`;
    return book.memoryOn({ deployment, engine, demand }, pool.node).map((memory) => ({ memory, pool: place }));
  });
}

function toView({ setup, served }: EngineMemory, pools: readonly string[]): EngineMemoryView[] {
  const { model, gpu, layout } = served;
  const context = setup.context === 'Fitting' ? model.positions : served.options.context;
  const fit = fitServed({ ...served, options: { ...served.options, context } });
  if (fit.weightsGiBPerGpu === null) return [];
  return [
    {
      pools,
      model: model.repository,
      gpu: gpu.name,
      gpuMemoryGiB: gpu.memoryGiB,
      layout: formatLayout(layout),
      weightsGiB: fit.weightsGiBPerGpu,
      overheadGiB: fit.overheadGiBPerGpu,
      kvGiB: fit.kvGiBPerGpu,
      freeGiB: gpu.memoryGiB - usableGiBOf(served),
      kvTokens: fit.kvTokens,
      context,
      concurrency: fit.concurrency,
    },
  ];
}
