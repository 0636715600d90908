import type { InstanceType } from './row-types';

const row = {
  source: 'cloudpilot-ai/karpenter-provider-gcp, pricing data; Compute Engine machine families',
  asOf: '2026-08-03',
  secondHand: ['cpu', 'memoryGiB', 'interconnect', 'interconnectGBs', 'fabric', 'nics', 'nicGbps', 'localDiskGiB'],
};

const g2 = { ...row, gpu: 'l4', interconnect: 'PCIe', fabric: 'Ethernet', accelerator: 'nvidia-l4' } as const;
const g4 = {
  ...row,
  gpu: 'rtx-pro-6000',
  interconnect: 'PCIe',
  fabric: 'Ethernet',
  accelerator: 'nvidia-rtx-pro-6000',
} as const;
const a2High = { ...row, gpu: 'a100-40gb', fabric: 'Ethernet', accelerator: 'nvidia-tesla-a100' } as const;
const a2Ultra = { ...row, gpu: 'a100-80gb', fabric: 'Ethernet', accelerator: 'nvidia-a100-80gb' } as const;
const a2Switched = { interconnect: 'NVSwitch', interconnectGBs: 600 } as const;
const a3High = { ...row, gpu: 'h100', accelerator: 'nvidia-h100-80gb' } as const;
const a3Linked = { interconnect: 'NVLink', interconnectGBs: 900, fabric: 'Ethernet' } as const;
const a3Mega = { ...row, gpu: 'h100', interconnect: 'NVSwitch', interconnectGBs: 900, fabric: 'TCPXO' } as const;
const a3Ultra = { ...row, gpu: 'h200', interconnect: 'NVSwitch', interconnectGBs: 900, fabric: 'RoCE' } as const;
const a4 = { ...row, gpu: 'b200', interconnect: 'NVSwitch', interconnectGBs: 1800, fabric: 'RoCE' } as const;
const a4x = { ...row, gpu: 'gb200', interconnect: 'NVL72', interconnectGBs: 1800, fabric: 'RoCE' } as const;

const V5E = {
  source: 'docs.cloud.google.com/tpu/docs/v5e, VM types',
  asOf: '2026-11-24',
  gpu: 'tpu-v5e',
  accelerator: 'tpu-v5-lite-podslice',
};
const V6E = {
  source: 'docs.cloud.google.com/tpu/docs/v6e, supported configurations',
  asOf: '2026-11-24',
  secondHand: ['cpu', 'memoryGiB'],
  gpu: 'tpu-v6e',
  accelerator: 'tpu-v6e-slice',
};

/** What a machine with TPUs has. The driver publishes how many chips. */
function chips(gpus: number): Pick<InstanceType, 'gpus' | 'attributes'> {
  return { gpus, attributes: { chipCount: { int: gpus } } };
}

/**
 * Machine types of Compute Engine with GPUs and TPUs that GKE supports. Of GPU machines, the source states only names,
 * GPUs and accelerators. TPU7x is not here: a slice of it needs a workload policy, and engines run two ranks on a chip.
 */
