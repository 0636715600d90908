import { groupBy } from '../../base/order';
import { joinNames } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { listInstalledReleases, releasesOf } from '../../provision/releases/cluster-releases';
import { formatHelmCommand } from '../../provision/releases/helm-command';
import type { Item } from '../document/document';

/**
 * Formats the commands that install the releases of the clusters that exist. Clusters with the same commands share an
 * entry. Stacks install the releases of all clusters, and those of clusters that they create are left out.
 */
export function formatReleases(fleet: Fleet): Item[] {
  const clusters = fleet.clusters.filter(({ spec }) => spec.cluster.source === 'Existing');
  const commands = clusters.flatMap((cluster) => {
    const found = releasesOf(cluster, fleet).map(formatHelmCommand);
    return found.length > 0 ? [{ name: cluster.metadata.name, found }] : [];
  });
  if (commands.length === 0) return [];
  const groups = groupBy(commands, ({ found }) => found.join('\n'));
  const below = [...groups.values()].map((group) => ({
    text: joinNames(group.map(({ name }) => name)),
    below: [...(group[0]?.found ?? [])],
  }));
  return [{ look: 'strong', text: RELEASES_TITLE, below }];
}

/** How many releases the clusters that exist need, and on how many clusters. */
export interface ReleaseCount {
  readonly releases: number;
  readonly clusters: number;
}

/** Counts the releases that `formatReleases` lists. */
export function countReleases(fleet: Fleet): ReleaseCount {
  const existing = fleet.clusters.filter(({ spec }) => spec.cluster.source === 'Existing');
  const counts = existing.map((cluster) => listInstalledReleases(cluster, fleet).length).filter((count) => count > 0);
  return { releases: counts.reduce((sum, one) => sum + one, 0), clusters: counts.length };
}

const RELEASES_TITLE = 'Releases that clusters need, in this order. A Pulumi stack installs them; otherwise you do:';
