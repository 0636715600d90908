import type { InferenceCluster } from '../../api/inference-cluster';
import type { ReleaseSettings, ServingStackEntry } from '../../api/serving-stack';
import type { Fleet } from '../../fleet/fleet';
import { planApplySteps } from '../../manifest/kubernetes/apply-order';
import { placeGateways } from '../../routing/placed-gateways';
import { RELEASE_DEFINITIONS } from './charts';
import { servingObjects } from './objects-without-chart';
import type { Release, ReleaseContext, ReleaseDefinition, Values } from './release';

/**
 * Returns the Helm releases of a cluster, in the order in which to install them.
 *
 * The releases depend only on the declaration of the cluster, not on placements, so that a change of the lock installs
 * and removes nothing. `servingStack` of the cluster can omit or add a release, change its version, and override its
 * values by a merge.
 *
 * @example
 * releasesOf(cluster, fleet).map(({ name }) => name); // ['lws', 'node-feature-discovery', 'dra-driver-nvidia-gpu']
 */
export function releasesOf(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): Release[] {
  const context = releaseContextOf(cluster, fleet);
  const installed = listInstalledReleases(cluster, fleet);
  const objects = planApplySteps(servingObjects(cluster)).map(({ id }) => id);
  const names = new Map<ServingStackEntry, readonly string[]>([
    ...installed.map(({ key, name }): [ServingStackEntry, string[]] => [key, [name]]),
    ['inferenceCrds', objects],
  ]);
  return installed.map((definition) => {
    const { name, namespace, needs = [] } = definition;
    const { version = definition.version } = settingsOf(definition, cluster);
    return {
      name,
      namespace,
      ...chartSourceOf(definition, cluster),
      version,
      values: valuesOf(definition, context, version),
      needs: needs.flatMap((key) => names.get(key) ?? []),
    };
  });
}

type ReleaseFleet = Pick<Fleet, 'classes' | 'clusters' | 'gateways'>;

/** Returns the definitions of the releases that a Pulumi program installs on a cluster, in that order. */
export function listInstalledReleases(cluster: InferenceCluster, fleet: ReleaseFleet): ReleaseDefinition[] {
  const context = releaseContextOf(cluster, fleet);
  return RELEASE_DEFINITIONS.filter((release) => installSettingOf(release, cluster) ?? release.needed(context));
}

/** Returns the releases that a cluster needs, including releases that `servingStack` leaves to others. */
export function listNeededReleases(cluster: InferenceCluster, fleet: ReleaseFleet): ReleaseDefinition[] {
  const context = releaseContextOf(cluster, fleet);
  return RELEASE_DEFINITIONS.filter((release) => release.needed(context));
}

/** Returns the releases that a cluster needs but `servingStack` leaves to others. They must already be installed. */
export function listReleasesLeftOut(cluster: InferenceCluster, fleet: ReleaseFleet): ReleaseDefinition[] {
  const leftOut = RELEASE_DEFINITIONS.filter((release) => isReleaseLeftOut(release, cluster));
  // The context is slow for large fleets, and few clusters omit a release that is installed by default.
  const isNarrow = leftOut.every(({ optIn }) => optIn);
  const context = isNarrow ? { cluster, classes: new Map(), gateways: [] } : releaseContextOf(cluster, fleet);
  return leftOut.filter((release) => release.needed(context));
}

/** Whether `servingStack` leaves a release to others, whether or not the cluster needs it. */
function isReleaseLeftOut(release: ReleaseDefinition, cluster: InferenceCluster): boolean {
  return installSettingOf(release, cluster) === false;
}

/** Whether a release is installed. Undefined: where it is needed. */
function installSettingOf(release: ReleaseDefinition, cluster: InferenceCluster): boolean | undefined {
  return settingsOf(release, cluster).install ?? (release.optIn ? false : undefined);
}

function releaseContextOf(cluster: InferenceCluster, fleet: ReleaseFleet): ReleaseContext {
  const { placedGateways } = placeGateways(fleet);
  const local = placedGateways.filter((placed) => placed.cluster.metadata.name === cluster.metadata.name);
  return {
    cluster,
    classes: new Map(fleet.classes.map((declared) => [declared.metadata.name, declared])),
    gateways: local.map(({ gateway }) => gateway),
  };
}

/** Returns the location of a chart: one address in a registry, or a name and the address of a Helm repository. */
function chartSourceOf(
  { chart, repository }: ReleaseDefinition,
  { spec }: InferenceCluster,
): Pick<Release, 'chart' | 'repository'> {
  const source = spec.mirror.charts ?? repository;
  return source.startsWith('oci://') ? { chart: `${source}/${chart}` } : { chart, repository: source };
}

function valuesOf(definition: ReleaseDefinition, context: ReleaseContext, version: string): Values {
  const { images } = context.cluster.spec.mirror;
  const generated = definition.values?.(context, version) ?? {};
  const mirrored = images === undefined ? {} : (definition.imageValues?.(images) ?? {});
  return mergeValues(mergeValues(generated, mirrored), settingsOf(definition, context.cluster).values);
}

function settingsOf({ key }: ReleaseDefinition, { spec }: InferenceCluster): ReleaseSettings {
  return spec.servingStack[key] ?? { values: {} };
}

/** Merges values recursively. Values of `over` replace all values except maps, including lists. */
function mergeValues(base: Values, over: Values): Values {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    return [key, isMap(below) && isMap(value) ? mergeValues(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
