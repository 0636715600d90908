import type { PriceRow } from './row-types';

const EKS_ROW = {
  region: 'us-east-1',
  source: 'aws/karpenter-provider-aws, zz_generated.pricing_aws.go',
  asOf: '2026-07-20',
};

/** On-demand list prices of EC2, in USD. Instance types that are sold only by capacity block have no price. */
export const EKS_PRICES: readonly PriceRow[] = [
  { ...EKS_ROW, instanceType: 'aws/g4dn.xlarge', perHour: 0.526 },
  { ...EKS_ROW, instanceType: 'aws/g4dn.12xlarge', perHour: 3.912 },
  { ...EKS_ROW, instanceType: 'aws/g5.xlarge', perHour: 1.006 },
  { ...EKS_ROW, instanceType: 'aws/g5.2xlarge', perHour: 1.212 },
  { ...EKS_ROW, instanceType: 'aws/g5.4xlarge', perHour: 1.624 },
  { ...EKS_ROW, instanceType: 'aws/g5.8xlarge', perHour: 2.448 },
  { ...EKS_ROW, instanceType: 'aws/g5.12xlarge', perHour: 5.672 },
  { ...EKS_ROW, instanceType: 'aws/g5.48xlarge', perHour: 16.288 },
  { ...EKS_ROW, instanceType: 'aws/g6.xlarge', perHour: 0.8048 },
  { ...EKS_ROW, instanceType: 'aws/g6.2xlarge', perHour: 0.9776 },
  { ...EKS_ROW, instanceType: 'aws/g6.4xlarge', perHour: 1.3232 },
  { ...EKS_ROW, instanceType: 'aws/g6.8xlarge', perHour: 2.0144 },
  { ...EKS_ROW, instanceType: 'aws/g6.12xlarge', perHour: 4.6016 },
  { ...EKS_ROW, instanceType: 'aws/g6.24xlarge', perHour: 6.6752 },
  { ...EKS_ROW, instanceType: 'aws/g6.48xlarge', perHour: 13.3504 },
  { ...EKS_ROW, instanceType: 'aws/gr6.4xlarge', perHour: 1.5392 },
  { ...EKS_ROW, instanceType: 'aws/g6e.xlarge', perHour: 1.861 },
  { ...EKS_ROW, instanceType: 'aws/g6e.2xlarge', perHour: 2.242 },
  { ...EKS_ROW, instanceType: 'aws/g6e.4xlarge', perHour: 3.004 },
  { ...EKS_ROW, instanceType: 'aws/g6e.8xlarge', perHour: 4.529 },
  { ...EKS_ROW, instanceType: 'aws/g6e.12xlarge', perHour: 10.493 },
  { ...EKS_ROW, instanceType: 'aws/g6e.24xlarge', perHour: 15.066 },
  { ...EKS_ROW, instanceType: 'aws/g6e.48xlarge', perHour: 30.131 },
  { ...EKS_ROW, instanceType: 'aws/g7e.2xlarge', perHour: 3.363 },
  { ...EKS_ROW, instanceType: 'aws/g7e.12xlarge', perHour: 8.286 },
  { ...EKS_ROW, instanceType: 'aws/g7e.24xlarge', perHour: 16.572 },
  { ...EKS_ROW, instanceType: 'aws/g7e.48xlarge', perHour: 33.144 },
  { ...EKS_ROW, instanceType: 'aws/p4d.24xlarge', perHour: 21.958 },
  { ...EKS_ROW, instanceType: 'aws/p4de.24xlarge', perHour: 27.447 },
  { ...EKS_ROW, instanceType: 'aws/p5.4xlarge', perHour: 6.88 },
  { ...EKS_ROW, instanceType: 'aws/p5.48xlarge', perHour: 55.04 },
  { ...EKS_ROW, instanceType: 'aws/p5en.48xlarge', perHour: 63.296 },
  { ...EKS_ROW, instanceType: 'aws/p6-b200.48xlarge', perHour: 113.933 },
  { ...EKS_ROW, instanceType: 'aws/p6-b300.48xlarge', perHour: 142.416 },
  { ...EKS_ROW, instanceType: 'aws/inf2.xlarge', perHour: 0.7582 },
  { ...EKS_ROW, instanceType: 'aws/inf2.8xlarge', perHour: 1.96786 },
  { ...EKS_ROW, instanceType: 'aws/inf2.24xlarge', perHour: 6.49063 },
  { ...EKS_ROW, instanceType: 'aws/inf2.48xlarge', perHour: 12.98127 },
  { ...EKS_ROW, instanceType: 'aws/trn1.2xlarge', perHour: 1.34375 },
  { ...EKS_ROW, instanceType: 'aws/trn1.32xlarge', perHour: 21.5 },
  { ...EKS_ROW, instanceType: 'aws/trn1n.32xlarge', perHour: 24.78 },
];

