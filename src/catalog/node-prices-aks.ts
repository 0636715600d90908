import type { PriceRow } from './row-types';

/** On-demand prices of Azure sizes in USD, by region. */
const PRICES_BY_SIZE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Standard_NC4as_T4_v3: {
    eastus: 0.526,
    eastus2: 0.526,
    southcentralus: 0.631,
    swedencentral: 0.558,
    westeurope: 0.658,
    westus3: 0.526,
  },
  Standard_NC8as_T4_v3: {
    eastus: 0.752,
    eastus2: 0.752,
    southcentralus: 0.902,
    swedencentral: 0.796,
    westeurope: 0.94,
    westus3: 0.752,
  },
  Standard_NC16as_T4_v3: {
    eastus: 1.204,
    eastus2: 1.204,
    southcentralus: 1.445,
    swedencentral: 1.276,
    westeurope: 1.505,
    westus3: 1.204,
  },
  Standard_NC64as_T4_v3: {
    eastus: 4.352,
    eastus2: 4.352,
    southcentralus: 5.222,
    swedencentral: 4.603,
    westeurope: 5.44,
    westus3: 4.352,
  },
  Standard_NC24ads_A100_v4: {
    eastus: 3.673,
    eastus2: 3.673,
    southcentralus: 4.408,
    swedencentral: 4.775,
    westeurope: 4.775,
    westus3: 3.673,
  },
  Standard_NC48ads_A100_v4: {
    eastus: 7.346,
    eastus2: 7.346,
    southcentralus: 8.815,
    swedencentral: 9.55,
    westeurope: 9.55,
    westus3: 7.346,
  },
  Standard_NC96ads_A100_v4: {
    eastus: 14.692,
    eastus2: 14.692,
    southcentralus: 17.63,
    swedencentral: 19.1,
    westeurope: 19.1,
    westus3: 14.692,
  },
  Standard_ND96asr_v4: { eastus: 27.197, southcentralus: 32.63, westeurope: 35.357 },
  Standard_ND96amsr_A100_v4: {
    eastus: 32.77,
    eastus2: 32.77,
    southcentralus: 39.324,
    swedencentral: 40.962,
    westeurope: 40.962,
    westus3: 32.77,
  },
  Standard_NC40ads_H100_v5: {
    eastus: 6.98,
    eastus2: 6.98,
    southcentralus: 8.38,
    swedencentral: 9.074,
    westeurope: 9.08,
    westus3: 6.98,
  },
  Standard_NC80adis_H100_v5: {
    eastus: 13.96,
    eastus2: 13.96,
    southcentralus: 16.76,
    swedencentral: 18.148,
    westeurope: 18.16,
    westus3: 13.96,
  },
  Standard_ND96isr_H100_v5: {
    eastus: 98.32,
    eastus2: 98.32,
    southcentralus: 117.968,
    swedencentral: 127.816,
    westeurope: 127.816,
    westus3: 98.32,
  },
  Standard_ND96isr_H200_v5: { eastus2: 84.8, swedencentral: 110.272, westus3: 84.8 },
  Standard_ND96isr_MI300X_v5: { eastus2: 48, swedencentral: 67.2, westus3: 48 },
  Standard_ND128isr_NDR_GB200_v6: { eastus: 108.16, eastus2: 108.16, westus3: 108.16 },
};

const ROW = {
  source: 'Azure/karpenter-provider-azure at 352646f, zz_generated.pricing.go',
  asOf: '2026-06-18',
};

/** On-demand list prices of Azure, in USD, for the regions in which most GPUs are. */
export const AKS_PRICES: readonly PriceRow[] = Object.entries(PRICES_BY_SIZE).flatMap(([size, regions]) =>
  Object.entries(regions).map(([region, perHour]) => ({
    ...ROW,
    region,
    instanceType: `azure/${size}`,
    perHour,
  })),
);
