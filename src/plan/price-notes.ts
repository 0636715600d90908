import type { InferenceClass } from '../api/inference-class';
import { sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { isSpot } from '../fleet/prices/node-price';
import type { CompiledDeployment, CompiledFleet, EngineDemand, Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { rejectNew } from '../scheduler/filters';

/** Says which pools the policy Cheapest takes last, because no source states the price of their nodes. */
export function describeUnpricedPools(
  { classes, clusters }: Pick<Fleet, 'classes' | 'clusters'>,
  model: CompiledFleet,
  matcher: PodMatcher,
): string[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const clusterByName = new Map(clusters.map((one) => [one.metadata.name, one]));
  const fieldOf = ({ className, cluster }: Pool): string[] => {
    const [declared, on] = [byName.get(className), clusterByName.get(cluster)];
    return declared && on ? [describeField(declared, isSpot({ declared, cluster: on }))] : [];
  };
  return model.deployments
    .filter(({ placement }) => placement.policy === 'Cheapest')
    .flatMap((deployment) => {
      const pools = listUnpricedPools(deployment, model, matcher);
      if (pools.length === 0) return [];
      const names = joinNames(pools.map(({ cluster, name }) => `${cluster}/${name}`));
      const fields = joinNames(sortUnique(pools.flatMap(fieldOf)));
      return [
        `ModelDeployment ${deployment.id}: Cheapest takes ${names} last, because the price of ${pools.length === 1 ? 'its' : 'their'} nodes is not known. State it in ${fields}, or in the file of Fleet.spec.prices.`,
      ];
    });
}

function describeField({ metadata }: InferenceClass, spot: boolean): string {
  return `price.${spot ? 'spotPerHour' : 'perHour'} of InferenceClass ${metadata.name}`;
}

/** The pools without a price that have devices for an engine, on clusters that take the deployment. */
function listUnpricedPools(deployment: CompiledDeployment, { clusters }: CompiledFleet, matcher: PodMatcher): Pool[] {
  const demands = deployment.variants?.map(({ demand }) => demand) ?? [deployment.demand];
  return clusters.flatMap((cluster) =>
    cluster.pools.filter(
      (pool) =>
        pool.price === undefined &&
        pool.nodes > 0 &&
        demands.some(
          (demand) => !rejectNew(demand, cluster) && demand.engines.some((one) => isFit(one, pool, matcher)),
        ),
    ),
  );
}

function isFit({ members, classes }: EngineDemand, { className, node }: Pool, matcher: PodMatcher): boolean {
  if (classes && !classes.has(className)) return false;
  return members.every(({ pod }) => 'footprint' in matcher.fit(pod, node));
}
