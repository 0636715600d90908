import { SOURCE_BLOCK } from '../api/cloud-providers';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { suggestName } from '../base/name-suggestion';
import { capitalize } from '../base/text';
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

/**
 * The region that was probably meant: one of the same words (`us-east-2` for `eastus2`), one whose first word is
 * abbreviated, or one that differs by few letters.
 */
export function suggestRegion(region: string, regions: readonly string[]): string | undefined {
  const words = region.toLowerCase().split(/[\s_-]+/);
  const sameWords = regions.find((one) => hasWords(one.replaceAll('-', ''), words));
  if (sameWords !== undefined) return sameWords;
  const [first = '', ...rest] = splitRegion(region);
  const whole = regions.find((one) => {
    const [word = '', ...others] = splitRegion(one);
    const isSame = word.startsWith(first) || first.startsWith(word);
    return first.length > 1 && rest.length > 0 && isSame && others.join() === rest.join();
  });
  // Of the names of another cloud, the most similar one is in another part of the world.
  return whole ?? (findCloudOfRegion(region) === undefined ? suggestName(region, regions) : undefined);
}

/** `['eu', 'west1']` for `eu-west-1` of AWS, and for `eu-west1`. */
function splitRegion(region: string): string[] {
  return region.replace(/-(?=\d)/, '').split('-');
}

/** The cloud that is known to have a region. */
export function findCloudOfRegion(region: string): string | undefined {
  return REGIONS.find(({ regions }) => regions.includes(region))?.provider;
}

/** Whether a text is made of words, in any order. */
function hasWords(text: string, [word, ...others]: readonly string[]): boolean {
  if (word === undefined) return text === '';
  return text.includes(word) && hasWords(text.replace(word, ''), others);
}

/** The region that was meant in place of an unknown one, by one of its zones. */
export function findMeantRegion(cloud: ManagedCloud, zone: string, region: string): string | undefined {
  const { regions = [] } = REGIONS.find(({ provider }) => provider === cloud) ?? {};
  if (regions.includes(region)) return undefined;
  const other = regions.find((one) => isZoneOfRegion(cloud, zone, one));
  return other !== undefined && suggestRegion(region, regions) === other ? other : undefined;
}

/** Reports a name that is not a zone of the region. A region that is misspelled is reported once, for all of its zones. */
export function* checkZoneName(
  cloud: ManagedCloud,
  zone: string,
  region: string,
  { path, cure }: { readonly path: Path; readonly cure: string },
): Iterable<Diagnostic<Path>> {
  if (isZoneOfRegion(cloud, zone, region) || findMeantRegion(cloud, zone, region) !== undefined) return;
  const known = listZones(cloud, region);
  const { regions = [] } = REGIONS.find(({ provider }) => provider === cloud) ?? {};
  const other = regions.find((one) => isZoneOfRegion(cloud, zone, one));
  const meant = other ? undefined : suggestName(zone, known);
  // Zones of a region that does not exist are none to use.
  const near = regions.includes(region) ? undefined : (suggestRegion(region, regions) ?? other);
  const example = listZones(cloud, near ?? region)[0] ?? ZONE_EXAMPLES[cloud](near ?? region);
  const correct = `correct the region${near === undefined ? '' : `: did you mean '${near}'?`}`;
  const isInNear = near !== undefined && near === other;
  const listed = isInNear ? capitalize(correct) : `${cure} as in '${example}', or ${correct}`;
  const hint = meant ? `Did you mean '${meant}'?` : listed;
  yield errorAt('bad-zone', path, `'${zone}' is not a zone of the region ${region}`, hint);
}
