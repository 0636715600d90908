import type { InstanceType } from './row-types';

/** The machines of a cloud, with the facts that all rows of one source share. */
function rowsOf(
  prefix: string,
  shared: Pick<InstanceType, 'source' | 'asOf' | 'secondHand'>,
  rows: readonly Omit<InstanceType, 'source' | 'asOf'>[],
): InstanceType[] {
  return rows.map((row) => ({ ...shared, ...row, name: `${prefix}/${row.name}` }));
}

const NETWORK = ['interconnect', 'interconnectGBs', 'fabric', 'nics', 'nicGbps'];

const pcie = { interconnect: 'PCIe' } as const;
const ampere = { interconnect: 'NVSwitch', interconnectGBs: 600 } as const;
const hopper = { interconnect: 'NVSwitch', interconnectGBs: 900 } as const;
const blackwell = { interconnect: 'NVSwitch', interconnectGBs: 1800 } as const;
const infiniBand = { fabric: 'InfiniBand', nics: 8, nicGbps: 3200 } as const;
const infiniBand800 = { fabric: 'InfiniBand', nics: 8, nicGbps: 6400 } as const;
const roce = { fabric: 'RoCE' } as const;
const roceA100 = { ...roce, nicGbps: 1600 } as const;
const roceH100 = { ...roce, nicGbps: 3200 } as const;
const rack = { cpuArchitecture: 'arm64', interconnect: 'NVL72', interconnectGBs: 1800 } as const;

const h100 = { gpu: 'h100', ...hopper } as const;
const h200 = { gpu: 'h200', ...hopper } as const;
const b200 = { gpu: 'b200', ...blackwell } as const;
const b300 = { gpu: 'b300', ...blackwell } as const;
const l40s = { gpu: 'l40s', ...pcie } as const;
const rtxPro = { gpu: 'rtx-pro-6000', ...pcie } as const;

/** GPU machines of Nebius: the platform, an underscore and the preset. A preset states CPUs and memory in its name. */
export const NEBIUS_INSTANCE_TYPES: readonly InstanceType[] = rowsOf(
  'nebius',
  {
    source: 'nebius/nebius-solutions-library, presets of platforms; skypilot-org/skypilot-catalog, v8/nebius/vms.csv',
    asOf: '2026-11-24',
    secondHand: NETWORK,
  },
  [
    { name: 'gpu-h100-sxm_1gpu-16vcpu-200gb', gpu: 'h100', gpus: 1, cpu: 16, memoryGiB: 200 },
    { name: 'gpu-h100-sxm_8gpu-128vcpu-1600gb', ...h100, ...infiniBand, gpus: 8, cpu: 128, memoryGiB: 1600 },
    { name: 'gpu-h200-sxm_1gpu-16vcpu-200gb', gpu: 'h200', gpus: 1, cpu: 16, memoryGiB: 200 },
    { name: 'gpu-h200-sxm_8gpu-128vcpu-1600gb', ...h200, ...infiniBand, gpus: 8, cpu: 128, memoryGiB: 1600 },
    ...['gpu-b200-sxm', 'gpu-b200-sxm-a'].flatMap((platform) => [
      { name: `${platform}_1gpu-20vcpu-224gb`, gpu: 'b200', gpus: 1, cpu: 20, memoryGiB: 224 },
      { name: `${platform}_8gpu-160vcpu-1792gb`, ...b200, ...infiniBand, gpus: 8, cpu: 160, memoryGiB: 1792 },
    ]),
    { name: 'gpu-b300-sxm_1gpu-24vcpu-346gb', gpu: 'b300', gpus: 1, cpu: 24, memoryGiB: 346 },
    { name: 'gpu-b300-sxm_8gpu-192vcpu-2768gb', ...b300, ...infiniBand800, gpus: 8, cpu: 192, memoryGiB: 2768 },
    { name: 'gpu-rtx6000_1gpu-24vcpu-218gb', ...rtxPro, gpus: 1, cpu: 24, memoryGiB: 218 },
    { name: 'gpu-rtx6000_8gpu-192vcpu-1744gb', ...rtxPro, gpus: 8, cpu: 192, memoryGiB: 1744 },
    { name: 'gpu-l40s-a_1gpu-8vcpu-32gb', ...l40s, gpus: 1, cpu: 8, memoryGiB: 32 },
    { name: 'gpu-l40s-a_1gpu-16vcpu-64gb', ...l40s, gpus: 1, cpu: 16, memoryGiB: 64 },
    { name: 'gpu-l40s-a_1gpu-24vcpu-96gb', ...l40s, gpus: 1, cpu: 24, memoryGiB: 96 },
    { name: 'gpu-l40s-a_1gpu-32vcpu-128gb', ...l40s, gpus: 1, cpu: 32, memoryGiB: 128 },
    { name: 'gpu-l40s-a_1gpu-40vcpu-160gb', ...l40s, gpus: 1, cpu: 40, memoryGiB: 160 },
    { name: 'gpu-l40s-d_1gpu-16vcpu-96gb', ...l40s, gpus: 1, cpu: 16, memoryGiB: 96 },
    { name: 'gpu-l40s-d_1gpu-32vcpu-192gb', ...l40s, gpus: 1, cpu: 32, memoryGiB: 192 },
    { name: 'gpu-l40s-d_1gpu-48vcpu-288gb', ...l40s, gpus: 1, cpu: 48, memoryGiB: 288 },
    { name: 'gpu-l40s-d_2gpu-64vcpu-384gb', ...l40s, gpus: 2, cpu: 64, memoryGiB: 384 },
    { name: 'gpu-l40s-d_2gpu-96vcpu-576gb', ...l40s, gpus: 2, cpu: 96, memoryGiB: 576 },
    { name: 'gpu-l40s-d_4gpu-128vcpu-768gb', ...l40s, gpus: 4, cpu: 128, memoryGiB: 768 },
    { name: 'gpu-l40s-d_4gpu-192vcpu-1152gb', ...l40s, gpus: 4, cpu: 192, memoryGiB: 1152 },
  ],
);

