import type { SourcedRow } from './row-types';

/** The regions of a cloud provider. Clouds add regions, so an unknown name can be valid. */
interface RegionRow extends SourcedRow {
  readonly provider: 'GKE' | 'EKS' | 'AKS' | 'Nebius' | 'Vultr' | 'CoreWeave' | 'Lambda' | 'OCI';

  /** The part before the slash in the names of its instance types. */
  readonly prefix: string;
  readonly regions: readonly string[];
}

/** The known regions for clusters. */
export const REGIONS: readonly RegionRow[] = [
  {
    provider: 'GKE',
    prefix: 'gcp',
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
    prefix: 'aws',
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
    prefix: 'azure',
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
  {
    provider: 'Nebius',
    prefix: 'nebius',
    source: 'nebius/nebius-solutions-library, defaults of regions',
    asOf: '2026-11-24',
    secondHand: ['regions'],
    regions: listRegions('eu-north1 eu-north2 eu-west1 eu-west2 me-west1 uk-south1 us-central1'),
  },
  {
    provider: 'Vultr',
    prefix: 'vultr',
    source: 'api.vultr.com, list of regions',
    asOf: '2026-11-24',
    secondHand: ['regions'],
    regions: listRegions(`
      ams atl blr bom cdg del dfw ewr fra hnl icn itm jnb lax lhr mad man mel mex mia nrt ord sao scl sea sgp sjc sto
      syd tlv waw yto
    `),
  },
  {
    provider: 'CoreWeave',
    prefix: 'coreweave',
    source: "docs.coreweave.com, instance availability matrix, in a third party's copy",
    asOf: '2026-10-04',
    secondHand: ['regions'],
    regions: listRegions(`
      CA-EAST-01
      EU-SOUTH-03 EU-SOUTH-04
      RNO2
      US-CENTRAL-06 US-CENTRAL-07 US-CENTRAL-09
      US-EAST-01 US-EAST-02 US-EAST-04 US-EAST-06 US-EAST-08 US-EAST-13 US-EAST-14 US-EAST-15 US-EAST-17
      US-WEST-01 US-WEST-02 US-WEST-04 US-WEST-09 US-WEST-10
    `),
  },
  {
    provider: 'Lambda',
    prefix: 'lambda',
    source: 'skypilot-org/skypilot-catalog at 0f40703, v8/lambda/vms.csv',
    asOf: '2026-11-24',
    regions: listRegions(`
      asia-northeast-1 asia-northeast-2 asia-south-1
      australia-east-1
      europe-central-1 europe-south-1
      me-west-1
      us-east-1 us-east-2 us-east-3 us-midwest-1 us-south-1 us-south-2 us-south-3 us-west-1 us-west-2 us-west-3
    `),
  },
  {
    provider: 'OCI',
    prefix: 'oci',
    source: 'The regions of the realm OC1 in the JavaScript SDK of Oracle, and those of SkyPilot',
    asOf: '2026-11-24',
    secondHand: ['regions'],
    regions: listRegions(`
      af-casablanca-1 af-johannesburg-1
      ap-chuncheon-1 ap-hyderabad-1 ap-melbourne-1 ap-mumbai-1 ap-osaka-1 ap-seoul-1 ap-singapore-1 ap-singapore-2
      ap-sydney-1 ap-tokyo-1
      ca-montreal-1 ca-toronto-1
      eu-amsterdam-1 eu-frankfurt-1 eu-madrid-1 eu-marseille-1 eu-milan-1 eu-paris-1 eu-stockholm-1 eu-zurich-1
      il-jerusalem-1
      me-abudhabi-1 me-dubai-1 me-jeddah-1 me-riyadh-1
      mx-monterrey-1 mx-queretaro-1
      sa-bogota-1 sa-santiago-1 sa-saopaulo-1 sa-valparaiso-1 sa-vinhedo-1
      uk-cardiff-1 uk-london-1
      us-ashburn-1 us-chicago-1 us-phoenix-1 us-saltlake-2 us-sanjose-1
    `),
  },
];

/** Reads names that are separated by white space. Each area of the world has lines of its own. */
export function listRegions(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}
