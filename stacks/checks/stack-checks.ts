import type { Output, Resource } from '@pulumi/pulumi';
import { runsAnyOf } from '../../src/live/waves/replaced-workloads';
import type { Cluster } from '../cloud/cluster';
import type { StackGates } from '../workloads/cluster-workloads';
import { type ClusterCheck, runClusterChecks } from './cluster-checks';
import { ExistingCluster } from '../cloud/existing-cluster';
import type { ClusterPlan, StackPlan } from '../fleet/plan-stack';
import { createPrecheck } from './precheck';
import { createWaveCheck } from './wave-check';

/** A cluster with its plan. */
type PlannedStackCluster = readonly [ClusterPlan, Cluster];

/** The stack that checks its clusters. */
interface StackCheckOptions {
  readonly planned: Pick<StackPlan, 'fleet' | 'locate'>;
  readonly args: {
    readonly precheck?: boolean;
  };

  readonly gatesOf: (cluster: Cluster) => StackGates;
  readonly parent: Resource;
}

/**
 * Checks the clusters of a stack before anything is registered on them. Existing clusters are checked together, and a
 * problem on one of them stops all; a cluster that the stack creates is checked separately, so that others do not
 * wait for its creation.
 *
 * @returns the outputs that everything on a cluster waits for
 */
export function runStackChecks(
  reached: readonly PlannedStackCluster[],
  options: StackCheckOptions,
): (entry: PlannedStackCluster) => readonly Output<unknown>[] {
  const { parent } = options;
  const checks = (entry: PlannedStackCluster): readonly ClusterCheck[] => checksOf(entry, options);
  const existing = runClusterChecks(reached.filter((entry) => !isCreatedByStack(entry)).flatMap(checks), parent);
  return (entry) => (isCreatedByStack(entry) ? [...existing, ...runClusterChecks(checks(entry), parent)] : existing);
}

function isCreatedByStack([{ source }]: PlannedStackCluster): boolean {
  return 'madeBy' in source;
}

/** The checks of a cluster. A cluster that the stack creates matches its declaration, but may run workloads. */
function checksOf(
  [{ cluster, manifests }, reached]: PlannedStackCluster,
  { planned: { fleet, locate }, args, gatesOf }: StackCheckOptions,
): readonly ClusterCheck[] {
  const compared = args.precheck === true && reached instanceof ExistingCluster;
  const { inWaves, cluster: gates } = gatesOf(reached);
  const waiting = runsAnyOf(manifests, inWaves);
  return [
    ...(compared ? [createPrecheck({ cluster, fleet, locate }, reached)] : []),
    ...(waiting ? [createWaveCheck({ cluster, fleet, manifests, inWaves }, reached, gates)] : []),
  ];
}
