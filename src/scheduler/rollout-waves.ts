import { runsOf } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';
import { groupByDeployment, type Placement, sortPlacements } from './placement';

/**
 * The wave in which a replica is replaced, counted from 1. Replicas of one wave are replaced together, and the next
 * wave starts when they serve again.
 */
export interface Wave {
  /** The wave among all replicas of its deployment, cluster by cluster. */
  readonly fleet: number;

  /** The wave among the replicas on its cluster: the only order that a tool can keep that applies one cluster. */
  readonly cluster: number;
}

/**
 * The wave of each replica: `parallel` replicas of a deployment at a time, in the order of the lock. A draining
 * replica is not replaced. It comes last, because a tool waits for the objects of earlier waves, and an old replica
 * may never become ready again. A deployment that recreates everything has one wave.
 */
export function wavesOf(
  placements: readonly Placement[],
  deployments: readonly Pick<CompiledDeployment, 'id' | 'parallel'>[],
): ReadonlyMap<Placement, Wave> {
  const parallel = new Map(deployments.map((deployment) => [deployment.id, deployment.parallel]));
  const waves = new Map<Placement, Wave>();
  for (const [id, replicas] of groupByDeployment(sortPlacements(placements))) {
    const all = assignWaves(replicas, parallel.get(id));
    for (const [i, placement] of replicas.entries()) waves.set(placement, all[i] ?? { fleet: 1, cluster: 1 });
  }
  return waves;
}

/** Like `wavesOf`, for all replicas of one deployment, sorted. */
export function assignWaves(replicas: readonly Placement[], parallel = 1): Wave[] {
  const spread = replicas.every(({ cluster }, i) => cluster !== replicas[i + 1]?.cluster);
  const runs = spread ? [] : runsOf(replicas, ({ cluster }) => cluster);
  const onCluster = runs.flatMap((run) => numberWaves(run, parallel));
  return numberWaves(replicas, parallel).map((fleet, i) => ({ fleet, cluster: onCluster[i] ?? 1 }));
}

/** The wave of each replica in a list: those that stay in their order, then those that are draining. */
function numberWaves(placements: readonly Placement[], parallel: number): number[] {
  const staying = placements.reduce((count, { draining }) => count + (draining ? 0 : 1), 0);
  const last = Math.ceil(staying / parallel) + 1;
  let rank = 0;
  return placements.map(({ draining }) => (draining ? last : Math.floor(rank++ / parallel) + 1));
}
