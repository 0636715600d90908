import type { ModelRow } from './model-row';
import { AICONFIGURATOR, KAITO, RUNS } from './model-sources';

const nVIDIANemotron3Nano30BA3B = {
  layers: 52,
  hidden: 2688,
  heads: 32,
  attention: {
    kind: 'hybrid-mamba',
    attentionLayers: 6,
    mambaLayers: 23,
    kvHeads: 2,
    headDim: 128,
    mamba: { heads: 64, headDim: 64, state: 128, groups: 8, conv: 4, stateBytes: 4 },
  },
  vocabulary: 131072,
  experts: { routed: 128, perToken: 6, shared: 1, intermediate: 1856 },
} as const;

const nVIDIANemotron3Super120BA12B = {
  layers: 88,
  hidden: 4096,
  heads: 32,
  attention: {
    kind: 'hybrid-mamba',
    attentionLayers: 8,
    mambaLayers: 40,
    kvHeads: 2,
    headDim: 128,
    mamba: { heads: 128, headDim: 64, state: 128, groups: 8, conv: 4, stateBytes: 4 },
  },
  vocabulary: 131072,
  experts: { routed: 512, perToken: 22, shared: 1, intermediate: 2688 },
} as const;

/** Nemotron models with Mamba layers. */
export const NEMOTRON_MODELS: readonly ModelRow[] = [
  {
    ...AICONFIGURATOR,
    ...nVIDIANemotron3Nano30BA3B,
    repository: 'nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16',
    positions: 262144,
    quantization: 'bf16',
    weightsGiB: 58.82,
  },
  {
    ...RUNS,
    ...nVIDIANemotron3Nano30BA3B,
    repository: 'nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-FP8',
    positions: 262144,
    quantization: 'fp8',
    weightsGiB: 30.96,
  },
  {
    ...KAITO,
    ...nVIDIANemotron3Super120BA12B,
    repository: 'nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-BF16',
    positions: 262144,
    quantization: 'bf16',
    weightsGiB: 230.25,
  },
  {
    ...AICONFIGURATOR,
    ...nVIDIANemotron3Super120BA12B,
    repository: 'nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8',
    positions: 262144,
    quantization: 'fp8',
    weightsGiB: 119.82,
  },
];
