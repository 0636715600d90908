import type { Problem } from '../src/errors';
import { wavesLive } from '../src/kubernetes/waves-live';
import type { WaveSite } from '../src/live/waves/in-vain';
import { waveUnseen } from '../src/live/waves/wave-findings';
import type { FindingProblems } from '../src/live/finding-problems';
import type { Question } from './ask-clusters';

/**
 * Asks a cluster what runs there, for a change with waves that would need devices which it frees itself: Pulumi deletes
 * last. A cluster that cannot be asked is a warning, in an update too: one that is down stops no change on others.
 */
export function checkWaves(site: WaveSite, reached: Question['reached']): Question {
  return {
    cluster: site.cluster.metadata.name,
    reached,
    ask: (access, options) => wavesLive(site, access, options),
    unasked: (problems) => ({
      problems: [],
      warnings: problems.flatMap((problem) => unasked(site, problem).warnings),
    }),
  };
}

/** A cluster that nobody knows how to reach. */
function unasked(site: WaveSite, { where, what, hint }: Problem): FindingProblems {
  return waveUnseen(site, where === site.cluster.metadata.name ? what : `${where}: ${what}`, hint);
}
