import type { InferenceCluster } from '../../api/inference-cluster';
import type { ReleaseSettings, ServingStackEntry } from '../../api/serving-stack';
import type { Fleet } from '../../fleet/fleet';
import { planApplySteps } from '../../manifest/kubernetes/apply-order';
import { placeGateways } from '../../routing/placed-gateways';
import { RELEASE_DEFINITIONS } from './charts';
import type { Release, ReleaseContext, ReleaseDefinition, Values } from './release';
import { servingObjects } from './serving-objects';

/**
 * The Helm releases of a cluster, in the order in which to install them.
 *
 * Only what the cluster declares decides, never what is placed there, so that a change of the lock installs and
 * removes nothing. `servingStack` of the cluster overrides: a release is left out or added, its version and values
 * are changed, values being merged over ours.
 *
 * @example
 * releasesOf(cluster, fleet).map(({ name }) => name); // ['lws', 'node-feature-discovery', 'dra-driver-nvidia-gpu']
 */
export function releasesOf(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): Release[] {
  const site = releaseContextOf(cluster, fleet);
  const installed = listInstalledReleases(cluster, fleet);
  const names = new Map<ServingStackEntry, readonly string[]>(
    installed.map(({ key, name }) => [key, [name]]),
  );
  names.set(
    'inferenceCrds',
    planApplySteps(servingObjects(cluster)).map(({ id }) => id),
  );
  return installed.map((definition) => ({
    ...chartOf(definition, site),
    needs: definition.needs.flatMap((key) => names.get(key) ?? []),
  }));
}

/** The releases that a Pulumi program installs on a cluster, in that order, before anything is made of them. */
export function listInstalledReleases(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const site = releaseContextOf(cluster, fleet);
  return RELEASE_DEFINITIONS.filter((one) => settingsOf(one, site).install ?? one.needed(site));
}

/** The releases that a cluster needs whoever installs them: also those that `servingStack` leaves to others. */
export function listNeededReleases(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const site = releaseContextOf(cluster, fleet);
  return RELEASE_DEFINITIONS.filter((one) => one.needed(site));
}

function releaseContextOf(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseContext {
  const { placedGateways: standings } = placeGateways(fleet);
  const here = standings.filter((one) => one.cluster.metadata.name === cluster.metadata.name);
  return {
    cluster,
    classes: new Map(fleet.classes.map((one) => [one.metadata.name, one])),
    gateways: here.map(({ gateway }) => gateway),
  };
}

function chartOf(definition: ReleaseDefinition, site: ReleaseContext): Omit<Release, 'needs'> {
  const { name, namespace } = definition;
  const { version = definition.version } = settingsOf(definition, site);
  return {
    name,
    namespace,
    ...chartSourceOf(definition, site),
    version,
    values: valuesOf(definition, site, version),
  };
}

/** Where the chart is: a registry takes one address, a Helm repository a name and the address of the repository. */
function chartSourceOf(
  { chart, repository }: ReleaseDefinition,
  { cluster }: ReleaseContext,
): Pick<Release, 'chart' | 'repository'> {
  const place = cluster.spec.mirror.charts ?? repository;
  return place.startsWith('oci://') ? { chart: `${place}/${chart}` } : { chart, repository: place };
}

function valuesOf(definition: ReleaseDefinition, site: ReleaseContext, version: string): Values {
  const { images } = site.cluster.spec.mirror;
  const ours = definition.values(site, version);
  const mirrored = images === undefined ? ours : mergeValues(ours, definition.imageValues(images));
  return mergeValues(mirrored, settingsOf(definition, site).values);
}

const DEFAULT_SETTINGS: ReleaseSettings = { values: {} };

function settingsOf({ key }: ReleaseDefinition, { cluster }: ReleaseContext): ReleaseSettings {
  return cluster.spec.servingStack[key] ?? DEFAULT_SETTINGS;
}

/** The releases that a cluster needs and that its `servingStack` leaves to others: they have to be there. */
export function listReleasesLeftOut(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const isLeftOut = ({ key }: ReleaseDefinition): boolean =>
    cluster.spec.servingStack[key]?.install === false;
  // Who needs what takes long on large fleets, and hardly any cluster leaves something out.
  return RELEASE_DEFINITIONS.some(isLeftOut) ? listNeededReleases(cluster, fleet).filter(isLeftOut) : [];
}

/** Values over values: maps are merged, everything else, lists too, is replaced. */
export function mergeValues(base: Values, over: Values): Values {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    return [key, isMap(below) && isMap(value) ? mergeValues(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