export const GKE_INSTANCE_TYPES: readonly InstanceType[] = [
  { ...g2, name: 'gcp/g2-standard-4', gpus: 1, cpu: 4, memoryGiB: 16, nicGbps: 10 },
  { ...g2, name: 'gcp/g2-standard-8', gpus: 1, cpu: 8, memoryGiB: 32, nicGbps: 16 },
  { ...g2, name: 'gcp/g2-standard-12', gpus: 1, cpu: 12, memoryGiB: 48, nicGbps: 16 },
  { ...g2, name: 'gcp/g2-standard-16', gpus: 1, cpu: 16, memoryGiB: 64, nicGbps: 32 },
  { ...g2, name: 'gcp/g2-standard-32', gpus: 1, cpu: 32, memoryGiB: 128, nicGbps: 32 },
  { ...g2, name: 'gcp/g2-standard-24', gpus: 2, cpu: 24, memoryGiB: 96, nicGbps: 32 },
  { ...g2, name: 'gcp/g2-standard-48', gpus: 4, cpu: 48, memoryGiB: 192, nicGbps: 50 },
  { ...g2, name: 'gcp/g2-standard-96', gpus: 8, cpu: 96, memoryGiB: 384, nicGbps: 100 },
  { ...g4, name: 'gcp/g4-standard-48', gpus: 1, cpu: 48, memoryGiB: 180, nicGbps: 50 },
  { ...g4, name: 'gcp/g4-standard-96', gpus: 2, cpu: 96, memoryGiB: 360, nicGbps: 100 },
  { ...g4, name: 'gcp/g4-standard-192', gpus: 4, cpu: 192, memoryGiB: 720, nicGbps: 200 },
  { ...g4, name: 'gcp/g4-standard-384', gpus: 8, cpu: 384, memoryGiB: 1440, nicGbps: 400 },
  { ...a2High, name: 'gcp/a2-highgpu-1g', gpus: 1, cpu: 12, memoryGiB: 85, interconnect: 'NVLink', nicGbps: 24 },
  { ...a2High, name: 'gcp/a2-highgpu-2g', gpus: 2, cpu: 24, memoryGiB: 170, ...a2Switched, nicGbps: 32 },
  { ...a2High, name: 'gcp/a2-highgpu-4g', gpus: 4, cpu: 48, memoryGiB: 340, ...a2Switched, nicGbps: 50 },
  { ...a2High, name: 'gcp/a2-highgpu-8g', gpus: 8, cpu: 96, memoryGiB: 680, ...a2Switched, nicGbps: 100 },
  { ...a2High, name: 'gcp/a2-megagpu-16g', gpus: 16, cpu: 96, memoryGiB: 1360, ...a2Switched, nicGbps: 100 },
  {
    ...a2Ultra,
    name: 'gcp/a2-ultragpu-1g',
    gpus: 1,
    cpu: 12,
    memoryGiB: 170,
    interconnect: 'NVLink',
    nicGbps: 24,
    localDiskGiB: 375,
  },
  {
    ...a2Ultra,
    name: 'gcp/a2-ultragpu-2g',
    gpus: 2,
    cpu: 24,
    memoryGiB: 340,
    ...a2Switched,
    nicGbps: 32,
    localDiskGiB: 750,
  },
  {
    ...a2Ultra,
    name: 'gcp/a2-ultragpu-4g',
    gpus: 4,
    cpu: 48,
    memoryGiB: 680,
    ...a2Switched,
    nicGbps: 50,
    localDiskGiB: 1500,
  },
  {
    ...a2Ultra,
    name: 'gcp/a2-ultragpu-8g',
    gpus: 8,
    cpu: 96,
    memoryGiB: 1360,
    ...a2Switched,
    nicGbps: 100,
    localDiskGiB: 3000,
  },
  {
    ...a3High,
    name: 'gcp/a3-highgpu-1g',
    gpus: 1,
    cpu: 26,
    memoryGiB: 234,
    interconnect: 'NVLink',
    fabric: 'Ethernet',
    nicGbps: 25,
    localDiskGiB: 750,
  },
  {
    ...a3High,
    name: 'gcp/a3-highgpu-2g',
    gpus: 2,
    cpu: 52,
    memoryGiB: 468,
    ...a3Linked,
    nicGbps: 50,
    localDiskGiB: 1500,
  },
  {
    ...a3High,
    name: 'gcp/a3-highgpu-4g',
    gpus: 4,
    cpu: 104,
    memoryGiB: 936,
    ...a3Linked,
    nicGbps: 100,
    localDiskGiB: 3000,
  },
  {
    ...a3High,
    name: 'gcp/a3-highgpu-8g',
    gpus: 8,
    cpu: 208,
    memoryGiB: 1872,
    interconnect: 'NVSwitch',
    interconnectGBs: 900,
    fabric: 'TCPX',
    nics: 5,
    nicGbps: 1000,
    localDiskGiB: 6000,
  },
  {
    ...a3Mega,
    name: 'gcp/a3-megagpu-8g',
    gpus: 8,
    cpu: 208,
    memoryGiB: 1872,
    nics: 9,
    nicGbps: 1800,
    localDiskGiB: 6000,
    accelerator: 'nvidia-h100-mega-80gb',
  },
  {
    ...a3Ultra,
    name: 'gcp/a3-ultragpu-8g',
    gpus: 8,
    cpu: 224,
    memoryGiB: 2952,
    nics: 8,
    nicGbps: 3200,
    localDiskGiB: 12000,
    accelerator: 'nvidia-h200-141gb',
  },
  {
    ...a4,
    name: 'gcp/a4-highgpu-8g',
    gpus: 8,
    cpu: 224,
    memoryGiB: 3968,
    nics: 8,
    nicGbps: 3200,
    localDiskGiB: 12000,
    accelerator: 'nvidia-b200',
  },
  {
    ...a4x,
    name: 'gcp/a4x-highgpu-4g',
    gpus: 4,
    cpu: 140,
    memoryGiB: 884,
    cpuArchitecture: 'arm64',
    nics: 4,
    nicGbps: 2000,
    localDiskGiB: 12000,
    accelerator: 'nvidia-gb200',
  },
  { ...V5E, name: 'gcp/ct5lp-hightpu-1t', ...chips(1), cpu: 24, memoryGiB: 48 },
  { ...V5E, name: 'gcp/ct5lp-hightpu-4t', ...chips(4), cpu: 112, memoryGiB: 192 },
  { ...V5E, name: 'gcp/ct5lp-hightpu-8t', ...chips(8), cpu: 224, memoryGiB: 384 },
  // A page of GKE says 448 GiB, that of Cloud TPU says 176 GB.
  { ...V6E, name: 'gcp/ct6e-standard-1t', ...chips(1), cpu: 44, memoryGiB: 176 },
  { ...V6E, name: 'gcp/ct6e-standard-4t', ...chips(4), cpu: 180, memoryGiB: 720 },
  { ...V6E, name: 'gcp/ct6e-standard-8t', ...chips(8), cpu: 180, memoryGiB: 1440 },
];
