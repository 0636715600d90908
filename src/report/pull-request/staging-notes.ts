import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { formatCode } from '../document/write-markdown';

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
    caches.flatMap(({ action, cluster }) => (RENEWED.has(action) && rolled.has(cluster) ? [formatCode(cluster)] : [])),
  );
  if (clusters.length === 0) return [];
  const where = joinNames(clusters, MAX_NAMED);
  return [
    `Argo CD stages files before it restarts replicas. With other tools, apply the files ${formatCode('01_cache.*')} of ${where} first, and the rest when their Jobs are complete: otherwise replicas that restart are down while files are staged.`,
  ];
}

/** Files of running replicas that are staged next to those in use. */
const RENEWED: ReadonlySet<FleetDiff['caches'][number]['action']> = new Set(['restage', 'relocate']);