/**
 * GPU plans of Vultr with whole GPUs. Plans with a part of a GPU have another driver, which publishes less. Of A100 plans
 * no source states which A100 they have.
 */
export const VULTR_INSTANCE_TYPES: readonly InstanceType[] = rowsOf(
  'vultr',
  {
    source: 'Names of plans in dstackai/dstack and in the documentation of Clarifai, with the memory that GPUs report',
    asOf: '2026-11-24',
    secondHand: [...NETWORK, 'gpu', 'gpus', 'cpu', 'memoryGiB'],
  },
  [
    { name: 'vcg-l40s-16c-180g-48vram', ...l40s, gpus: 1, cpu: 16, memoryGiB: 180 },
    { name: 'vcg-l40s-32c-375g-96vram', ...l40s, gpus: 2, cpu: 32, memoryGiB: 375 },
    { name: 'vcg-l40s-64c-750g-192vram', ...l40s, gpus: 4, cpu: 64, memoryGiB: 750 },
    { name: 'vcg-l40s-128c-1500g-384vram', ...l40s, gpus: 8, cpu: 128, memoryGiB: 1500 },
    { name: 'vcg-b200-248c-2826g-1536vram', ...b200, gpus: 8, cpu: 248, memoryGiB: 2826 },
  ],
);

/** GPU machines of CoreWeave: the instance types of its node pools, with GPUs that the catalog knows. */
export const COREWEAVE_INSTANCE_TYPES: readonly InstanceType[] = rowsOf(
  'coreweave',
  {
    source:
      "docs.coreweave.com, GPU instances, in a third party's copy; kubernetes/autoscaler, cloudprovider/coreweave",
    asOf: '2026-10-04',
    secondHand: [...NETWORK, 'memoryGiB'],
  },
  [
    { name: 'b200-8x', ...b200, ...infiniBand, gpus: 8, cpu: 128, memoryGiB: 2048 },
    { name: 'b300-8x', ...b300, ...infiniBand800, gpus: 8, cpu: 192, memoryGiB: 4096 },
    { name: 'gb200-4x', ...rack, gpu: 'gb200', fabric: 'InfiniBand', gpus: 4, cpu: 144, memoryGiB: 960 },
    { name: 'gb300-4x', ...rack, gpu: 'gb300', fabric: 'InfiniBand', gpus: 4, cpu: 144, memoryGiB: 960 },
    { name: 'gb300-4x-e', ...rack, gpu: 'gb300', fabric: 'RoCE', gpus: 4, cpu: 144, memoryGiB: 960 },
    { name: 'gd-8xa100-i128', gpu: 'a100-80gb', ...ampere, gpus: 8, cpu: 128, memoryGiB: 2048 },
    { name: 'gd-8xh100ib-i128', ...h100, ...infiniBand, gpus: 8, cpu: 128, memoryGiB: 2048 },
    { name: 'gd-8xh200ib-i128', ...h200, ...infiniBand, gpus: 8, cpu: 128, memoryGiB: 2048 },
    { name: 'gd-8xl40s-i128', ...l40s, gpus: 8, cpu: 128, memoryGiB: 1024 },
    { name: 'rtxp6000-8x', ...rtxPro, gpus: 8, cpu: 128, memoryGiB: 1024 },
    { name: 'rtxp6000-8x-v2', ...rtxPro, gpus: 8, cpu: 128, memoryGiB: 512 },
  ],
);

