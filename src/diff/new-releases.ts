import { isGang } from '../api/engine-copies';
import type { InferenceCluster } from '../api/inference-cluster';
import type { PlacedFleet } from '../plan/decision';
import { isManagedCloud } from '../provision/managed-cloud';
import { listInstalledReleases } from '../provision/releases/cluster-releases';
import type { ReleaseDefinition } from '../provision/releases/release';
import type { DeclarationChange } from './declaration-changes';

/** Releases that a cluster needs since a change: what the change applies there may use their kinds. */
export interface NewReleases {
  readonly cluster: string;

  /** Their names, in the order in which they are installed. */
  readonly releases: readonly string[];

  /** Whether a Pulumi stack creates the cluster, and so installs them. */
  readonly created: boolean;
}

type PlacedReplicas = Pick<PlacedFleet, 'fleet' | 'replicas'>;

/**
 * Finds the releases that are new on clusters that both states have, and all of those of new clusters that no stack
 * creates. A stack that creates a cluster installs them anyway.
 */
export function findNewReleases(
  declarations: readonly DeclarationChange[],
  before: PlacedReplicas,
  after: PlacedReplicas,
): NewReleases[] {
  const edited = new Set(declarations.map(({ id }) => id));
  const isAny = [...edited].some((id) => SHARED.test(id));
  const earlier = new Map(before.fleet.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const firstGangs = listFirstGangs(before, after);
  return after.fleet.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    const was = earlier.get(name);
    const created = isManagedCloud(cluster.spec.cluster.source);
    const isEdited = isAny || edited.has(`InferenceCluster ${name}`);
    if (was ? !isEdited && !firstGangs.has(name) : created) return [];
    const known = was ? listInstalledReleases(was, before.fleet) : [];
    const needed = listInstalledReleases(cluster, after.fleet);
    const isNew = (one: ReleaseDefinition): boolean => {
      const isForGangs = isForGangsAlone(one, cluster, was ? known : needed);
      if (isForGangs && (firstGangs.has(name) || !was)) return firstGangs.has(name);
      return known.every(({ key }) => key !== one.key);
    };
    const releases = needed.flatMap((one) => (isNew(one) ? [one.name] : []));
    return releases.length > 0 ? [{ cluster: name, releases, created }] : [];
  });
}

/** Declarations that may decide the releases of clusters. */
const SHARED = /^Inference(Class|Gateway) /;

/** The clusters with gangs that had none before. */
function listFirstGangs(before: PlacedReplicas, after: PlacedReplicas): Set<string> {
  const had = listGangClusters(before);
  return new Set([...listGangClusters(after)].filter((name) => !had.has(name)));
}

function listGangClusters({ replicas }: PlacedReplicas): Set<string> {
  const gangs = replicas.filter(({ engines }) => engines.some(({ engine }) => isGang(engine)));
  return new Set(gangs.map(({ cluster }) => cluster.metadata.name));
}

/** Whether a release is for gangs alone, so that people who install releases may leave it out until there is one. */
function isForGangsAlone(
  { key }: ReleaseDefinition,
  { spec }: InferenceCluster,
  installed: readonly ReleaseDefinition[],
): boolean {
  const isNeeded = installed.some(({ needs = [] }) => needs.includes(key));
  return key === 'leaderWorkerSet' && !isNeeded && !isManagedCloud(spec.cluster.source);
}
