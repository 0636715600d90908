import { REGIONS } from './regions';
import type { PriceRow } from './row-types';

type Prices = Readonly<Record<string, number>>;

function listEverywhere(
  prefix: string,
  source: Pick<PriceRow, 'source' | 'asOf' | 'secondHand'>,
  prices: Prices,
): PriceRow[] {
  return Object.entries(prices).map(([name, perHour]) => ({ ...source, instanceType: `${prefix}/${name}`, perHour }));
}

/** The price of a GPU for an hour, by the machines of Nebius that have it. Since 2026-10-01. */
const NEBIUS_GPU_HOUR: readonly (readonly [perGpuHour: number, machines: readonly string[], gpus: number])[] = [
  [4.5, ['gpu-h100-sxm_1gpu-16vcpu-200gb'], 1],
  [4.5, ['gpu-h100-sxm_8gpu-128vcpu-1600gb'], 8],
  [5.4, ['gpu-h200-sxm_1gpu-16vcpu-200gb'], 1],
  [5.4, ['gpu-h200-sxm_8gpu-128vcpu-1600gb'], 8],
  [8.5, ['gpu-b200-sxm_1gpu-20vcpu-224gb', 'gpu-b200-sxm-a_1gpu-20vcpu-224gb'], 1],
  [8.5, ['gpu-b200-sxm_8gpu-160vcpu-1792gb', 'gpu-b200-sxm-a_8gpu-160vcpu-1792gb'], 8],
  [9.5, ['gpu-b300-sxm_1gpu-24vcpu-346gb'], 1],
  [9.5, ['gpu-b300-sxm_8gpu-192vcpu-2768gb'], 8],
  [1.8, ['gpu-rtx6000_1gpu-24vcpu-218gb'], 1],
  [1.8, ['gpu-rtx6000_8gpu-192vcpu-1744gb'], 8],
  [1.55, ['gpu-l40s-a_1gpu-8vcpu-32gb'], 1],
  [1.82, ['gpu-l40s-d_1gpu-16vcpu-96gb'], 1],
];

/**
 * On-demand list prices of Nebius in USD, the same in all regions. Of L40S, the page states the price of the smallest
 * preset only. Spot prices change every 15 minutes and have no row.
 */
const NEBIUS_PRICES = listEverywhere(
  'nebius',
  { source: 'nebius.com/prices, copied by api-evangelist/nebius', asOf: '2026-10-07' },
  Object.fromEntries(
    NEBIUS_GPU_HOUR.flatMap(([perGpuHour, machines, gpus]) => machines.map((name) => [name, perGpuHour * gpus])),
  ),
);

/** On-demand list prices of CoreWeave in North America in USD, and what spot costs there. */
const COREWEAVE_NORTH_AMERICA: Readonly<Record<string, readonly [perHour: number, spotPerHour?: number]>> = {
  'b200-8x': [68.8, 34.11],
  'gb200-4x': [42],
  'gd-8xa100-i128': [21.6, 9.65],
  'gd-8xh100ib-i128': [49.24, 19.71],
  'gd-8xh200ib-i128': [50.44, 20.93],
  'gd-8xl40s-i128': [18],
  'rtxp6000-8x': [20],
};

const NORTH_AMERICA = /^(?:CA|US|RNO)/;

/** The page states no prices of other regions, and none of B300 and GB300 on demand. */
const COREWEAVE_PRICES: readonly PriceRow[] = (
  REGIONS.find(({ provider }) => provider === 'CoreWeave')?.regions.filter((one) => NORTH_AMERICA.test(one)) ?? []
).flatMap((region) =>
  Object.entries(COREWEAVE_NORTH_AMERICA).map(([name, [perHour, spotPerHour]]) => ({
    source: 'coreweave.com/pricing, copied by api-evangelist/coreweave at 27bcc25',
    asOf: '2026-09-20',
    region,
    instanceType: `coreweave/${name}`,
    perHour,
    ...(spotPerHour !== undefined && { spotPerHour }),
  })),
);

/** On-demand list prices of Lambda in USD, the same in all regions. */
const LAMBDA_PRICES = listEverywhere(
  'lambda',
  { source: 'skypilot-org/skypilot-catalog at 0f40703, v8/lambda/vms.csv', asOf: '2026-11-24' },
  {
    gpu_1x_a10: 1.29,
    gpu_8x_a100_80gb_sxm4: 22.32,
    gpu_1x_h100_pcie: 3.29,
    gpu_1x_h100_sxm5: 4.29,
    gpu_2x_h100_sxm5: 8.38,
    gpu_8x_h100_sxm5: 31.92,
    gpu_1x_b200_sxm6: 6.99,
    gpu_2x_b200_sxm6: 13.78,
    gpu_8x_b200_sxm6: 53.52,
  },
);

/** On-demand list prices of Oracle Cloud Infrastructure in USD, the same in all regions. */
const OCI_PRICES = listEverywhere(
  'oci',
  { source: 'skypilot-org/skypilot-catalog at 0588751, v8/oci/vms.csv', asOf: '2026-11-24' },
  {
    'VM.GPU.A10.1': 2,
    'VM.GPU.A10.2': 4,
    'BM.GPU.A10.4': 8,
    'BM.GPU4.8': 24.4,
    'BM.GPU.A100-v2.8': 32,
    'BM.GPU.L40S.4': 14,
    'BM.GPU.RTXPRO.8': 36,
    'BM.GPU.H100.8': 80,
    'BM.GPU.H200.8': 80,
    'BM.GPU.B200.8': 112,
    'BM.GPU.B300.8': 120,
    'BM.GPU.GB200.4': 64,
    'BM.GPU.GB300.4': 72,
    'BM.GPU.MI300X.8': 48,
  },
);

/** List prices of clouds whose clusters others create. No dated source states those of Vultr. */
export const OTHER_PRICES: readonly PriceRow[] = [
  ...NEBIUS_PRICES,
  ...COREWEAVE_PRICES,
  ...LAMBDA_PRICES,
  ...OCI_PRICES,
];
