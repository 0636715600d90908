import { log, type Resource, runtime } from '@pulumi/pulumi';
import { runsAnyOf } from '../../src/live/waves/replaced-workloads';
import { forecastServing, formatForecast } from '../../src/live/waves/serving-forecast';
import type { Cluster } from '../cloud/cluster';
import type { StackGates } from '../workloads/cluster-workloads';
import type { FleetStackArgs } from '../fleet/fleet-stack-args';
import { type ClusterPlan, findSeveral } from '../fleet/plan-stack';
import { listRunningWorkloads, peekAtWorkloads } from './running-workloads';
import { WaveGates } from './wave-gates';

/**
 * Opens the gates of a stack, in the order of its clusters. Clusters of deployments without waves have none.
 *
 * @param inWaves the deployments that are replaced in waves, as `namespace/name`
 */
export function openStackGates(
  reached: readonly (readonly [ClusterPlan, Cluster])[],
  inWaves: ReadonlySet<string>,
  parent: Resource,
): (cluster: Cluster) => StackGates {
  const gates = new WaveGates(parent);
  const opened = reached.flatMap(([{ manifests }, cluster]) => {
    if (runtime.isDryRun() || !runsAnyOf(manifests, inWaves)) return [];
    return [[cluster, gates.addCluster(listRunningWorkloads(cluster, parent))] as const];
  });
  const byCluster = new Map(opened);
  return (cluster) => ({ inWaves, cluster: byCluster.get(cluster) });
}

/**
 * Reports in a preview how many replicas serve at the lowest while the update is applied, of deployments with more
 * than one replica. Clusters that do not answer count as empty.
 */
export async function reportForecast(
  reached: readonly (readonly [ClusterPlan, Cluster])[],
  { waves = true, workloads }: Pick<FleetStackArgs, 'waves' | 'workloads'>,
  parent: Resource,
): Promise<void> {
  if (!runtime.isDryRun() || workloads === 'files') return;
  const several = findSeveral(reached.map(([plan]) => plan));
  const asked = reached.filter(([{ manifests }]) => runsAnyOf(manifests, several));
  const updates = await Promise.all(
    asked.map(async ([{ cluster, manifests }, one]) => {
      return { cluster: cluster.metadata.name, manifests, objects: await peekAtWorkloads(one) };
    }),
  );
  const text = formatForecast(forecastServing(updates, several), waves);
  if (text !== undefined) await log.info(text, parent);
}
