import type { FindingProblems } from '../finding-problems';
import { type Listing, objectsIn } from '../live-object';
import { type WaveSite, wavesInVain } from './in-vain';
import type { WORKLOAD_LISTS } from './workload-lists';

/** Our workloads on a running cluster. */
export type RunningWorkloads = Readonly<Record<keyof typeof WORKLOAD_LISTS, Listing>>;

/** What waves of a change would wait for in vain on a running cluster. Where not all is seen, that nobody knows. */
export function waveFindings(site: WaveSite, running: RunningWorkloads): FindingProblems {
  const lists = Object.values<Listing>(running);
  const [why] = lists.flatMap((one) => ('missing' in one && one.missing !== 'unserved' ? [one.why] : []));
  if (why !== undefined) return waveUnseen(site, why);
  return { problems: wavesInVain(site, lists.flatMap(objectsIn)), warnings: [] };
}

const ANSWERS = 'See that the cluster answers, and lists Deployments, LeaderWorkerSets and claim templates';

/**
 * What is told of a cluster that shows not what runs there.
 *
 * @param hint what to do about it. Default: to see that the cluster shows it
 */
export function waveUnseen(
  { cluster }: Pick<WaveSite, 'cluster'>,
  why: string,
  hint: string = ANSWERS,
): FindingProblems {
  const what = `whether waves would wait in vain for devices is not known, since what runs there is not seen: ${why}`;
  return { problems: [], warnings: [{ code: 'waves-unseen', where: cluster.metadata.name, what, hint }] };
}
