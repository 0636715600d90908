import { isGang } from '../../api/engine-copies';
import type { InferenceCluster } from '../../api/inference-cluster';
import { groupBy } from '../../base/order';
import { joinNames, quoteShellWord } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { isManagedCloud } from '../../provision/managed-cloud';
import { listInstalledReleases, releasesOf } from '../../provision/releases/cluster-releases';
import { formatHelmCommand } from '../../provision/releases/helm-command';
import type { Release } from '../../provision/releases/release';
import type { Item } from '../document/document';

/**
 * Formats the commands that install the releases of the clusters that Fleetwright does not create. Clusters with the
 * same commands share an entry. Stacks install the releases of all clusters.
 */
export function formatReleases(fleet: Fleet): Item[] {
  const commands = listUncreated(fleet).flatMap((cluster) => {
    const releases = releasesOf(cluster, fleet);
    const note = isForGangsAlone(releases) && !hasGang(fleet) ? GANG_NOTE : '';
    const found = releases.map(formatHelmCommand);
    return found.length > 0 ? [{ name: cluster.metadata.name, found, note, flag: contextFlagOf(cluster) }] : [];
  });
  if (commands.length === 0) return [];
  const groups = groupBy(commands, ({ found }) => found.join('\n'));
  const below = [...groups.values()].map((group) => {
    const [{ found, note, flag } = { found: [], note: '', flag: '' }, ...others] = group;
    const text = `${joinNames(group.map(({ name }) => name))}${note}`;
    return { text, below: others.length > 0 ? [...found] : found.map((command) => `${command}${flag}`) };
  });
  return [{ look: 'strong', text: RELEASES_TITLE, below }];
}

/** The flag for the context of a cluster that declares one in the kubeconfig file of the user. */
function contextFlagOf({ spec: { cluster } }: InferenceCluster): string {
  const { context, secretRef } = (cluster.source === 'Existing' && cluster.existing) || {};
  return context === undefined || secretRef !== undefined ? '' : ` --kube-context ${quoteShellWord(context)}`;
}

const [GANG_RELEASE, GANG_NOTE] = ['lws', '   (lws is for gangs only: needed once a deployment has one)'];

/** Whether the release that runs gangs is among some, and no other one needs it. */
function isForGangsAlone(releases: readonly Release[]): boolean {
  const isListed = releases.some(({ name }) => name === GANG_RELEASE);
  return isListed && !releases.some(({ needs }) => needs.includes(GANG_RELEASE));
}

function hasGang({ deployments }: Fleet): boolean {
  return deployments.some(({ spec }) => spec.template.spec.engines.some(isGang));
}

function listUncreated({ clusters }: Fleet): InferenceCluster[] {
  return clusters.filter(({ spec }) => !isManagedCloud(spec.cluster.source));
}

/** How many releases the clusters that Fleetwright does not create need, and on how many clusters. */
export interface ReleaseCount {
  readonly releases: number;
  readonly clusters: number;
}

/** Counts the releases that `formatReleases` lists. */
export function countReleases(fleet: Fleet): ReleaseCount {
  const counts = listUncreated(fleet)
    .map((cluster) => listInstalledReleases(cluster, fleet).length)
    .filter((count) => count > 0);
  return { releases: counts.reduce((sum, one) => sum + one, 0), clusters: counts.length };
}

const RELEASES_TITLE =
  'Releases that clusters need, in this order. A Pulumi stack of the fleet installs these too; without one, you do:';
