import { readFileSync } from 'node:fs';
import type { Attention, ModelRow } from '../../src/catalog/models/model-row';
import { MODELS } from '../../src/catalog/models/models';
import { DEFAULT_ENGINE, type EngineVersion, parseVersion } from '../../src/sizing/engine-version';
import { findGpuFigures } from '../../src/catalog/gpu-names';
import { createTensorLayout } from '../../src/sizing/layout-rules';
import type { SizedGpu } from '../../src/sizing/overhead';
import { KV_DTYPES } from '../../src/sizing/quantization';
import type { ServingOptions } from '../../src/sizing/serving-options';
import type { Layout } from '../../src/sizing/weights';

/** A run whose engine logged its memory. */
export interface LoggedRun {
  readonly id: string;
  readonly model: string;
  readonly config?: Attention & { readonly layers: number; readonly linearLayers?: number };
  readonly gpu: string;
  readonly gpuMemoryGiB: number;
  readonly tp: number;
  readonly pp: number;
  readonly dp: number;
  readonly engineVersion: string | null;
  readonly kvDtype: string;
  readonly flags: {
    readonly 'gpu-memory-utilization'?: number;
    readonly 'max-model-len'?: number;
    readonly 'max-num-batched-tokens'?: number;
  };
  readonly reported: {
    readonly weightsGiBPerGpu?: number | null;
    readonly availableKvGiBPerGpu?: number | null;
    readonly kvTokens?: number | null;
    readonly concurrency?: { readonly tokens: number; readonly times: number } | null;
    readonly outcome: 'serves' | 'refused' | 'loads';
  };
}

/** A layout that a public benchmark serves. */
export interface ServedLayouts {
  readonly id: string;
  readonly model: string;
  readonly gpu: string;
  readonly engine: string;
  readonly layouts: readonly { readonly tp: number; readonly ep: number }[];
  readonly isolOsl: readonly (readonly [number, number])[];
}

const file = JSON.parse(readFileSync('test/truth/sizing-cases.json', 'utf8')) as {
  memory: LoggedRun[];
  feasible: ServedLayouts[];
};

export const RUNS: readonly LoggedRun[] = file.memory;
export const SERVED: readonly ServedLayouts[] = file.feasible;

const BY_NAME = new Map(MODELS.map((row) => [row.repository, row]));

/** The row of a model of the table. Undefined if the catalog does not have it. */
export function modelOf(repository: string): ModelRow | undefined {
  return BY_NAME.get(repository);
}

/** The GPU of a row, with the memory that the run logged. */
export function gpuOf(name: string, memoryGiB?: number): SizedGpu {
  const figures = findGpuFigures(name);
  if (!figures) throw new Error(`no GPU ${name}`);
  return { ...figures, ...(memoryGiB !== undefined && { memoryGiB }) };
}

/** Releases of vLLM, by the day before which a dated build is older. */
const RELEASES = [
  ['2025-06', [0, 7]],
  ['2025-12', [0, 10]],
  ['2026-06', [0, 20]],
  ['2027', [0, 24]],
] as const;

/** The engine of a run: some state a date instead of a version. */
export function engineOf({ engineVersion }: LoggedRun): EngineVersion {
  const version = parseVersion(engineVersion ?? '');
  if (version) return { name: 'vllm', version };
  const release = RELEASES.find(([day]) => engineVersion !== null && engineVersion < day);
  return release ? { name: 'vllm', version: release[1] } : DEFAULT_ENGINE;
}

export function layoutOf(model: ModelRow, { tp, pp, dp }: LoggedRun): Layout {
  return { ...createTensorLayout(model, tp), pp, dp };
}

export function optionsOf(run: LoggedRun): ServingOptions {
  const context = run.flags['max-model-len'] ?? modelOf(run.model)?.positions ?? 8192;
  return {
    engine: engineOf(run),
    context,
    concurrency: 1,
    kvBytes: KV_DTYPES[run.kvDtype] ?? 2,
    utilization: run.flags['gpu-memory-utilization'],
    maxBatchedTokens: run.flags['max-num-batched-tokens'],
  };
}
