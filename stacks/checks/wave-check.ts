import type { Diagnostic } from '../../src/base/diagnostic';
import type { ClusterProblems } from '../../src/live/finding';
import type { PlannedCluster } from '../../src/diff/blocked-waves';
import { checkWavesOnCluster } from '../../src/live/waves/wave-deadlocks';
import { formatUnreached, warnUnlisted } from '../../src/live/waves/wave-messages';
import type { ClusterCheck } from './cluster-checks';
import type { ClusterGates } from './wave-gates';

/**
 * Creates the check for a change with waves that needs devices which it frees itself: Pulumi deletes last. A cluster
 * that does not answer is a warning, in an update too: it must not block changes on other clusters.
 *
 * @param gates the gates of the cluster, which warn in an update where it does not answer: then no wave waits there
 */
export function createWaveCheck(
  planned: PlannedCluster,
  reached: ClusterCheck['reached'],
  gates?: ClusterGates,
): ClusterCheck {
  const cluster = planned.cluster.metadata.name;
  return {
    cluster,
    reached,
    async ask(access, options) {
      const running = await gates?.running;
      return running && !running.access ? NOTHING_FOUND : checkWavesOnCluster(planned, access, options);
    },
    unasked: (problems) => (gates ? NOTHING_FOUND : { problems: [], warnings: problems.map(toWarning(cluster)) }),
  };
}

const NOTHING_FOUND: ClusterProblems = { problems: [], warnings: [] };

/** Returns what converts the reason why a cluster cannot be reached to a warning. */
function toWarning(cluster: string): (problem: Diagnostic) => Diagnostic {
  return (problem) => warnUnlisted(cluster, formatUnreached(cluster, problem), problem.hint);
}
