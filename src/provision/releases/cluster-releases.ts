import type { InferenceCluster } from '../../api/inference-cluster';
import type { ReleaseSettings, ServingStackEntry } from '../../api/serving-stack';
import type { Fleet } from '../../fleet/fleet';
import { planApplySteps } from '../../manifest/kubernetes/apply-order';
import { placeGateways } from '../../routing/placed-gateways';
import { RELEASE_DEFINITIONS } from './charts';
import type { Release, ReleaseContext, ReleaseDefinition, Values } from './release';
import { servingObjects } from './serving-objects';

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
  const names = new Map<ServingStackEntry, readonly string[]>(installed.map(({ key, name }) => [key, [name]]));
  names.set(
    'inferenceCrds',
    planApplySteps(servingObjects(cluster)).map(({ id }) => id),
  );
  return installed.map((definition) => ({
    ...toChart(definition, context),
    needs: definition.needs.flatMap((key) => names.get(key) ?? []),
  }));
}

/** Returns the definitions of the releases that a Pulumi program installs on a cluster, in that order. */
export function listInstalledReleases(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const context = releaseContextOf(cluster, fleet);
  return RELEASE_DEFINITIONS.filter((release) => settingsOf(release, context).install ?? release.needed(context));
}

/** Returns the releases that a cluster needs, including releases that `servingStack` leaves to others. */
export function listNeededReleases(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const context = releaseContextOf(cluster, fleet);
  return RELEASE_DEFINITIONS.filter((release) => release.needed(context));
}

function releaseContextOf(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseContext {
  const { placedGateways } = placeGateways(fleet);
  const local = placedGateways.filter((placed) => placed.cluster.metadata.name === cluster.metadata.name);
  return {
    cluster,
    classes: new Map(fleet.classes.map((declared) => [declared.metadata.name, declared])),
    gateways: local.map(({ gateway }) => gateway),
  };
}

function toChart(definition: ReleaseDefinition, context: ReleaseContext): Omit<Release, 'needs'> {
  const { name, namespace } = definition;
  const { version = definition.version } = settingsOf(definition, context);
  return {
    name,
    namespace,
    ...chartSourceOf(definition, context),
    version,
    values: valuesOf(definition, context, version),
  };
}

/** Returns the location of a chart: one address in a registry, or a name and the address of a Helm repository. */
function chartSourceOf(
  { chart, repository }: ReleaseDefinition,
  { cluster }: ReleaseContext,
): Pick<Release, 'chart' | 'repository'> {
  const source = cluster.spec.mirror.charts ?? repository;
  return source.startsWith('oci://') ? { chart: `${source}/${chart}` } : { chart, repository: source };
}

function valuesOf(definition: ReleaseDefinition, context: ReleaseContext, version: string): Values {
  const { images } = context.cluster.spec.mirror;
  const generated = definition.values(context, version);
  const mirrored = images === undefined ? generated : mergeValues(generated, definition.imageValues(images));
  return mergeValues(mirrored, settingsOf(definition, context).values);
}

const DEFAULT_SETTINGS: ReleaseSettings = { values: {} };

function settingsOf({ key }: ReleaseDefinition, { cluster }: ReleaseContext): ReleaseSettings {
  return cluster.spec.servingStack[key] ?? DEFAULT_SETTINGS;
}

/** Returns the releases that a cluster needs but `servingStack` leaves to others. They must already be installed. */
export function listReleasesLeftOut(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const isLeftOut = ({ key }: ReleaseDefinition): boolean => cluster.spec.servingStack[key]?.install === false;
  // `listNeededReleases` is slow for large fleets, and few clusters omit a release.
  return RELEASE_DEFINITIONS.some(isLeftOut) ? listNeededReleases(cluster, fleet).filter(isLeftOut) : [];
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