const GKE_ROW = {
  region: 'us-central1',
  source: 'cloudpilot-ai/karpenter-provider-gcp, pricing data',
  asOf: '2026-08-03',
};

/** List prices of a TPU v6e chip, in USD, by region. The machine is included. The source has spot prices by zone. */
const V6E_CHIP: Readonly<Record<string, number>> = {
  'us-central1': 2.7,
  'us-east1': 2.7,
  'us-east4': 2.7,
  'us-east5': 2.7,
  'us-south1': 2.7,
  'us-west1': 2.7,
  'europe-west4': 2.97,
  'asia-southeast1': 2.97,
  'asia-northeast1': 3.24,
  'asia-south1': 3.24,
};

const V6E_PRICES: readonly PriceRow[] = [1, 4, 8].flatMap((chips) =>
  Object.entries(V6E_CHIP).map(([region, perChip]) => ({
    source: 'skypilot-org/skypilot-catalog, v8/gcp/vms.csv',
    asOf: '2026-11-24',
    instanceType: `gcp/ct6e-standard-${chips}t`,
    region,
    // Without the digits that a product of floating point numbers adds.
    perHour: Math.round(perChip * chips * 100) / 100,
  })),
);

/** List prices of Compute Engine, in USD. Machine types that are sold only by reservation have no price. */
export const GKE_PRICES: readonly PriceRow[] = [
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-4', perHour: 0.7068, spotPerHour: 0.397 },
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-8', perHour: 0.8536 },
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-12', perHour: 1.0004 },
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-16', perHour: 1.1472 },
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-32', perHour: 1.7344 },
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-24', perHour: 2.0008 },
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-48', perHour: 4.0017 },
  { ...GKE_ROW, instanceType: 'gcp/g2-standard-96', perHour: 8.0033 },
  { ...GKE_ROW, instanceType: 'gcp/g4-standard-48', perHour: 4.5 },
  { ...GKE_ROW, instanceType: 'gcp/g4-standard-96', perHour: 9.0 },
  { ...GKE_ROW, instanceType: 'gcp/g4-standard-192', perHour: 18.0 },
  { ...GKE_ROW, instanceType: 'gcp/g4-standard-384', perHour: 36.0 },
  { ...GKE_ROW, instanceType: 'gcp/a2-highgpu-1g', perHour: 3.6734, spotPerHour: 1.928 },
  { ...GKE_ROW, instanceType: 'gcp/a2-highgpu-2g', perHour: 7.347 },
  { ...GKE_ROW, instanceType: 'gcp/a2-highgpu-4g', perHour: 14.69 },
  { ...GKE_ROW, instanceType: 'gcp/a2-highgpu-8g', perHour: 29.387 },
  { ...GKE_ROW, instanceType: 'gcp/a2-megagpu-16g', perHour: 55.74 },
  { ...GKE_ROW, instanceType: 'gcp/a2-ultragpu-1g', perHour: 5.0688 },
  { ...GKE_ROW, instanceType: 'gcp/a2-ultragpu-2g', perHour: 10.14 },
  { ...GKE_ROW, instanceType: 'gcp/a2-ultragpu-4g', perHour: 20.28 },
  { ...GKE_ROW, instanceType: 'gcp/a2-ultragpu-8g', perHour: 40.55 },
  { ...GKE_ROW, instanceType: 'gcp/a3-highgpu-8g', perHour: 88.49 },
  { ...GKE_ROW, instanceType: 'gcp/a3-megagpu-8g', region: 'us-east4', perHour: 92.94 },
  ...V6E_PRICES,
];
