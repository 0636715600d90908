import type { Fault } from '../api/checks/fault';
import { REGIONS } from '../catalog/regions';
import type { Fleet } from '../fleet';
import { nearest } from '../nearest';

/** Clusters in a region that their cloud is not known to have, and that is like one that it has. */
export function regionWarnings({ clusters }: Fleet): Fault[] {
  return clusters.flatMap((resource) => {
    const { source, gke, eks } = resource.spec.cluster;
    const [block, region] = source === 'GKE' ? ['gke', gke?.region] : ['eks', eks?.region];
    const known = REGIONS.find(({ provider }) => provider === source)?.regions ?? [];
    const meant = region === undefined || known.includes(region) ? undefined : nearest(region, known);
    if (!meant) return [];
    return [
      {
        code: 'unknown-region',
        resource,
        path: ['spec', 'cluster', block, 'region'],
        what: `${source} is not known to have a region '${region}'`,
        hint: `Use '${meant}' if that is meant`,
      },
    ];
  });
}
