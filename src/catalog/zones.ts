import { listRegions, REGIONS } from './regions';
import type { SourcedRow } from './row-types';

/** The zones of the regions of a cloud provider, by the ends of their names. Clouds add zones. */
interface ZoneRow extends SourcedRow {
  readonly provider: 'GKE' | 'EKS' | 'AKS';

  /** What is between the region and the end of a zone. Absent: names of zones do not contain the region. */
  readonly separator?: '-' | '';

  /** The zones of regions that have no exception. */
  readonly ends: readonly string[];
  readonly exceptions: Readonly<Record<string, readonly string[]>>;
}

const AZURE_REGIONS_WITHOUT_ZONES = `
  australiacentral australiacentral2 australiasoutheast canadaeast francesouth germanynorth jioindiacentral
  jioindiawest koreasouth northcentralus norwaywest southafricawest southindia switzerlandwest uaecentral ukwest
  usgovarizona usgovtexas westcentralus westus
`;

/** The known zones for clusters and node pools. */
export const ZONES: readonly ZoneRow[] = [
  {
    provider: 'GKE',
    source: 'cloud.google.com/compute/docs/regions-zones',
    asOf: '2026-11-01',
    secondHand: ['ends', 'exceptions'],
    separator: '-',
    ends: ['a', 'b', 'c'],
    exceptions: {
      'europe-west1': ['b', 'c', 'd'],
      'us-central1': ['a', 'b', 'c', 'f', 'ai1a'],
      'us-east1': ['b', 'c', 'd'],
      'us-south1': ['a', 'b', 'c', 'ai1b'],
    },
  },
  {
    provider: 'EKS',
    source: 'docs.aws.amazon.com, AWS Availability Zones',
    asOf: '2026-11-01',
    secondHand: ['ends', 'exceptions'],
    separator: '',
    ends: ['a', 'b', 'c'],
    exceptions: {
      'ap-northeast-1': ['a', 'b', 'c', 'd'],
      'ap-northeast-2': ['a', 'b', 'c', 'd'],
      'ca-central-1': ['a', 'b', 'd'],
      'us-east-1': ['a', 'b', 'c', 'd', 'e', 'f'],
      'us-west-2': ['a', 'b', 'c', 'd'],
    },
  },
  {
    provider: 'AKS',
    source: 'learn.microsoft.com, Azure regions list',
    asOf: '2026-11-01',
    secondHand: ['ends', 'exceptions'],
    ends: ['1', '2', '3'],
    exceptions: Object.fromEntries(listRegions(AZURE_REGIONS_WITHOUT_ZONES).map((region) => [region, []])),
  },
];

/** Lists the known zones of a region. Empty for a region or provider that is not known. */
export function listZones(provider: string, region: string): string[] {
  const row = ZONES.find((one) => one.provider === provider);
  const isKnown = REGIONS.some((one) => one.provider === provider && one.regions.includes(region));
  if (!row || !isKnown) return [];
  const { separator, ends, exceptions } = row;
  return (exceptions[region] ?? ends).map((end) => (separator === undefined ? end : `${region}${separator}${end}`));
}
