import type { Output, Resource } from '@pulumi/pulumi';
import { askClusters, type Question } from './ask-clusters';
import { checkWaves } from './check-waves';
import type { Cluster } from './cluster';
import { ExistingCluster } from './existing-cluster';
import type { ClusterPlan, StackPlan } from './plan-stack';
import { precheck } from './precheck';

/** What is planned for a cluster, and the cluster. */
type Reached = readonly [ClusterPlan, Cluster];

/** A stack that asks its clusters. */
interface Asking {
  readonly planned: Pick<StackPlan, 'fleet' | 'locate'>;
  readonly args: {
    readonly precheck?: boolean;
    readonly waves?: boolean;
    readonly workloads?: 'resources' | 'files';
  };
  readonly parent: Resource;
}

/**
 * Asks the clusters of a stack what it wants to know before it registers anything on them. Those that are there are
 * asked together, and what is wrong with any of them holds up all; one that is made is asked by itself, so that none
 * waits for others to be made.
 *
 * @returns what everything on a cluster waits for
 */
export function askStack(
  reached: readonly Reached[],
  asking: Asking,
): (site: Reached) => readonly Output<unknown>[] {
  const { parent } = asking;
  const questions = (site: Reached): readonly Question[] => questionsTo(site, asking);
  const there = askClusters(reached.filter((site) => !isMade(site)).flatMap(questions), parent);
  return (site) => (isMade(site) ? [...there, ...askClusters(questions(site), parent)] : there);
}

function isMade([{ reach }]: Reached): boolean {
  return 'madeBy' in reach;
}

/** One that is made is as it was made, and may have run for long. */
function questionsTo(
  [{ cluster, manifests }, reached]: Reached,
  { planned: { fleet, locate }, args }: Asking,
): readonly Question[] {
  const compared = args.precheck === true && reached instanceof ExistingCluster;
  const waiting = args.waves === true && args.workloads !== 'files';
  return [
    ...(compared ? [precheck({ cluster, fleet, locate }, reached)] : []),
    ...(waiting ? [checkWaves({ cluster, fleet, manifests }, reached)] : []),
  ];
}
