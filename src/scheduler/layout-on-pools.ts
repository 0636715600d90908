import { type CompiledFleet, indexDeployments } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { fitOnPools } from './fit-replica';
import { type Placement, poolOf } from './placement';

/**
 * Creates a function that gives a replica which moves the layout for its pools: the one that it has, or the first of its
 * deployment that suits them. Other replicas stay as they are.
 */
export function createLayoutLookup(
  { clusters, deployments }: Pick<CompiledFleet, 'clusters' | 'deployments'>,
  matcher: PodMatcher,
): (moved: Placement) => Placement {
  const [byName, byId] = [new Map(clusters.map((one) => [one.name, one])), indexDeployments(deployments)];
  return (moved) => {
    const cluster = byName.get(moved.cluster);
    const variants = byId.get(moved.deployment)?.variants;
    if (!cluster || !variants) return moved;
    const ownFirst = variants.toSorted((a, b) => Number(b.shape === moved.shape) - Number(a.shape === moved.shape));
    const suiting = ownFirst.find(({ demand }) => {
      const pools = demand.engines.map(({ name }) => poolOf(cluster, moved, name));
      return pools.every((pool) => pool !== undefined) && !('misfit' in fitOnPools(demand, pools, matcher));
    });
    return suiting ? { ...moved, shape: suiting.shape } : moved;
  };
}
