import type { InferenceCluster } from '../api/inference-cluster';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { isEksZone } from './eks/network';

/** Clouds that clusters are made on. */
const CLOUDS = ['GKE', 'EKS'] as const;

/** A cloud that clusters are made on. */
export type ManagedCloud = (typeof CLOUDS)[number];

/** Whether clusters of a source are made, and not only planned and rendered. */
export function isManagedCloud(
  source: InferenceCluster['spec']['cluster']['source'],
): source is ManagedCloud {
  return CLOUDS.some((cloud) => cloud === source);
}

/** The region of a cluster that is made. */
export function regionOf({ spec: { cluster } }: InferenceCluster): string {
  return (cluster.source === 'GKE' ? cluster.gke : cluster.eks)?.region ?? '';
}

/** Zones for accelerators alone have `ai` and a number before their letter: us-central1-ai1a (Google, AI zones). */
const GOOGLE_ZONE = /^(.+)-(?:ai\d+)?[a-z]$/;

/** Whether a name is that of a zone of a region, as far as anybody can tell without asking the cloud. */
export function isZoneOfRegion(cloud: ManagedCloud, zone: string, region: string): boolean {
  return cloud === 'EKS' ? isEksZone(zone, region) : GOOGLE_ZONE.exec(zone)?.[1] === region;
}

/** What is told of a name that is none. */
export function describeBadZone(
  cloud: ManagedCloud,
  zone: string,
  region: string,
  { path, cure }: { readonly path: Path; readonly cure: string },
): Diagnostic<Path> {
  const example = cloud === 'GKE' ? `${region}-a` : `${region}a`;
  return errorAt(
    'bad-zone',
    path,
    `'${zone}' is no zone of the region ${region}`,
    `${cure} as in '${example}', or correct the region`,
  );
}
