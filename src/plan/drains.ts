import type { Taint } from '../api/schema/taints-and-tolerations';
import { groupBy, sortUnique } from '../base/order';
import { formatTaint } from '../base/text';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { findUntolerated } from '../scheduler/filters';
import { fitEngine } from '../scheduler/fit-replica';
import { isLost, isLostTaint } from '../scheduler/lost-clusters';
import { type Placement, variantsOf } from '../scheduler/placement';
import type { Schedule } from '../scheduler/schedule-result';
import { listWithoutReplacement } from '../scheduler/unreplaced-replicas';
import type { Drain, StuckReplica } from './plan';

/**
 * The taint that a simulated drain adds to a cluster. Replicas that tolerate every taint stay, as they do in a real drain.
 */
export const DRAIN_TAINT = { key: 'fleetwright.dev/drain', value: '', effect: 'NoExecute' } as const;

/** Finds the drained and the lost clusters, their replicas that cannot leave, and those that need not. */
export function findDrains(
  { clusters, deployments }: CompiledFleet,
  { placements, shortfalls }: Schedule,
  matcher: PodMatcher,
): Drain[] {
  if (!clusters.some(({ taints }) => taints.some(isDrainTaint))) return [];
  const byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  const open = clusters.filter(({ taints }) => !taints.some(isDrainTaint));
  const byCluster = groupBy(placements, ({ cluster }) => cluster);
  const unreplaced = new Set(listWithoutReplacement({ placements, shortfalls }));
  const isPaused = ({ deployment, draining, lost }: Placement): boolean =>
    lost ? byId.get(deployment)?.paused === true : !draining;
  return clusters.flatMap(({ name, taints }): Drain[] => {
    const isLostCluster = isLost({ taints });
    const drainTaints = taints.filter(isDrainTaint);
    const placed = byCluster.get(name) ?? [];
    const draining = placed.filter(({ deployment }) => {
      const compiled = byId.get(deployment);
      return compiled && (isLostCluster || findUntolerated(drainTaints, compiled.demand.tolerations) !== undefined);
    });
    if (draining.length === 0) return [];
    const stuck = draining.flatMap((placement): StuckReplica[] => {
      if (isPaused(placement)) return [{ placement, why: 'paused' }];
      if (!unreplaced.has(placement)) return [];
      const deployment = byId.get(placement.deployment);
      const noDevices = deployment && !open.some((one) => hasDevices(one, deployment, matcher));
      return [{ placement, why: 'no-replacement', ...(noDevices && { noDevices }) }];
    });
    const staying = placed.filter((placement) => !placement.draining && !draining.includes(placement));
    const names = sortUnique(staying.map(({ deployment }) => deployment));
    const lost = isLostCluster && { lost: true as const };
    return [{ cluster: name, replicas: draining.length, stuck, staying: names, ...lost }];
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
  if (isLostTaint(taint)) return 'the cluster is lost';
  return taint.key === DRAIN_TAINT.key ? 'the cluster is drained' : `the taint ${formatTaint(taint)} is not tolerated`;
}
