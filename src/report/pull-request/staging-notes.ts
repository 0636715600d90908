import { formatCount } from '../../base/figures';
import { formatAmount } from '../../base/money';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { RENEWED_FILES } from '../../diff/cache-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import { SMALLEST_FILESTORE } from '../../fleet/hardware/shared-storage';
import { escapeMarkdown, formatCode } from '../document/write-markdown';

/** The most clusters that are named. */
const MAX_NAMED = 5;

/**
 * Says which tools let replicas that stop wait for files that are staged anew, and how to avoid that. Empty where no
 * replica stops before its files are staged.
 */
export function formatStagingNotes({ caches, deployments }: Pick<FleetDiff, 'caches' | 'deployments'>): string[] {
  const stopping = deployments.filter(({ downtime }) => downtime?.waits?.includes('cache'));
  const rolled = new Set(
    stopping.flatMap(({ changes }) => changes.flatMap(({ action, cluster }) => (action === 'roll' ? [cluster] : []))),
  );
  const clusters = sortUnique(
    caches.flatMap(({ action, cluster }) =>
      RENEWED_FILES.has(action) && rolled.has(cluster) ? [formatCode(cluster)] : [],
    ),
  );
  if (clusters.length === 0) return [];
  const where = joinNames(clusters, MAX_NAMED);
  return [
    `Argo CD stages files before it restarts replicas. With other tools, apply the files ${formatCode('01_cache.*')} of ${where} first, and the rest when their Jobs are complete: otherwise replicas that restart are down while files are staged.`,
  ];
}

/** Says which volumes need room for the old and the new files at a time. */
export function formatSpaceNotes({ caches }: Pick<FleetDiff, 'caches'>): string[] {
  const sized = caches.flatMap(({ action, cache, sizeGiB }) => {
    return action === 'restage' && sizeGiB !== undefined ? [`${formatCode(cache)} (${formatCount(sizeGiB)} GiB)`] : [];
  });
  if (sized.length === 0) return [];
  const names = joinNames(sortUnique(sized), MAX_NAMED);
  const field = formatCode('sizeGiB');
  return [
    `Until the old files are removed, the volume of ${names} has the old and the new files. Check that it has room for them, or raise ${field} in an earlier change. Without room, staging fails: with Argo CD, no replica restarts then, and all keep serving the old files; with other tools, replicas that restart stay down.`,
  ];
}

/** Says which volumes may be larger, and cost more, than the change counts. */
export function formatTierNotes({ caches, cost }: Pick<FleetDiff, 'caches' | 'cost'>): string[] {
  const unknown = caches.filter(({ action, unknownTier }) => unknownTier !== undefined && action !== 'drop');
  return [...groupBy(unknown, ({ cluster }) => cluster)].flatMap(([cluster, all]) => {
    const dropped = caches.filter((one) => one.cluster === cluster && one.action === 'drop').length;
    // Volumes that go in their place are as large.
    if (all.length <= dropped) return [];
    const names = joinNames(
      all.map(({ cache }) => formatCode(cache)),
      MAX_NAMED,
    );
    const [volumes, have] = all.length === 1 ? ['the volume', 'has'] : ['volumes', 'have'];
    const least = `at least ${formatCount(SMALLEST_FILESTORE)} GiB`;
    const costs = `${all.length === 1 ? 'costs' : 'cost'} ${formatLargest(cost, cluster, all)}`;
    const tier = `${formatCode('spec.storage.sharedFilesystem.tier')} of ${formatCode(cluster)}`;
    return [
      `${describeTier(all[0]?.unknownTier, cluster)}, ${volumes} of ${names} there ${have} ${least} and ${costs}. To count that, declare ${tier}.`,
    ];
  });
}

/** When volumes are of Filestore: most houses name such a class after it. */
function describeTier(storageClass = '', cluster: string): string {
  const what = `the storage class ${formatCode(storageClass)} of ${formatCode(cluster)}`;
  return /filestore/i.test(storageClass)
    ? `By its name, ${what} is one of Filestore. If it is`
    : `**If ${what} is one of Filestore**`;
}

/** `**about $420 a month** instead of $0.41`, of volumes of the smallest size; `more` where a price is not known. */
function formatLargest(cost: FleetDiff['cost'], cluster: string, caches: FleetDiff['caches']): string {
  const names = new Set(caches.map(({ cache }) => cache));
  const known = cost?.clusters.find((one) => one.cluster === cluster)?.volumes ?? [];
  const volumes = known.filter(({ cache }) => names.has(cache));
  if (!cost || volumes.length < names.size || volumes.some(({ after }) => !after.perMonth)) return 'more';
  const now = volumes.reduce((sum, { after }) => sum + (after.perMonth ?? 0), 0);
  const then = volumes.reduce((sum, { after, sizeGiB }) => {
    return sum + ((after.perMonth ?? 0) * Math.max(SMALLEST_FILESTORE, sizeGiB.after)) / sizeGiB.after;
  }, 0);
  const [from, to] = [now, then].map((amount) => escapeMarkdown(formatAmount(amount, cost.currency)));
  return `**about ${to} a month** instead of ${from}`;
}
