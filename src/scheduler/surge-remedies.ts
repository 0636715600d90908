import { withoutSurge } from './changed-demands';
import type { CompiledDeployment } from './compiled-fleet';
import { fitReplica } from './fit-replica';
import type { Rejection } from './reason';
import type { SurgeRemedy } from './remedy';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';
import { surgeOf } from './yield-surges';

/**
 * Finds the first cluster that takes one more replica where the deployment reserves no devices for its rollouts. A
 * deployment with several layouts has several demands, of which none is changed.
 */
export function findSurgeRemedies(
  deployment: CompiledDeployment,
  rejections: readonly Rejection[],
  state: SchedulingState,
): SurgeRemedy[] {
  const { demand, variants } = deployment;
  if (variants !== undefined || !demand.engines.some(({ members }) => members.some(({ surge }) => surge > 0)))
    return [];
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  const rolled = withoutSurge(demand);
  const ledger = state.ledger.without(state.staying(deployment).flatMap(surgeOf));
  for (const { cluster: name, pool, reason } of rejections) {
    const cluster = state.clusters.get(name);
    if (!cluster || !LACKS_ROOM.has(reason.filter) || spread.findLimit(cluster)) continue;
    const fit = fitReplica(rolled, cluster, state.matcher, ledger);
    const [charge] = fit?.charges ?? [];
    if (charge) return [{ kind: 'surge', cluster: name, pool: pool ?? charge.pool.name }];
  }
  return [];
}

/** The filters that may pass once less is reserved. */
const LACKS_ROOM: ReadonlySet<Rejection['reason']['filter']> = new Set(['capacity', 'quota', 'together']);
