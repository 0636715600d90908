import type { InferenceCluster } from '../../api/inference-cluster';
import type { ResourcePath } from '../../api/kinds';
import type { Path } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { REGIONS } from '../../catalog/regions';
import { listZones } from '../../catalog/zones';
import type { Fleet } from '../../fleet/fleet';
import { isManagedCloud, isZoneOfRegion, regionOf, regionPathOf } from '../../provision/managed-cloud';

/** Finds clusters in a region, and pools in a zone, that their cloud is not known to have. Clouds add both. */
export function findRegionWarnings({ clusters }: Fleet): Diagnostic<ResourcePath>[] {
  return clusters.flatMap((resource) => [...findUnknownRegion(resource), ...findUnknownZones(resource)]);
}

function findUnknownRegion(resource: InferenceCluster): Diagnostic<ResourcePath>[] {
  const { source } = resource.spec.cluster;
  const known = REGIONS.find(({ provider }) => provider === source)?.regions ?? [];
  if (!isManagedCloud(source)) return [];
  const region = regionOf(resource);
  if (region === '' || known.includes(region)) return [];
  // A zone in place of a region is closer to its region than to any other name.
  const meant = known.find((one) => isZoneOfRegion(source, region, one));
  const near = meant ?? suggestName(region, known);
  const what = `${source} has no known region '${region}'`;
  const hint = near
    ? `Use '${near}' if you meant that`
    : 'Check the name. The catalogue has no prices and machines of other regions';
  return [warningAt('unknown-region', { resource, path: regionPathOf(source) }, what, hint)];
}

function findUnknownZones(resource: InferenceCluster): Diagnostic<ResourcePath>[] {
  const { source } = resource.spec.cluster;
  if (!isManagedCloud(source)) return [];
  const region = regionOf(resource);
  const known = listZones(source, region);
  const isKnownRegion = REGIONS.some((one) => one.provider === source && one.regions.includes(region));
  return zonesOf(resource).flatMap(({ zone, path }) => {
    // Provisioning rejects a zone of another region.
    if (!isKnownRegion || known.includes(zone) || !isZoneOfRegion(source, zone, region)) return [];
    const what = `${source} has no known zone '${zone}'`;
    const hint =
      known.length > 0 ? `Use one of ${known.join(', ')} if you meant that` : `Remove it: ${region} has no zones`;
    return [warningAt('unknown-zone', { resource, path }, what, hint)];
  });
}

/** The zones that a cluster and its pools name, with their paths. */
function zonesOf({ spec }: InferenceCluster): { readonly zone: string; readonly path: Path }[] {
  const { gke, eks } = spec.cluster;
  return [
    ...(gke?.zone === undefined ? [] : [{ zone: gke.zone, path: ['spec', 'cluster', 'gke', 'zone'] }]),
    ...(eks?.zones ?? []).map((zone, z) => ({ zone, path: ['spec', 'cluster', 'eks', 'zones', z] })),
    ...spec.nodePools.flatMap(({ zones }, p) =>
      zones.map((zone, z) => ({ zone, path: ['spec', 'nodePools', p, 'zones', z] })),
    ),
  ];
}
