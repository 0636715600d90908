import type { PriceRow } from '../api/price-file';

const row = {
  region: 'us-central1',
  source: 'cloudpilot-ai/karpenter-provider-gcp, pricing data',
  asOf: '2026-08-03',
};

/** List prices of Compute Engine, in USD. Types that are sold by reservation only have none. */
export const GKE_PRICES: readonly PriceRow[] = [
  { ...row, instanceType: 'gcp/g2-standard-4', perHour: 0.7068, spotPerHour: 0.397 },
  { ...row, instanceType: 'gcp/g2-standard-8', perHour: 0.8536 },
  { ...row, instanceType: 'gcp/g2-standard-12', perHour: 1.0004 },
  { ...row, instanceType: 'gcp/g2-standard-16', perHour: 1.1472 },
  { ...row, instanceType: 'gcp/g2-standard-32', perHour: 1.7344 },
  { ...row, instanceType: 'gcp/g2-standard-24', perHour: 2.0008 },
  { ...row, instanceType: 'gcp/g2-standard-48', perHour: 4.0017 },
  { ...row, instanceType: 'gcp/g2-standard-96', perHour: 8.0033 },
  { ...row, instanceType: 'gcp/g4-standard-48', perHour: 4.5 },
  { ...row, instanceType: 'gcp/g4-standard-96', perHour: 9.0 },
  { ...row, instanceType: 'gcp/g4-standard-192', perHour: 18.0 },
  { ...row, instanceType: 'gcp/g4-standard-384', perHour: 36.0 },
  { ...row, instanceType: 'gcp/a2-highgpu-1g', perHour: 3.6734, spotPerHour: 1.928 },
  { ...row, instanceType: 'gcp/a2-highgpu-2g', perHour: 7.347 },
  { ...row, instanceType: 'gcp/a2-highgpu-4g', perHour: 14.69 },
  { ...row, instanceType: 'gcp/a2-highgpu-8g', perHour: 29.387 },
  { ...row, instanceType: 'gcp/a2-megagpu-16g', perHour: 55.74 },
  { ...row, instanceType: 'gcp/a2-ultragpu-1g', perHour: 5.0688 },
  { ...row, instanceType: 'gcp/a2-ultragpu-2g', perHour: 10.14 },
  { ...row, instanceType: 'gcp/a2-ultragpu-4g', perHour: 20.28 },
  { ...row, instanceType: 'gcp/a2-ultragpu-8g', perHour: 40.55 },
  { ...row, instanceType: 'gcp/a3-highgpu-8g', perHour: 88.49 },
  { ...row, instanceType: 'gcp/a3-megagpu-8g', region: 'us-east4', perHour: 92.94 },
];
