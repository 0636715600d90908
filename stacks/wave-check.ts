import type { Diagnostic } from '../src/base/diagnostic';
import type { ClusterProblems } from '../src/live/finding';
import { checkWavesOnCluster, type PlannedCluster, warnUnlistedWorkloads } from '../src/live/waves/wave-deadlocks';
import type { ClusterCheck } from './cluster-checks';

/**
 * Creates the check for a change with waves that needs devices which it frees itself: Pulumi deletes last. A cluster
 * that does not answer is a warning, in an update too: it must not block changes on other clusters.
 */
export function createWaveCheck(planned: PlannedCluster, reached: ClusterCheck['reached']): ClusterCheck {
  return {
    cluster: planned.cluster.metadata.name,
    reached,
    ask: (access, options) => checkWavesOnCluster(planned, access, options),
    unasked: (problems) => ({
      problems: [],
      warnings: problems.flatMap((problem) => warnUnreachable(planned, problem).warnings),
    }),
  };
}

/** The warning for a cluster that cannot be reached. */
function warnUnreachable(planned: PlannedCluster, { at, message, hint }: Diagnostic): ClusterProblems {
  return warnUnlistedWorkloads(planned, at === planned.cluster.metadata.name ? message : `${at}: ${message}`, hint);
}
