import type { Output, Resource } from '@pulumi/pulumi';
import type { Cluster } from './cluster';
import { type ClusterCheck, runClusterChecks } from './cluster-checks';
import { ExistingCluster } from './existing-cluster';
import type { ClusterPlan, StackPlan } from './plan-stack';
import { createPrecheck } from './precheck';
import { createWaveCheck } from './wave-check';

/** What is planned for a cluster, and the cluster. */
type PlannedStackCluster = readonly [ClusterPlan, Cluster];

/** A stack that asks its clusters. */
interface StackCheckOptions {
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
export function runStackChecks(
  reached: readonly PlannedStackCluster[],
  asking: StackCheckOptions,
): (site: PlannedStackCluster) => readonly Output<unknown>[] {
  const { parent } = asking;
  const questions = (site: PlannedStackCluster): readonly ClusterCheck[] => checksOf(site, asking);
  const there = runClusterChecks(reached.filter((site) => !isMadeHere(site)).flatMap(questions), parent);
  return (site) => (isMadeHere(site) ? [...there, ...runClusterChecks(questions(site), parent)] : there);
}

function isMadeHere([{ source }]: PlannedStackCluster): boolean {
  return 'madeBy' in source;
}

/** One that is made is as it was made, and may have run for long. */
function checksOf(
  [{ cluster, manifests }, reached]: PlannedStackCluster,
  { planned: { fleet, locate }, args }: StackCheckOptions,
): readonly ClusterCheck[] {
  const compared = args.precheck === true && reached instanceof ExistingCluster;
  const waiting = args.waves === true && args.workloads !== 'files';
  return [
    ...(compared ? [createPrecheck({ cluster, fleet, locate }, reached)] : []),
    ...(waiting ? [createWaveCheck({ cluster, fleet, manifests }, reached)] : []),
  ];
}
