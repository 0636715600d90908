import type { StorageRow } from './row-types';

/** EFS: regional storage of the class Standard, in USD per GB and month. AWS meters it in binary gigabytes. */
const EFS: Readonly<Record<string, number>> = {
  'af-south-1': 0.39,
  'ap-east-1': 0.39,
  'ap-east-2': 0.324,
  'ap-northeast-1': 0.36,
  'ap-northeast-2': 0.33,
  'ap-northeast-3': 0.36,
  'ap-south-1': 0.33,
  'ap-south-2': 0.33,
  'ap-southeast-1': 0.36,
  'ap-southeast-2': 0.36,
  'ap-southeast-3': 0.36,
  'ap-southeast-4': 0.36,
  'ap-southeast-5': 0.324,
  'ap-southeast-6': 0.378,
  'ap-southeast-7': 0.324,
  'ca-central-1': 0.33,
  'ca-west-1': 0.33,
  'eu-central-1': 0.36,
  'eu-central-2': 0.43,
  'eu-north-1': 0.3,
  'eu-south-1': 0.36,
  'eu-south-2': 0.33,
  'eu-west-1': 0.33,
  'eu-west-2': 0.33,
  'eu-west-3': 0.33,
  'il-central-1': 0.4,
  'me-central-1': 0.36,
  'me-south-1': 0.36,
  'mx-central-1': 0.315,
  'sa-east-1': 0.57,
  'us-east-1': 0.3,
  'us-east-2': 0.3,
  'us-gov-east-1': 0.36,
  'us-gov-west-1': 0.36,
  'us-west-1': 0.33,
  'us-west-2': 0.3,
};

/** Filestore: zonal and regional, in USD per GiB and month, with the performance that the size includes. */
const FILESTORE: Readonly<Record<string, readonly [zonal: number, regional: number]>> = {
  'africa-south1': [0.28, 0.5],
  'asia-east1': [0.28, 0.5],
  'asia-east2': [0.3, 0.55],
  'asia-northeast1': [0.3, 0.54],
  'asia-northeast2': [0.28, 0.5],
  'asia-northeast3': [0.28, 0.5],
  'asia-south1': [0.3, 0.54],
  'asia-south2': [0.3, 0.54],
  'asia-southeast1': [0.28, 0.5],
  'asia-southeast2': [0.3, 0.54],
  'asia-southeast3': [0.275, 0.495],
  'australia-southeast1': [0.3, 0.54],
  'australia-southeast2': [0.3, 0.54],
  'europe-central2': [0.3, 0.54],
  'europe-north1': [0.28, 0.5],
  'europe-north2': [0.25, 0.45],
  'europe-southwest1': [0.3, 0.54],
  'europe-west1': [0.28, 0.5],
  'europe-west2': [0.3, 0.55],
  'europe-west3': [0.3, 0.54],
  'europe-west4': [0.28, 0.5],
  'europe-west6': [0.28, 0.5],
  'europe-west8': [0.29, 0.52],
  'europe-west9': [0.28, 0.5],
  'europe-west10': [0.33, 0.59],
  'europe-west12': [0.3, 0.54],
  'me-central1': [0.29, 0.53],
  'me-central2': [0.4, 0.72],
  'me-west1': [0.28, 0.5],
  'northamerica-northeast1': [0.3, 0.55],
  'northamerica-northeast2': [0.3, 0.55],
  'northamerica-south1': [0.3, 0.54],
  'southamerica-east1': [0.38, 0.68],
  'southamerica-west1': [0.35, 0.63],
  'us-central1': [0.25, 0.45],
  'us-east1': [0.25, 0.45],
  'us-east4': [0.3, 0.536],
  'us-east5': [0.25, 0.45],
  'us-south1': [0.28, 0.5],
  'us-west1': [0.25, 0.45],
  'us-west2': [0.28, 0.502],
  'us-west3': [0.28, 0.502],
  'us-west4': [0.3, 0.536],
};

const EFS_ROW = { source: 'xbill9/zombiescan@0771551, pricing/table.json (AWS Price List API)', asOf: '2026-09-21' };
const FILESTORE_ROW = {
  source: 'xbill9/zombiescan-azure@bb28c04, pricing/table.json (Google Cloud Billing Catalog API)',
  asOf: '2026-09-21',
};

const AZURE_FILES_ROW = {
  source: 'Azure Retail Prices API, Premium Files, meter Premium LRS Provisioned, in a copy of a third party',
  asOf: '2026-07-24',
  fileSystem: 'Azure Files (premium)',
};

/** Azure meters it in binary gigabytes of the size that a share requests. The copy has two regions. */
const AZURE_FILES: readonly StorageRow[] = [
  { ...AZURE_FILES_ROW, region: 'eastus', perGiBMonth: 0.16 },
  { ...AZURE_FILES_ROW, region: 'eastus2', perGiBMonth: 0.16 },
];

/** The page states one price for all regions. */
const NEBIUS: StorageRow = {
  source: 'nebius.com/prices, copied by api-evangelist/nebius',
  asOf: '2026-10-07',
  fileSystem: 'the shared file system of Nebius',
  perGiBMonth: 0.08,
};

/**
 * List prices of shared file systems in USD, from copies of the Price List API of AWS, the Billing Catalog API of
 * Google Cloud, the Retail Prices API of Azure and the price page of Nebius that third parties publish. Elastic throughput of EFS is not included. Google sells enterprise and
 * regional as one tier (cloud.google.com/filestore/pricing). Other tiers have no row, because no source states their
 * prices with a date.
 */
export const STORAGE_PRICES: readonly StorageRow[] = [
  ...AZURE_FILES,
  NEBIUS,
  ...Object.entries(EFS).map(([region, perGiBMonth]) => ({ ...EFS_ROW, fileSystem: 'EFS', region, perGiBMonth })),
  ...Object.entries(FILESTORE).flatMap(([region, [zonal, regional]]) => [
    { ...FILESTORE_ROW, fileSystem: 'Filestore (zonal)', region, perGiBMonth: zonal },
    { ...FILESTORE_ROW, fileSystem: 'Filestore (regional)', region, perGiBMonth: regional },
    { ...FILESTORE_ROW, fileSystem: 'Filestore (enterprise)', region, perGiBMonth: regional },
  ]),
];
