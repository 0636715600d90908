import type { Fleet } from '../fleet/fleet';
import { isManagedCloud } from '../provision/managed-cloud';
import { listInstalledReleases } from '../provision/releases/cluster-releases';
import type { DeclarationChange } from './declaration-changes';

/** Releases that a cluster needs since a change: what the change applies there may use their kinds. */
export interface NewReleases {
  readonly cluster: string;

  /** Their names, in the order in which they are installed. */
  readonly releases: readonly string[];

  /** Whether a Pulumi stack creates the cluster, and so installs them. */
  readonly created: boolean;
}

/** Finds the releases that are new on clusters that both states have. A new cluster gets all of its own. */
export function findNewReleases(
  declarations: readonly DeclarationChange[],
  before: Fleet,
  after: Fleet,
): NewReleases[] {
  const edited = new Set(declarations.map(({ id }) => id));
  const isAny = [...edited].some((id) => SHARED.test(id));
  const earlier = new Map(before.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return after.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    const was = earlier.get(name);
    if (!was || (!isAny && !edited.has(`InferenceCluster ${name}`))) return [];
    const known = new Set(listInstalledReleases(was, before).map((one) => one.name));
    const releases = listInstalledReleases(cluster, after).flatMap((one) => (known.has(one.name) ? [] : [one.name]));
    return releases.length > 0
      ? [{ cluster: name, releases, created: isManagedCloud(cluster.spec.cluster.source) }]
      : [];
  });
}

/** Declarations that may decide the releases of clusters. */
const SHARED = /^Inference(Class|Gateway) /;
