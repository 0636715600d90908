import { groupBy } from '../order';
import { byIdentity } from './identity';
import type { Workload } from './model';
import type { Placement } from './types';

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
  workloads: readonly Pick<Workload, 'id' | 'parallel'>[],
): ReadonlyMap<Placement, Wave> {
  const parallel = new Map(workloads.map((workload) => [workload.id, workload.parallel]));
  const byDeployment = groupBy([...placements].sort(byIdentity), ({ deployment }) => deployment);
  return new Map([...byDeployment].flatMap(([id, own]) => wavesOfDeployment(own, parallel.get(id) ?? 1)));
}

function wavesOfDeployment(sorted: readonly Placement[], parallel: number): [Placement, Wave][] {
  const fleet = numbered(sorted, parallel);
  return [...groupBy(sorted, ({ cluster }) => cluster).values()].flatMap((here) => {
    const cluster = numbered(here, parallel);
    return here.map((placement): [Placement, Wave] => [
      placement,
      { fleet: fleet.get(placement) ?? 1, cluster: cluster.get(placement) ?? 1 },
    ]);
  });
}

/** The wave of each replica among some: those that stay in order, then those that are leaving. */
function numbered(placements: readonly Placement[], parallel: number): ReadonlyMap<Placement, number> {
  const staying = placements.filter(({ leaving }) => !leaving);
  const waves = staying.map((placement, rank): [Placement, number] => {
    return [placement, Math.floor(rank / parallel) + 1];
  });
  const last = (waves.at(-1)?.[1] ?? 0) + 1;
  const leaving = placements.filter((placement) => placement.leaving);
  return new Map([...waves, ...leaving.map((placement): [Placement, number] => [placement, last])]);
}
