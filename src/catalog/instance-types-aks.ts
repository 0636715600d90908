import type { InstanceType } from './row-types';

/** The source states names and quota families. Sizes are as Microsoft's pages on GPU machines repeat them. */
const row = {
  source: 'Azure/karpenter-provider-azure at 352646f, known_skus.yaml',
  asOf: '2026-07-16',
  secondHand: ['gpu', 'gpus', 'cpu', 'memoryGiB', 'interconnect', 'interconnectGBs', 'fabric', 'nics', 'nicGbps'],
};

const t4 = {
  ...row,
  gpu: 't4',
  interconnect: 'PCIe',
  fabric: 'Ethernet',
  quotaFamily: 'Standard NCASv3_T4 Family',
} as const;
const a100 = {
  ...row,
  gpu: 'a100-80gb-pcie',
  interconnect: 'PCIe',
  fabric: 'Ethernet',
  quotaFamily: 'StandardNCADSA100v4Family',
} as const;
const h100Nvl = { ...row, gpu: 'h100-nvl', fabric: 'Ethernet', quotaFamily: 'StandardNCadsH100v5Family' } as const;
const nd = { ...row, gpus: 8, cpu: 96, fabric: 'InfiniBand', nics: 8 } as const;
const nvSwitch = { interconnect: 'NVSwitch' } as const;
const rack = {
  ...row,
  gpus: 4,
  cpu: 128,
  memoryGiB: 900,
  cpuArchitecture: 'arm64',
  interconnect: 'NVL72',
  interconnectGBs: 1800,
  fabric: 'InfiniBand',
  nics: 4,
} as const;

/**
 * GPU sizes of Azure that AKS supports, except those of the NV series, whose GPUs are virtual: they need another driver,
 * which publishes less.
 */
export const AKS_INSTANCE_TYPES: readonly InstanceType[] = [
  { ...t4, name: 'azure/Standard_NC4as_T4_v3', gpus: 1, cpu: 4, memoryGiB: 28 },
  { ...t4, name: 'azure/Standard_NC8as_T4_v3', gpus: 1, cpu: 8, memoryGiB: 56 },
  { ...t4, name: 'azure/Standard_NC16as_T4_v3', gpus: 1, cpu: 16, memoryGiB: 110 },
  { ...t4, name: 'azure/Standard_NC64as_T4_v3', gpus: 4, cpu: 64, memoryGiB: 440 },
  { ...a100, name: 'azure/Standard_NC24ads_A100_v4', gpus: 1, cpu: 24, memoryGiB: 220 },
  { ...a100, name: 'azure/Standard_NC48ads_A100_v4', gpus: 2, cpu: 48, memoryGiB: 440 },
  { ...a100, name: 'azure/Standard_NC96ads_A100_v4', gpus: 4, cpu: 96, memoryGiB: 880 },
  {
    ...nd,
    ...nvSwitch,
    name: 'azure/Standard_ND96asr_v4',
    gpu: 'a100-40gb',
    memoryGiB: 900,
    interconnectGBs: 600,
    nicGbps: 1600,
    quotaFamily: 'Standard NDASv4_A100 Family',
  },
  {
    ...nd,
    ...nvSwitch,
    name: 'azure/Standard_ND96amsr_A100_v4',
    gpu: 'a100-80gb',
    memoryGiB: 1900,
    interconnectGBs: 600,
    nicGbps: 1600,
    quotaFamily: 'standard NDAMSv4_A100Family',
  },
  { ...h100Nvl, name: 'azure/Standard_NC40ads_H100_v5', gpus: 1, cpu: 40, memoryGiB: 320 },
  {
    ...h100Nvl,
    name: 'azure/Standard_NC80adis_H100_v5',
    gpus: 2,
    cpu: 80,
    memoryGiB: 640,
    interconnect: 'NVLink',
    interconnectGBs: 600,
  },
  {
    ...nd,
    ...nvSwitch,
    name: 'azure/Standard_ND96isr_H100_v5',
    gpu: 'h100',
    memoryGiB: 1900,
    interconnectGBs: 900,
    nicGbps: 3200,
    quotaFamily: 'standardNDSH100v5Family',
  },
  {
    ...nd,
    ...nvSwitch,
    name: 'azure/Standard_ND96isr_H200_v5',
    gpu: 'h200',
    memoryGiB: 1850,
    interconnectGBs: 900,
    nicGbps: 3200,
    quotaFamily: 'standardNDISRH200V5Family',
  },
  {
    ...nd,
    name: 'azure/Standard_ND96isr_MI300X_v5',
    gpu: 'mi300x',
    memoryGiB: 1850,
    nicGbps: 3200,
    accelerator: 'amd-mi300x',
    quotaFamily: 'standardNDISv5MI300XFamily',
  },
  {
    ...rack,
    name: 'azure/Standard_ND128isr_NDR_GB200_v6',
    gpu: 'gb200',
    nicGbps: 1600,
    quotaFamily: 'standardNDISRGB200V6NDRFamily',
  },
  {
    ...rack,
    name: 'azure/Standard_ND128isr_GB300_v6',
    gpu: 'gb300',
    nicGbps: 3200,
    quotaFamily: 'standardNDISRGB300V6Family',
  },
];
