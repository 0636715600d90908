import type { SourcedRow } from './row-types';

/** The regions of a cloud provider. Clouds add regions, so an unknown name can be valid. */
interface RegionRow extends SourcedRow {
  readonly provider: 'GKE' | 'EKS' | 'AKS';
  readonly regions: readonly string[];
}

/** The known regions for clusters. */
export const REGIONS: readonly RegionRow[] = [
  {
    provider: 'GKE',
    source: 'cloud.google.com/compute/docs/regions-zones',
    asOf: '2026-11-01',
    secondHand: ['regions'],
    regions: listRegions(`
      africa-south1
      asia-east1 asia-east2 asia-northeast1 asia-northeast2 asia-northeast3 asia-south1 asia-south2
      asia-southeast1 asia-southeast2 asia-southeast3
      australia-southeast1 australia-southeast2
      europe-central2 europe-north1 europe-north2 europe-southwest1 europe-west1 europe-west2 europe-west3
      europe-west4 europe-west6 europe-west8 europe-west9 europe-west10 europe-west12
      me-central1 me-central2 me-west1
      northamerica-northeast1 northamerica-northeast2 northamerica-south1
      southamerica-east1 southamerica-west1
      us-central1 us-east1 us-east4 us-east5 us-south1 us-west1 us-west2 us-west3 us-west4
    `),
  },
  {
    provider: 'EKS',
    source: 'docs.aws.amazon.com, AWS Regions',
    asOf: '2026-11-01',
    secondHand: ['regions'],
    regions: listRegions(`
      af-south-1
      ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1
      ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7
      ca-central-1 ca-west-1
      eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3
      il-central-1
      me-central-1 me-south-1
      mx-central-1
      sa-east-1
      us-east-1 us-east-2 us-gov-east-1 us-gov-west-1 us-west-1 us-west-2
    `),
  },
  {
    provider: 'AKS',
    source: 'Azure/karpenter-provider-azure at 352646f, zz_generated.pricing.go',
    asOf: '2026-06-18',
    secondHand: ['regions'],
    regions: listRegions(`
      australiacentral australiacentral2 australiaeast australiasoutheast austriaeast belgiumcentral
      brazilsouth canadacentral canadaeast centralindia centralus chilecentral eastasia eastus eastus2
      francecentral francesouth germanynorth germanywestcentral indonesiacentral israelcentral italynorth
      japaneast japanwest jioindiacentral jioindiawest koreacentral koreasouth malaysiawest mexicocentral
      newzealandnorth northcentralus northeurope norwayeast norwaywest polandcentral qatarcentral
      southafricanorth southafricawest southcentralus southeastasia southindia spaincentral swedencentral
      switzerlandnorth switzerlandwest uaecentral uaenorth uksouth ukwest usgovarizona usgovtexas
      usgovvirginia westcentralus westeurope westus westus2 westus3
    `),
  },
];

/** Reads names that are separated by white space. Each area of the world has lines of its own. */
export function listRegions(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}
