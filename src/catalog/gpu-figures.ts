import type { SourcedRow } from './row-types';

/** The software that engines compute with, whose needs of memory the table of overheads has. */
export type SizedPlatform = 'cuda' | 'rocm' | 'tpu';

/** What sizing needs to know of a GPU in addition to what its driver publishes. */
export interface GpuFigures extends SourcedRow {
  /** The name of a GPU of the catalog, or a name for one that the catalog does not have. */
  readonly name: string;

  /** Other names that people use: `A100-80`. Case and separators do not matter. */
  readonly aliases?: readonly string[];
  readonly platform: SizedPlatform;

  /** What CUDA, HIP or XLA reports as total, in GiB. It is less than what the driver publishes. */
  readonly memoryGiB: number;

  /** Bandwidth of the memory in TB/s. */
  readonly bandwidthTBs?: number;

  /** Dense compute in TFLOPS, by the format of the numbers. */
  readonly tflops?: { readonly bf16: number; readonly fp8?: number; readonly fp4?: number };
}

const AICONFIGURATOR = {
  source: 'ai-dynamo/aiconfigurator at 095f58a, systems; totals from vLLM logs',
  asOf: '2026-11-22',
};
const SHEET = { source: "vendor's data sheet", asOf: '2026-11-22', secondHand: ['bandwidthTBs', 'tflops'] };
const TPU = {
  source: 'docs.cloud.google.com/tpu, pages on v5e and v6e; totals from public logs of XLA',
  asOf: '2026-11-24',
};
const FIGURES = ['memoryGiB', 'bandwidthTBs', 'tflops'];

