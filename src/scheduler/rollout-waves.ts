import { runsOf } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';
import { groupByDeployment, sortPlacements } from './placement-order';
import type { Placement } from './schedule-result';

/** When a replica is replaced, counted from 1: replicas of one wave together, the next wave when these serve again. */
export interface Wave {
  /** Among all replicas of its deployment, cluster by cluster. */
  readonly fleet: number;

  /** Among those on its cluster: all that a tool can keep which applies one cluster. */
  readonly cluster: number;
}

/**
 * The wave of each replica: `parallel` of a deployment at a time, in the order of the lock. What is leaving is not
 * replaced. It comes last, because a tool waits for what is applied in earlier waves, and an old replica may never be
 * well again. A deployment that recreates everything has one wave.
 */
export function wavesOf(
  placements: readonly Placement[],
  deployments: readonly Pick<CompiledDeployment, 'id' | 'parallel'>[],
): ReadonlyMap<Placement, Wave> {
  const parallel = new Map(deployments.map((deployment) => [deployment.id, deployment.parallel]));
  const waves = new Map<Placement, Wave>();
  for (const [id, replicas] of groupByDeployment(sortPlacements(placements))) {
    const all = assignWaves(replicas, parallel.get(id));
    for (const [i, placement] of replicas.entries()) waves.set(placement, all[i] ?? FIRST_WAVE);
  }
  return waves;
}

const FIRST_WAVE: Wave = { fleet: 1, cluster: 1 };

/**
 * As `wavesOf`, for all replicas of one deployment, sorted.
 *
 * @param parallel default: 1
 */
export function assignWaves(replicas: readonly Placement[], parallel = 1): Wave[] {
  const spread = replicas.every(({ cluster }, i) => cluster !== replicas[i + 1]?.cluster);
  const onCluster = spread
    ? []
    : runsOf(replicas, ({ cluster }) => cluster).flatMap((run) => numberWaves(run, parallel));
  return numberWaves(replicas, parallel).map((fleet, i) => ({ fleet, cluster: onCluster[i] ?? 1 }));
}

/** The wave of each replica among some: those that stay in their order, then those that are leaving. */
function numberWaves(placements: readonly Placement[], parallel: number): number[] {
  const staying = placements.reduce((count, { leaving }) => count + (leaving ? 0 : 1), 0);
  const last = Math.ceil(staying / parallel) + 1;
  let rank = 0;
  return placements.map(({ leaving }) => (leaving ? last : Math.floor(rank++ / parallel) + 1));
}
