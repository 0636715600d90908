import { groupBy, sortUnique } from '../base/order';
import { poolKeyOf } from '../cost/pool-prices';
import type { PlacedFleet } from '../plan/decision';
import { isManagedCloud } from '../provision/managed-cloud';
import { groupByDeployment } from '../scheduler/placement';
import type { CloudChange } from './cloud-changes';
import { createAcceleratorCounter } from './copies-changes';
import { listReducedPools, type ReducedPool } from './reduced-pools';

/** Replicas of a deployment that may restart as people drain nodes which a change no longer declares. */
export interface DrainedReplicas {
  /** `namespace/name`. */
  readonly deployment: string;

  /** The pools that get fewer nodes: `us/h100`. */
  readonly pools: readonly string[];

  /** The most that restart, where nodes are chosen as the warning `fewer-nodes` says. At least 1. */
  readonly replicas: number;

  /** The replicas that the deployment has before, and those that serve at any time: one of a pool restarts at a time. */
  readonly serving: { readonly before: number; readonly least: number };

  /** The accelerators of all its replicas. */
  readonly accelerators: number;
}

/** Lists replicas that may restart with nodes of clusters that exist already, by deployment: no cloud chooses these nodes. */
export function listDrainedReplicas(
  cloud: readonly CloudChange[],
  states: { readonly before: PlacedFleet; readonly after: PlacedFleet },
): DrainedReplicas[] {
  const pools = listReducedPools(cloud, states).filter(({ cluster }) => !isManagedCloud(cluster.spec.cluster.source));
  if (pools.length === 0) return [];
  const placed = groupByDeployment(states.before.schedule.placements);
  const countAccelerators = createAcceleratorCounter(states.after);
  const all = pools.flatMap((one) =>
    one.single.flatMap((deployment) => {
      const replicas = countRestarting(one, deployment);
      return replicas > 0 ? [{ deployment, pool: poolKeyOf(one.cluster.metadata.name, one.pool.name), replicas }] : [];
    }),
  );
  return [...groupBy(all, ({ deployment }) => deployment)].map(([deployment, own]) => {
    const before = (placed.get(deployment) ?? []).filter(({ draining }) => !draining).length;
    return {
      deployment,
      pools: sortUnique(own.map(({ pool }) => pool)),
      replicas: own.reduce((sum, one) => sum + one.replicas, 0),
      serving: { before, least: Math.max(0, before - own.length) },
      accelerators: countAccelerators(deployment),
    };
  });
}

/**
 * The most replicas of a deployment on the nodes with the fewest pods: these have no more than their part of all pods. Where
 * others have no replica to spare, the nodes are those without pods of theirs instead.
 */
function countRestarting({ pool, lost, critical, hasOtherNodes, staying }: ReducedPool, deployment: string): number {
  const { replicas = 0 } = staying.get(deployment) ?? {};
  if (critical.length > 0) return hasOtherNodes && critical.includes(deployment) ? 0 : replicas;
  const pods = [...staying.values()].reduce((sum, one) => sum + one.pods, 0);
  return Math.min(replicas, Math.floor((pods * lost) / (pool.nodeCount + lost)));
}
