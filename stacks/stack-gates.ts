import { type Resource, runtime } from '@pulumi/pulumi';
import { findDeploymentsInWaves, runsAnyOf } from '../src/live/waves/replaced-workloads';
import type { Cluster } from './cluster';
import type { StackGates } from './cluster-workloads';
import type { FleetStackArgs } from './fleet-stack-args';
import type { ClusterPlan } from './plan-stack';
import { listRunningWorkloads } from './running-workloads';
import { WaveGates } from './wave-gates';

/** The gates of a stack. */
interface OpenedGates extends Pick<StackGates, 'inWaves'> {
  readonly of: (cluster: Cluster) => StackGates;
}

/** Opens the gates of a stack, in the order of its clusters. Clusters of deployments without waves have none. */
export function openStackGates(
  reached: readonly (readonly [ClusterPlan, Cluster])[],
  { waves = true, workloads }: Pick<FleetStackArgs, 'waves' | 'workloads'>,
  parent: Resource,
): OpenedGates {
  const objects = reached.map(([{ cluster, manifests }]) => ({ cluster: cluster.metadata.name, manifests }));
  const inWaves = waves && workloads !== 'files' ? findDeploymentsInWaves(objects) : new Set<string>();
  const gates = new WaveGates(parent);
  const opened = reached.flatMap(([{ manifests }, cluster]) => {
    if (runtime.isDryRun() || !runsAnyOf(manifests, inWaves)) return [];
    return [[cluster, gates.addCluster(listRunningWorkloads(cluster, parent))] as const];
  });
  const byCluster = new Map(opened);
  return { inWaves, of: (cluster) => ({ inWaves, cluster: byCluster.get(cluster) }) };
}
