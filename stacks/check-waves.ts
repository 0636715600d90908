import { wavesLive } from '../src/kubernetes/waves-live';
import type { WaveSite } from '../src/live/waves/in-vain';
import { waveUnseen } from '../src/live/waves/wave-findings';
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
    unasked: (problems) => waveUnseen(site, problems.map(({ what }) => what).join('; ')),
  };
}
