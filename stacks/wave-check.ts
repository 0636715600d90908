import type { Diagnostic } from '../src/base/diagnostic';
import type { ClusterProblems } from '../src/live/finding';
import {
  checkWavesOnCluster,
  type PlannedCluster,
  warnUnlistedWorkloads,
} from '../src/live/waves/wave-deadlocks';
import type { ClusterCheck } from './cluster-checks';

/**
 * Asks a cluster what runs there, for a change with waves that would need devices which it frees itself: Pulumi deletes
 * last. A cluster that cannot be asked is a warning, in an update too: one that is down stops no change on others.
 */
export function createWaveCheck(site: PlannedCluster, reached: ClusterCheck['reached']): ClusterCheck {
  return {
    cluster: site.cluster.metadata.name,
    reached,
    ask: (access, options) => checkWavesOnCluster(site, access, options),
    unasked: (problems) => ({
      problems: [],
      warnings: problems.flatMap((problem) => warnUnreachable(site, problem).warnings),
    }),
  };
}

/** A cluster that nobody knows how to reach. */
function warnUnreachable(site: PlannedCluster, { at, message, hint }: Diagnostic): ClusterProblems {
  return warnUnlistedWorkloads(site, at === site.cluster.metadata.name ? message : `${at}: ${message}`, hint);
}
