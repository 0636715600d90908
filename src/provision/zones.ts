import type { Finding, Path } from '../api/resource';
import { isEksZone } from './eks-network';
import type { MadeOn } from './made-on';

/** Zones for accelerators alone have `ai` and a number before their letter: us-central1-ai1a (Google, AI zones). */
const ZONE_OF_GOOGLE = /^(.+)-(?:ai\d+)?[a-z]$/;

/** Whether a name is that of a zone of a region, as far as anybody can tell without asking the cloud. */
export function isZone(cloud: MadeOn, zone: string, region: string): boolean {
  return cloud === 'EKS' ? isEksZone(zone, region) : ZONE_OF_GOOGLE.exec(zone)?.[1] === region;
}

/** What is told of a name that is none. */
export function noZone(
  cloud: MadeOn,
  zone: string,
  region: string,
  { path, cure }: { readonly path: Path; readonly cure: string },
): Finding {
  const example = cloud === 'GKE' ? `${region}-a` : `${region}a`;
  return {
    code: 'bad-zone',
    path,
    what: `'${zone}' is no zone of the region ${region}`,
    hint: `${cure} as in '${example}', or correct the region`,
  };
}
