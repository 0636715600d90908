import type { InferenceCluster } from '../../api/inference-cluster';
import type { ReleaseSettings, ServingName } from '../../api/serving-stack';
import type { Fleet } from '../../fleet';
import { applySteps } from '../../render/apply-steps';
import { standingsOf } from '../../routing/standing';
import { DEFINITIONS } from './definitions';
import { mergeValues } from './merge';
import type { Release, ReleaseDefinition, Site, Values } from './release';
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
  const site = siteOf(cluster, fleet);
  const installed = releasesInstalled(cluster, fleet);
  const names = new Map<ServingName, readonly string[]>(installed.map(({ key, name }) => [key, [name]]));
  names.set(
    'inferenceCrds',
    applySteps(servingObjects(cluster)).map(({ id }) => id),
  );
  return installed.map((definition) => ({
    ...chartOf(definition, site),
    needs: definition.needs.flatMap((key) => names.get(key) ?? []),
  }));
}

/** The releases that a Pulumi program installs on a cluster, in that order, before anything is made of them. */
export function releasesInstalled(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const site = siteOf(cluster, fleet);
  return DEFINITIONS.filter((one) => settingsOf(one, site).install ?? one.needed(site));
}

/** The releases that a cluster needs whoever installs them: also those that `servingStack` leaves to others. */
export function releasesNeeded(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const site = siteOf(cluster, fleet);
  return DEFINITIONS.filter((one) => one.needed(site));
}

function siteOf(cluster: InferenceCluster, fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>): Site {
  const { standings } = standingsOf(fleet);
  const here = standings.filter((one) => one.cluster.metadata.name === cluster.metadata.name);
  return {
    cluster,
    classes: new Map(fleet.classes.map((one) => [one.metadata.name, one])),
    gateways: here.map(({ gateway }) => gateway),
  };
}

function chartOf(definition: ReleaseDefinition, site: Site): Omit<Release, 'needs'> {
  const { name, namespace } = definition;
  const { version = definition.version } = settingsOf(definition, site);
  return {
    name,
    namespace,
    ...source(definition, site),
    version,
    values: valuesOf(definition, site, version),
  };
}

/** Where the chart is: a registry takes one address, a Helm repository a name and the address of the repository. */
function source(
  { chart, repository }: ReleaseDefinition,
  { cluster }: Site,
): Pick<Release, 'chart' | 'repository'> {
  const place = cluster.spec.mirror.charts ?? repository;
  return place.startsWith('oci://') ? { chart: `${place}/${chart}` } : { chart, repository: place };
}

function valuesOf(definition: ReleaseDefinition, site: Site, version: string): Values {
  const { images } = site.cluster.spec.mirror;
  const ours = definition.values(site, version);
  const mirrored = images === undefined ? ours : mergeValues(ours, definition.imageValues(images));
  return mergeValues(mirrored, settingsOf(definition, site).values);
}

const AS_IS: ReleaseSettings = { values: {} };

function settingsOf({ key }: ReleaseDefinition, { cluster }: Site): ReleaseSettings {
  return cluster.spec.servingStack[key] ?? AS_IS;
}