/** GPU machines of Lambda, with GPUs that the catalog knows. */
export const LAMBDA_INSTANCE_TYPES: readonly InstanceType[] = rowsOf(
  'lambda',
  {
    source: 'skypilot-org/skypilot-catalog at 0f40703, v8/lambda/vms.csv',
    asOf: '2026-11-24',
    secondHand: NETWORK,
  },
  [
    { name: 'gpu_1x_a10', gpu: 'a10', ...pcie, gpus: 1, cpu: 30, memoryGiB: 200 },
    { name: 'gpu_8x_a100_80gb_sxm4', gpu: 'a100-80gb', ...ampere, gpus: 8, cpu: 240, memoryGiB: 1800 },
    { name: 'gpu_1x_h100_pcie', gpu: 'h100-pcie', ...pcie, gpus: 1, cpu: 26, memoryGiB: 200 },
    { name: 'gpu_1x_h100_sxm5', gpu: 'h100', gpus: 1, cpu: 26, memoryGiB: 225 },
    { name: 'gpu_2x_h100_sxm5', ...h100, gpus: 2, cpu: 52, memoryGiB: 450 },
    { name: 'gpu_8x_h100_sxm5', ...h100, gpus: 8, cpu: 208, memoryGiB: 1800 },
    { name: 'gpu_1x_b200_sxm6', gpu: 'b200', gpus: 1, cpu: 26, memoryGiB: 360 },
    { name: 'gpu_2x_b200_sxm6', ...b200, gpus: 2, cpu: 52, memoryGiB: 720 },
    { name: 'gpu_8x_b200_sxm6', ...b200, gpus: 8, cpu: 208, memoryGiB: 2900 },
  ],
);

/** GPU shapes of Oracle Cloud Infrastructure. A CPU is a vCPU, of which an OCPU of x86 has two. */
export const OCI_INSTANCE_TYPES: readonly InstanceType[] = rowsOf(
  'oci',
  {
    source: 'skypilot-org/skypilot-catalog at 0588751, v8/oci/vms.csv',
    asOf: '2026-11-24',
    secondHand: NETWORK,
  },
  [
    { name: 'VM.GPU.A10.1', gpu: 'a10', ...pcie, gpus: 1, cpu: 30, memoryGiB: 240 },
    { name: 'VM.GPU.A10.2', gpu: 'a10', ...pcie, gpus: 2, cpu: 60, memoryGiB: 480 },
    { name: 'BM.GPU.A10.4', gpu: 'a10', ...pcie, gpus: 4, cpu: 128, memoryGiB: 1024 },
    { name: 'BM.GPU4.8', gpu: 'a100-40gb', ...ampere, ...roceA100, gpus: 8, cpu: 128, memoryGiB: 2048 },
    { name: 'BM.GPU.A100-v2.8', gpu: 'a100-80gb', ...ampere, ...roceA100, gpus: 8, cpu: 256, memoryGiB: 2048 },
    { name: 'BM.GPU.L40S.4', ...l40s, gpus: 4, cpu: 224, memoryGiB: 1024 },
    { name: 'BM.GPU.RTXPRO.8', ...rtxPro, gpus: 8, cpu: 288, memoryGiB: 3072 },
    { name: 'BM.GPU.H100.8', ...h100, ...roceH100, gpus: 8, cpu: 224, memoryGiB: 2048 },
    { name: 'BM.GPU.H200.8', ...h200, ...roceH100, gpus: 8, cpu: 224, memoryGiB: 3072 },
    { name: 'BM.GPU.B200.8', ...b200, ...roceH100, gpus: 8, cpu: 256, memoryGiB: 4096 },
    { name: 'BM.GPU.B300.8', ...b300, ...roce, gpus: 8, cpu: 256, memoryGiB: 4096 },
    { name: 'BM.GPU.GB200.4', ...rack, ...roce, gpu: 'gb200', gpus: 4, cpu: 144, memoryGiB: 960 },
    { name: 'BM.GPU.GB300.4', ...rack, ...roce, gpu: 'gb300', gpus: 4, cpu: 144, memoryGiB: 960 },
    { name: 'BM.GPU.MI300X.8', gpu: 'mi300x', ...roce, gpus: 8, cpu: 224, memoryGiB: 2048 },
  ],
);
