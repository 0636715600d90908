import { SOURCE_BLOCK } from '../api/cloud-providers';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { suggestName } from '../base/name-suggestion';
import { REGIONS } from '../catalog/regions';
import { listZones } from '../catalog/zones';
import { isEksZone } from './eks/network';

/** The clouds on which Fleetwright creates clusters. */
export const MANAGED_CLOUDS = ['GKE', 'EKS', 'AKS'] as const;

/** A cloud on which Fleetwright creates clusters. */
export type ManagedCloud = (typeof MANAGED_CLOUDS)[number];

/** Whether Fleetwright creates clusters of a source, in addition to planning and rendering them. */
export function isManagedCloud(source: InferenceCluster['spec']['cluster']['source']): source is ManagedCloud {
  return MANAGED_CLOUDS.some((cloud) => cloud === source);
}

/** Returns the region of a managed cluster. */
export function regionOf({ spec: { cluster } }: InferenceCluster): string {
  const { source, gke, eks, aks } = cluster;
  const regions = { GKE: gke?.region, EKS: eks?.region, AKS: aks?.location };
  return (isManagedCloud(source) ? regions[source] : undefined) ?? '';
}

/** The path of the region of a managed cluster. */
export function regionPathOf(cloud: ManagedCloud): Path {
  return ['spec', 'cluster', SOURCE_BLOCK[cloud], cloud === 'AKS' ? 'location' : 'region'];
}

/** AI zones of Google have `ai` and a number before their letter: us-central1-ai1a. */
const GOOGLE_ZONE = /^(.+)-(?:ai\d+)?[a-z]$/;

/** Zones of Azure are numbers, the same in every region. */
const AZURE_ZONE = /^[1-9]$/;

const IS_ZONE_OF_REGION: Readonly<Record<ManagedCloud, (zone: string, region: string) => boolean>> = {
  GKE: (zone, region) => GOOGLE_ZONE.exec(zone)?.[1] === region,
  EKS: isEksZone,
  AKS: (zone) => AZURE_ZONE.test(zone),
};

/** An example of a zone in a region of which no zone is known. */
const ZONE_EXAMPLES: Readonly<Record<ManagedCloud, (region: string) => string>> = {
  GKE: (region) => `${region}-a`,
  EKS: (region) => `${region}a`,
  AKS: () => '1',
};

/** Whether a name has the format of a zone in a region. It does not check that the zone exists. */
export function isZoneOfRegion(cloud: ManagedCloud, zone: string, region: string): boolean {
  return IS_ZONE_OF_REGION[cloud](zone, region);
}

/** The region that was probably meant: one whose first word is abbreviated, or that differs by few letters. */
export function suggestRegion(region: string, regions: readonly string[]): string | undefined {
  const [first = '', ...rest] = region.split('-');
  const end = ['', ...rest].join('-');
  const isShort = first.length > 1 && rest.length > 0;
  const whole = regions.find((one) => isShort && one.startsWith(first) && one.slice(one.indexOf('-')) === end);
  return whole ?? suggestName(region, regions);
}

/** Reports a name that is not a zone of the region. */
export function* checkZoneName(
  cloud: ManagedCloud,
  zone: string,
  region: string,
  { path, cure }: { readonly path: Path; readonly cure: string },
): Iterable<Diagnostic<Path>> {
  if (isZoneOfRegion(cloud, zone, region)) return;
  const known = listZones(cloud, region);
  const { regions = [] } = REGIONS.find(({ provider }) => provider === cloud) ?? {};
  const other = regions.find((one) => isZoneOfRegion(cloud, zone, one));
  const meant = other ? undefined : suggestName(zone, known);
  const example = known[0] ?? ZONE_EXAMPLES[cloud](region);
  const hint = meant ? `Did you mean '${meant}'?` : `${cure} as in '${example}', or correct the region`;
  // The region is what is misspelled: an example of its zones would have the same error.
  const isMisspelled = other !== undefined && !regions.includes(region) && suggestRegion(region, regions) === other;
  const what = `'${zone}' is not a zone of the region ${region}${isMisspelled ? ', which is not known' : ''}`;
  yield errorAt('bad-zone', path, what, isMisspelled ? `Did you mean the region '${other}'?` : hint);
}
