import type { InferenceCluster } from '../api/inference-cluster';
import { kubernetesMinorOf } from '../api/kubernetes-features';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import type { PlacedFleet } from '../plan/decision';
import { isManagedCloud } from '../provision/managed-cloud';
import type { FleetDiff } from './fleet-diff';

interface ChangedClusters {
  readonly before: Pick<PlacedFleet, 'fleet'>;
  readonly after: Pick<PlacedFleet, 'fleet'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** Finds clusters of a cloud with an earlier minor version of Kubernetes than before: no cloud downgrades a control plane. */
export function findDowngrades({ declarations }: FleetDiff, { before, after, at }: ChangedClusters): Diagnostic[] {
  const former = new Map(before.fleet.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return after.fleet.clusters.flatMap((cluster): Diagnostic[] => {
    const { name } = cluster.metadata;
    const { source } = cluster.spec.cluster;
    const old = former.get(name);
    if (!old || !isManagedCloud(source) || old.spec.cluster.source !== source) return [];
    const [was = 0, is = 0] = [old, cluster].map(kubernetesMinorOf);
    if (is >= was) return [];
    const what = `${name} has Kubernetes 1.${is} instead of 1.${was}, and ${source} does not downgrade clusters`;
    const hint = `If it runs 1.${was}, keep that, or declare another cluster and move its replicas there`;
    return [warningAt('cluster-downgrade', placeOf(declarations, cluster) ?? at, what, hint)];
  });
}

function placeOf(declarations: FleetDiff['declarations'], { metadata }: InferenceCluster): string | undefined {
  const found = declarations.find(({ id }) => id === `InferenceCluster ${metadata.name}`);
  return found?.fields.find(({ field }) => field.endsWith('.kubernetesVersion'))?.where ?? found?.where;
}
