import { CLUSTER_LABEL } from '../../api/labels';
import { groupBy, sortUnique } from '../../base/order';
import type { CompiledCluster, CompiledDeployment } from '../compiled-fleet';
import type { UnitedReplicas } from '../remedy';
import type { SchedulingState } from '../scheduling-state';
import type { Relocation } from './candidate-placement';

/** Lists the deployments that spread over several domains, and of which moves leave all replicas in one. */
export function listUnited(state: SchedulingState, relocations: readonly Relocation[]): UnitedReplicas[] {
  const byDeployment = groupBy(relocations, ({ deployment }) => deployment);
  return [...byDeployment].flatMap(([deployment, own]) => {
    const label = domainLabelOf(deployment);
    if (label === undefined) return [];
    const [was, is] = [state.clustersOf(deployment), listClustersAfter(state, deployment, own)];
    const [domain, ...others] = listDomains(is, label);
    if (domain === undefined || others.length > 0 || listDomains(was, label).length < 2) return [];
    return [{ deployment: deployment.id, replicas: is.length, label, domain }];
  });
}

/** The policy `Spread` spreads replicas over clusters, unless they spread over other domains. */
function domainLabelOf({ placement: { domainKey, policy } }: CompiledDeployment): string | undefined {
  return domainKey ?? (policy === 'Spread' ? CLUSTER_LABEL : undefined);
}

function listDomains(clusters: readonly CompiledCluster[], label: string): string[] {
  return sortUnique(clusters.flatMap(({ labels }) => labels[label] ?? []));
}

/** The clusters of the replicas of a deployment after they move. */
function listClustersAfter(
  state: SchedulingState,
  deployment: CompiledDeployment,
  relocations: readonly Relocation[],
): CompiledCluster[] {
  const moved = new Set(relocations.map(({ from }) => from));
  const left = state.staying(deployment).filter((one) => !moved.has(one));
  const clusters = left.flatMap(({ placement }) => state.clusters.get(placement.cluster) ?? []);
  return [...clusters, ...relocations.map(({ to }) => to.cluster)];
}
