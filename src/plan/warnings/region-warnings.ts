import { clusterLabelsOf } from '../../api/cluster-labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ResourcePath } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import { PROVIDER_LABEL, REGION_LABEL } from '../../api/labels';
import type { Path } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { valueAt } from '../../base/json';
import { suggestName } from '../../base/name-suggestion';
import { REGIONS } from '../../catalog/regions';
import { listZones } from '../../catalog/zones';
import type { Fleet } from '../../fleet/fleet';
import {
  findCloudOfRegion,
  isManagedCloud,
  MANAGED_CLOUDS,
  isZoneOfRegion,
  regionOf,
  regionPathOf,
  suggestRegion,
} from '../../provision/managed-cloud';

/** Finds clusters and buckets in a region, and pools in a zone, that their cloud is not known to have. Clouds add both. */
export function findRegionWarnings({ classes, clusters, caches }: Fleet): Diagnostic<ResourcePath>[] {
  const machines = new Map(classes.map(({ metadata, spec }) => [metadata.name, spec.from]));
  const onClusters = clusters.flatMap((resource) => [
    ...findUnknownRegion(resource),
    ...findUnknownLabel(resource),
    ...findUnknownZones(resource),
    ...findRegionWithoutMachines(resource, machines),
  ]);
  return [...onClusters, ...caches.flatMap(findUnknownBucketRegion)];
}

/** Finds a bucket of AWS in a region that it is not known to have. Other stores name regions as they like. */
function findUnknownBucketRegion(resource: ModelCache): Diagnostic<ResourcePath>[] {
  const { region, endpoint } = resource.spec.s3 ?? {};
  const known = REGIONS.find(({ provider }) => provider === 'EKS')?.regions ?? [];
  if (region === undefined || endpoint !== undefined || known.includes(region)) return [];
  const near = suggestRegion(region, known);
  const hint = near ? hintAtRegion(near) : 'Check the name';
  const path = ['spec', 's3', 'region'];
  return [warningAt('unknown-region', { resource, path }, `AWS has no known region '${region}'`, hint)];
}

/** Where a cluster states a region that is not the field of a managed cloud. A label wins. */
const REGION_PATHS: readonly Path[] = [
  ['metadata', 'labels', REGION_LABEL],
  ['spec', 'cluster', 'custom', 'region'],
  ['spec', 'cluster', 'vultr', 'region'],
];

const UNMANAGED_REGIONS = REGIONS.filter(({ provider }) => !MANAGED_CLOUDS.some((cloud) => cloud === provider));

/** Finds a cluster whose pools have machines of a cloud that is not known to have its region. */
function* findRegionWithoutMachines(
  resource: InferenceCluster,
  machines: ReadonlyMap<string, string | undefined>,
): Iterable<Diagnostic<ResourcePath>> {
  const region = clusterLabelsOf(resource)[REGION_LABEL];
  const path = REGION_PATHS.find((one) => valueAt(resource, one) === region);
  if (isManagedCloud(resource.spec.cluster.source) || region === undefined || !path) return;
  for (const { provider, prefix, regions } of UNMANAGED_REGIONS) {
    if (regions.includes(region)) continue;
    const machine = resource.spec.nodePools
      .map(({ className }) => machines.get(className))
      .find((one) => one?.startsWith(`${prefix}/`));
    if (machine === undefined) continue;
    const what = `'${machine}' is a machine of ${provider}, which has no known region '${region}'`;
    yield warningAt('unknown-region', { resource, path }, what, hintAtRegion(suggestName(region, regions)));
  }
}

function findUnknownRegion(resource: InferenceCluster): Diagnostic<ResourcePath>[] {
  const { source } = resource.spec.cluster;
  const known = REGIONS.find(({ provider }) => provider === source)?.regions ?? [];
  if (!isManagedCloud(source)) return [];
  const region = regionOf(resource);
  if (region === '' || known.includes(region)) return [];
  // A zone in place of a region is closer to its region than to any other name.
  const meant = known.find((one) => isZoneOfRegion(source, region, one));
  const near = meant ?? suggestRegion(region, known);
  const cloud = findCloudOfRegion(region);
  const what = `${source} has no known region '${region}'${cloud === undefined ? '' : `, which is a region of ${cloud}`}`;
  return [warningAt('unknown-region', { resource, path: regionPathOf(source) }, what, hintAtRegion(near))];
}

/** Finds a cluster that another tool creates, whose labels name a cloud and a region that the cloud is not known to have. */
function findUnknownLabel(resource: InferenceCluster): Diagnostic<ResourcePath>[] {
  const { [PROVIDER_LABEL]: provider, [REGION_LABEL]: region } = resource.metadata.labels;
  if (isManagedCloud(resource.spec.cluster.source) || region === undefined) return [];
  const known = REGIONS.find((one) => MANAGED_CLOUDS.some((cloud) => cloud === provider) && one.provider === provider);
  if (!known || known.regions.includes(region)) return [];
  const what = `${provider} has no known region '${region}'`;
  const path = ['metadata', 'labels', REGION_LABEL];
  return [warningAt('unknown-region', { resource, path }, what, hintAtRegion(suggestRegion(region, known.regions)))];
}

function hintAtRegion(near: string | undefined): string {
  return near
    ? `Use '${near}' if you meant that`
    : 'Check the name. The catalog has no prices and machines of other regions';
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
