import type { Taint } from '../api/schema/taints-and-tolerations';
import { groupBy, sortUnique } from '../base/order';
import { formatTaint } from '../base/text';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { findUntolerated } from '../scheduler/filters';
import { fitEngine } from '../scheduler/fit-replica';
import { variantsOf } from '../scheduler/placement';
import type { Schedule } from '../scheduler/schedule-result';
import { listUnreplaced } from '../scheduler/unreplaced-replicas';
import type { Drain, StuckReplica } from './plan';

/**
 * The taint that a simulated drain adds to a cluster. Replicas that tolerate every taint stay, as they do in a real drain.
 */
export const DRAIN_TAINT = { key: 'fleetwright.dev/drain', value: '', effect: 'NoExecute' } as const;

/** The key of the taint that declares a cluster lost: its draining replicas do not run. Its effect is `NoExecute`. */
const LOST_TAINT_KEY = 'lost';

/** Whether a cluster is declared lost, by the taint `lost:NoExecute`. */
export function isLost({ taints }: Pick<CompiledFleet['clusters'][number], 'taints'>): boolean {
  return taints.some((taint) => taint.key === LOST_TAINT_KEY && isDrainTaint(taint));
}

/** Finds the drained clusters, their replicas that cannot leave, and those that need not. */
export function findDrains(
  { clusters, deployments }: CompiledFleet,
  { placements, shortfalls }: Schedule,
  matcher: PodMatcher,
): Drain[] {
  if (!clusters.some(({ taints }) => taints.some(isDrainTaint))) return [];
  const byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  const open = clusters.filter(({ taints }) => !taints.some(isDrainTaint));
  const byCluster = groupBy(placements, ({ cluster }) => cluster);
  const unreplaced = new Set(listUnreplaced({ placements, shortfalls }));
  return clusters.flatMap(({ name, taints }) => {
    const drainTaints = taints.filter(isDrainTaint);
    const placed = byCluster.get(name) ?? [];
    const draining = placed.filter(({ deployment }) => {
      const compiled = byId.get(deployment);
      return compiled && findUntolerated(drainTaints, compiled.demand.tolerations) !== undefined;
    });
    if (draining.length === 0) return [];
    const stuck = draining.flatMap((placement): StuckReplica[] => {
      if (!placement.draining) return [{ placement, why: 'paused' }];
      if (!unreplaced.has(placement)) return [];
      const deployment = byId.get(placement.deployment);
      const noDevices = deployment && !open.some((one) => hasDevices(one, deployment, matcher));
      return [{ placement, why: 'no-replacement', ...(noDevices && { noDevices }) }];
    });
    const staying = placed.filter((placement) => !placement.draining && !draining.includes(placement));
    const names = sortUnique(staying.map(({ deployment }) => deployment));
    return [{ cluster: name, replicas: draining.length, stuck, staying: names }];
  });
}

/** Whether a cluster has pools with the devices of all engines of a deployment, whatever else keeps replicas off it. */
function hasDevices(
  cluster: CompiledFleet['clusters'][number],
  deployment: CompiledDeployment,
  matcher: PodMatcher,
): boolean {
  return variantsOf(deployment).some(({ demand }) =>
    demand.engines.every((engine) =>
      cluster.pools.some((pool) => !('misfit' in fitEngine(engine, pool, cluster, matcher))),
    ),
  );
}

/** Whether a taint of a cluster drains it. */
export function isDrainTaint({ effect }: Pick<Taint, 'effect'>): boolean {
  return effect === 'NoExecute';
}

/** Says that a taint keeps replicas off a cluster. The taint of a simulated drain is in no file, so it is not named. */
export function describeUntolerated(taint: Taint): string {
  return taint.key === DRAIN_TAINT.key ? 'the cluster is drained' : `the taint ${formatTaint(taint)} is not tolerated`;
}
