import { compareText } from '../base/order';
import type { MeasuredRow } from '../catalog/models/measured-row';
import type { ModelRow } from '../catalog/models/model-row';
import { type Bounds, type Load, type MeasuredRate, measuredRateOf, replicasOfLoad } from './carried-load';
import type { GpuWithFigures } from './find-gpu';
import { fitLayout, type LayoutFit, planCache } from './layout-memory';
import { listGangLayouts, listNodeLayouts } from './layout-rules';
import { computeLongestRequest } from './kv-cache';
import { isMeasurementOf, type MeasuredSpeed, measuredSpeedOf, type MeasuredSubject } from './measured-speed';
import { boundSpeed, type SpeedBounds } from './roofline';
import type { ServingOptions } from './serving-options';
import { GIB, gpusOf, type Layout, weightsOf } from './weights';

/** Nodes of one kind. */
export interface SizedHardware {
  /** The class, the instance type, or the GPU. */
  readonly hardware: string;

  /** Its clusters, where others with the same hardware have another price. Absent: all that have it. */
  readonly clusters?: readonly string[];
  readonly gpu: GpuWithFigures;
  readonly gpusPerNode: number;

  /** The most nodes of a replica. */
  readonly nodes: number;

  /** Whether a replica takes all GPUs of its nodes, because the driver allocates no part of a node. Default: false. */
  readonly wholeNodes?: boolean;

  /** The price of a node an hour. Null: unknown. */
  readonly pricePerHour: number | null;

  /** The region whose price it is. Absent: its own. */
  readonly pricedAs?: string;

  /** The further replicas of a layout that have a guaranteed place in the pools. Absent: there are no pools. */
  readonly roomFor?: (layout: Layout) => number;
}

/** A layout on some hardware, whether it serves the model, and at what price. */
export interface FitRow extends LayoutFit {
  readonly hardware: string;

  /** Its clusters, where others with the same hardware have another price. Absent: all that have it. */
  readonly clusters?: readonly string[];
  readonly gpu: string;
  readonly gpuMemoryGiB: number;
  readonly layout: Layout;

  /** The tokens of the longest request that fits alone for certain, at most the positions of the model. Null: not known. */
  readonly maxContext: number | null;

  /** The price of the GPUs that it takes, as a share of their nodes. Null: unknown. */
  readonly pricePerHour: number | null;

  /** The region whose price it is, where that of its own is not known. Absent: its own. */
  readonly pricedAs?: string;

  /** The same for each request that is expected to fit at once. Null: unknown. */
  readonly pricePerConcurrentRequest: number | null;

  /** The further replicas of this layout that have a guaranteed place in the fleet. Absent without a fleet. */
  readonly free?: number;

  /** Bounds that no run exceeds. Null where the figures of the GPU are not known. */
  readonly bounds: SpeedBounds | null;

  /** What measurements of this model, GPU and layout say. Absent without any. */
  readonly measured?: MeasuredSpeed;

  /** The requests at once that were measured, where the wanted number is not between them. */
  readonly measuredAt?: Bounds;

  /** What carries each of the loads, in their order. Null: not measured. Absent without loads. */
  readonly loads?: readonly (CarriedLoad | null)[];
}

/** The replicas of a layout that carry a load, and what one of them carries. */
export interface CarriedLoad extends MeasuredRate {
  readonly replicas: Bounds;
}

/** What is asked. */
export interface FitQuestion {
  readonly model: ModelRow;
  readonly options: ServingOptions;
  readonly measurements: readonly MeasuredRow[];

  /** Loads that replicas are to carry. Default: none. */
  readonly loads?: readonly Load[];
}

/** Every layout of a model on some hardware: those that serve it first, cheapest first. */
export function fitModel(question: FitQuestion, hardware: readonly SizedHardware[]): FitRow[] {
  return hardware.flatMap((one) => fitHardware(question, one)).sort(compareRows);
}

/** Layouts on one node. Where none serves the model, the smallest gang that does is added. */
function fitHardware(question: FitQuestion, hardware: SizedHardware): FitRow[] {
  const onNode = listNodeLayouts(question.model, hardware).map((layout) => fitRow(question, hardware, layout));
  if (onNode.some(({ verdict }) => verdict !== 'no')) return onNode;
  for (const layout of listGangLayouts(question.model, hardware)) {
    const row = fitRow(question, hardware, layout);
    if (row.verdict !== 'no') return [...onNode, row];
  }
  return onNode;
}

/** One layout on some hardware. */
export function fitRow(question: FitQuestion, hardware: SizedHardware, layout: Layout): FitRow {
  const { model, options, measurements, loads } = question;
  const { gpu, gpusPerNode, roomFor } = hardware;
  const fit = fitLayout(model, gpu, layout, options);
  const weights = weightsOf(model, options.quantization);
  const cache = planCache(model, gpu, layout, options);
  const share = gpusOf(layout) / gpusPerNode;
  const pricePerHour = hardware.pricePerHour === null ? null : hardware.pricePerHour * share;
  const held = fit.verdict === 'no' ? 0 : Math.floor(fit.concurrency?.expected ?? 0);
  const subject = { model, gpu: gpu.name, layout, engine: options.engine.name };
  const measured = measuredSpeedOf(measurements, subject, options);
  return {
    hardware: hardware.hardware,
    ...(hardware.clusters && { clusters: hardware.clusters }),
    gpu: gpu.name,
    gpuMemoryGiB: gpu.memoryGiB,
    layout,
    ...fit,
    maxContext:
      typeof cache === 'string'
        ? null
        : computeLongestRequest(cache, Math.max(0, fit.kvGiBPerGpu.low) * GIB, model.positions),
    pricePerHour,
    ...(hardware.pricedAs !== undefined && { pricedAs: hardware.pricedAs }),
    pricePerConcurrentRequest: pricePerHour !== null && held > 0 ? pricePerHour / held : null,
    ...(roomFor && { free: roomFor(layout) }),
    bounds: (weights && boundSpeed({ model, gpu, weights, cache }, layout, options)) ?? null,
    ...(measured ? { measured } : findMeasuredAt(measurements, subject)),
    ...(loads && { loads: loads.map((load) => carryLoad(load, subject, question)) }),
  };
}

function findMeasuredAt(measurements: readonly MeasuredRow[], subject: MeasuredSubject): Pick<FitRow, 'measuredAt'> {
  const counts = measurements.filter((row) => isMeasurementOf(row, subject)).map(({ concurrency }) => concurrency);
  return counts.length > 0 ? { measuredAt: { low: Math.min(...counts), high: Math.max(...counts) } } : {};
}

function carryLoad(load: Load, subject: MeasuredSubject, { measurements, options }: FitQuestion): CarriedLoad | null {
  const rate = measuredRateOf(measurements, subject, load, options.concurrency);
  return rate ? { ...rate, replicas: replicasOfLoad(load, rate) } : null;
}

const VERDICT_ORDER = { fits: 0, tight: 1, no: 2 };

/** Layouts that fit first, then by price, size and name. */
export function compareRows(a: FitRow, b: FitRow): number {
  return (
    VERDICT_ORDER[a.verdict] - VERDICT_ORDER[b.verdict] ||
    comparePrices(a.pricePerHour, b.pricePerHour) ||
    gpusOf(a.layout) - gpusOf(b.layout) ||
    compareText(a.hardware, b.hardware) ||
    a.layout.dp - b.layout.dp
  );
}

/** Unknown prices come last. */
function comparePrices(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}