/** GPUs by name. GPUs that are not here have 0.6 GiB less than their driver publishes. */
export const GPU_FIGURES: readonly GpuFigures[] = [
  { ...SHEET, name: 't4', platform: 'cuda', memoryGiB: 14.56, bandwidthTBs: 0.32, tflops: { bf16: 65 } },
  {
    ...SHEET,
    name: 'a10',
    platform: 'cuda',
    memoryGiB: 22.06,
    bandwidthTBs: 0.6,
    tflops: { bf16: 125 },
    secondHand: FIGURES,
  },
  {
    ...SHEET,
    name: 'a10g',
    platform: 'cuda',
    memoryGiB: 22.06,
    bandwidthTBs: 0.6,
    tflops: { bf16: 70 },
    secondHand: FIGURES,
  },
  {
    ...AICONFIGURATOR,
    name: 'l4',
    platform: 'cuda',
    memoryGiB: 22,
    bandwidthTBs: 0.3,
    tflops: { bf16: 121, fp8: 242 },
    secondHand: ['memoryGiB'],
  },
  {
    ...AICONFIGURATOR,
    name: 'l40s',
    platform: 'cuda',
    memoryGiB: 44.4,
    bandwidthTBs: 0.864,
    tflops: { bf16: 362, fp8: 733 },
    secondHand: ['memoryGiB'],
  },
  {
    ...SHEET,
    name: 'a100-40gb',
    aliases: ['A100-40', 'A100-SXM4-40GB'],
    platform: 'cuda',
    memoryGiB: 39.4,
    bandwidthTBs: 1.555,
    tflops: { bf16: 312 },
  },
  {
    ...AICONFIGURATOR,
    name: 'a100-80gb',
    aliases: ['A100', 'A100-80', 'A100-SXM4-80GB'],
    platform: 'cuda',
    memoryGiB: 79.15,
    bandwidthTBs: 2.039,
    tflops: { bf16: 312 },
  },
  {
    ...SHEET,
    name: 'a100-40gb-pcie',
    aliases: ['A100-PCIE-40GB'],
    platform: 'cuda',
    memoryGiB: 39.4,
    bandwidthTBs: 1.555,
    tflops: { bf16: 312 },
    secondHand: FIGURES,
  },
  {
    ...SHEET,
    name: 'a100-80gb-pcie',
    aliases: ['A100-PCIE-80GB', 'A100 80GB PCIe'],
    platform: 'cuda',
    memoryGiB: 79.15,
    bandwidthTBs: 1.935,
    tflops: { bf16: 312 },
    secondHand: FIGURES,
  },
  { ...SHEET, name: 'rtx-3090', platform: 'cuda', memoryGiB: 23.58, bandwidthTBs: 0.936, tflops: { bf16: 71 } },
  {
    ...SHEET,
    name: 'rtx-5090',
    platform: 'cuda',
    memoryGiB: 31.36,
    bandwidthTBs: 1.792,
    tflops: { bf16: 209, fp8: 419 },
  },
  {
    ...SHEET,
    name: 'rtx-a6000',
    aliases: ['A6000'],
    platform: 'cuda',
    memoryGiB: 47.4,
    bandwidthTBs: 0.768,
    tflops: { bf16: 155 },
  },
  {
    ...AICONFIGURATOR,
    name: 'h100',
    aliases: ['H100-SXM', 'H100-80GB', 'H100 80GB HBM3'],
    platform: 'cuda',
    memoryGiB: 79.18,
    bandwidthTBs: 3.35,
    tflops: { bf16: 989, fp8: 1978 },
  },
  {
    ...AICONFIGURATOR,
    name: 'h100-pcie',
    aliases: ['H100 PCIe 80GB'],
    platform: 'cuda',
    memoryGiB: 79.18,
    bandwidthTBs: 2,
    tflops: { bf16: 756, fp8: 1513 },
    secondHand: ['memoryGiB'],
  },
  {
    ...SHEET,
    name: 'h100-nvl',
    platform: 'cuda',
    memoryGiB: 93.1,
    bandwidthTBs: 3.9,
    tflops: { bf16: 835, fp8: 1671 },
  },
  {
    ...AICONFIGURATOR,
    name: 'h200',
    platform: 'cuda',
    memoryGiB: 139.81,
    bandwidthTBs: 4.8,
    tflops: { bf16: 989, fp8: 1978 },
    secondHand: ['memoryGiB'],
  },
  {
    ...AICONFIGURATOR,
    name: 'rtx-pro-6000',
    aliases: ['RTX6000PRO', 'RTXPRO6000'],
    platform: 'cuda',
    memoryGiB: 95,
    bandwidthTBs: 1.792,
    tflops: { bf16: 468, fp8: 936, fp4: 1871 },
    secondHand: ['memoryGiB'],
  },
  {
    ...AICONFIGURATOR,
    name: 'b200',
    platform: 'cuda',
    memoryGiB: 178.36,
    bandwidthTBs: 7.7,
    tflops: { bf16: 2250, fp8: 4500, fp4: 9000 },
  },
  {
    ...AICONFIGURATOR,
    name: 'b300',
    platform: 'cuda',
    memoryGiB: 267.8,
    bandwidthTBs: 7.75,
    tflops: { bf16: 2250, fp8: 4500, fp4: 14_000 },
    secondHand: ['memoryGiB'],
  },
  {
    ...AICONFIGURATOR,
    name: 'gb200',
    platform: 'cuda',
    memoryGiB: 184.3,
    bandwidthTBs: 8,
    tflops: { bf16: 2500, fp8: 5000, fp4: 10_000 },
    secondHand: ['memoryGiB'],
  },
  {
    ...AICONFIGURATOR,
    name: 'gb300',
    platform: 'cuda',
    memoryGiB: 276.7,
    bandwidthTBs: 8,
    tflops: { bf16: 2500, fp8: 5000, fp4: 15_000 },
    secondHand: ['memoryGiB'],
  },
  {
    ...SHEET,
    name: 'mi300x',
    platform: 'rocm',
    memoryGiB: 191.98,
    bandwidthTBs: 5.3,
    tflops: { bf16: 1307, fp8: 2615 },
    secondHand: FIGURES,
  },
  {
    ...SHEET,
    name: 'mi325x',
    platform: 'rocm',
    memoryGiB: 255.98,
    bandwidthTBs: 6,
    tflops: { bf16: 1307, fp8: 2615 },
    secondHand: FIGURES,
  },
  {
    ...SHEET,
    name: 'mi355x',
    platform: 'rocm',
    memoryGiB: 287.98,
    bandwidthTBs: 8,
    tflops: { bf16: 2517, fp8: 5033, fp4: 10_066 },
    secondHand: FIGURES,
  },
  {
    ...TPU,
    name: 'tpu-v5e',
    aliases: ['v5e', 'v5litepod'],
    platform: 'tpu',
    memoryGiB: 15.75,
    bandwidthTBs: 0.819,
    tflops: { bf16: 197 },
  },
  {
    ...TPU,
    name: 'tpu-v6e',
    aliases: ['v6e', 'Trillium'],
    platform: 'tpu',
    memoryGiB: 31.25,
    bandwidthTBs: 1.638,
    tflops: { bf16: 918 },
  },
];
