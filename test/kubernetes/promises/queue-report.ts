import { counted } from '../harness/say';
import type { Report } from '../part';
import type { Replay } from './replay';

/** What the replays say of queues. A run in which no quota was used up, and no gang was confined, has tried nothing. */
export function queueReport(replays: readonly Replay[], complete: boolean): Report {
  const queues = replays.flatMap((one) => one.queues);
  const kueue = queues.flatMap((one) => one.kueue ?? []);
  const kai = queues.flatMap((one) => one.kai ?? []).filter(({ pods }) => pods > 0);
  const quotas = kueue.flatMap((one) => one.quotas);
  const usedUp = quotas.filter(({ nominal, used }) => nominal > 0 && used === nominal).length;
  const tallies = replays.flatMap(({ tally }) => tally ?? []);
  const bound = replays.flatMap(({ seed, tally }) =>
    (tally?.overQuotaBound ?? []).map((what) => `fleet ${seed}: over its quota, and Kubernetes binds it: ${what}`),
  );
  const overQuota = tallies.reduce((sum, one) => sum + one.overQuota, 0);
  const confined = kai.reduce((sum, one) => sum + one.confined, 0);
  const untried = complete && [usedUp, overQuota, confined].includes(0);
  return {
    figures: [
      `queues of Kueue: ${quotas.length} quotas of ${counted(kueue.length, 'cluster')} cover ${podsOf(kueue)}, ${usedUp} used up; ${overQuota} refused beyond them tried, ${bound.length} bound`,
      ...bound,
      `KAI, with a packing profile of kube-scheduler in its place: ${podsOf(kai)} on ${counted(kai.length, 'cluster')}, ${counted(confined, 'group')} of gangs within a block`,
    ],
    failures: untried ? ['no quota was used up or exceeded, or no gang was in a block'] : [],
  };
}

function podsOf(checks: readonly { readonly pods: number }[]): string {
  const pods = checks.reduce((sum, one) => sum + one.pods, 0);
  return counted(pods, 'pod');
}
