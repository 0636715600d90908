import { compareText, groupBy, sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { assumePoolPrices, poolKeyOf } from '../cost/pool-prices';
import { isSpot } from '../fleet/prices/node-price';
import type { CompiledDeployment, CompiledFleet, EngineDemand, Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { rejectNew } from '../scheduler/filters';

type Declared = Pick<Fleet, 'classes' | 'clusters'>;

/** Says which pools the policy Cheapest takes last, because no source states the price of their nodes. */
export function describeUnpricedPools(fleet: Declared, model: CompiledFleet, matcher: PodMatcher): string[] {
  return model.deployments
    .filter(({ placement }) => placement.policy === 'Cheapest')
    .flatMap((deployment) => {
      const pools = listUnpricedPools(deployment, model, matcher);
      if (pools.length === 0) return [];
      return [
        `ModelDeployment ${deployment.id}: Cheapest takes ${namePools(pools)} last, because the price of ${theirs(pools)} is not known. ${sayWhere(fleet, model, pools)}.`,
      ];
    });
}

/** Says once which pools have nodes whose price no source states, so that costs are not complete, or are estimates. */
export function describePoolsWithoutPrice(fleet: Declared & Pick<Fleet, 'hardware'>, model: CompiledFleet): string[] {
  const unpriced = model.clusters.flatMap((cluster) => cluster.pools.filter((pool) => !isPriced(pool)));
  if (unpriced.length === 0) return [];
  const assumed = assumePoolPrices(fleet);
  const isAssumed = ({ cluster, name }: Pool): boolean => assumed.has(poolKeyOf(cluster, name));
  const leftOut = unpriced.filter((pool) => !isAssumed(pool));
  const estimated = unpriced.filter(isAssumed);
  const groups = [
    { pools: leftOut, what: `Costs leave out ${namePools(leftOut)}` },
    { pools: estimated, what: `Costs of ${namePools(estimated)} are estimates, with prices of other regions` },
  ];
  return groups.flatMap(({ pools, what }) =>
    pools.length === 0
      ? []
      : [`${what}: the price of ${theirs(pools)} is not known. ${sayWhere(fleet, model, pools)}.`],
  );
}

function namePools(pools: readonly Pool[]): string {
  return joinNames(pools.map(({ cluster, name }) => `${cluster}/${name}`));
}

function theirs({ length }: readonly Pool[]): string {
  return length === 1 ? 'its nodes' : 'their nodes';
}

/** Where users state the price of nodes of some pools. A price of a class is one for all of its pools. */
function sayWhere({ classes, clusters }: Declared, model: CompiledFleet, pools: readonly Pool[]): string {
  const fields = pools.flatMap(({ className, cluster }) => {
    const declared = classes.find(({ metadata }) => metadata.name === className);
    const on = clusters.find(({ metadata }) => metadata.name === cluster);
    if (!declared || !on) return [];
    return [{ field: isSpot({ declared, cluster: on }) ? 'spotPerHour' : 'perHour', name: declared.metadata.name }];
  });
  const byField = [...groupBy(fields, ({ field }) => field)].map(([field, its]) =>
    describeField(field, sortUnique(its.map(({ name }) => name))),
  );
  const inClasses = joinNames(byField.sort(compareText));
  const own = new Set(pools.map(({ className }) => className));
  const others = model.clusters
    .flatMap((one) => one.pools)
    .filter((pool) => own.has(pool.className) && pool.price !== undefined);
  if (others.length === 0) return `State it in ${inClasses}, or in ${PRICE_FILE}`;
  return `State it in ${PRICE_FILE}, or in ${inClasses}, which replaces the known price of ${namePools(others)}`;
}

const PRICE_FILE = 'the file of Fleet.spec.prices';

function isPriced({ price, nodes }: Pool): boolean {
  return price !== undefined || nodes === 0;
}

function describeField(field: string, classes: readonly string[]): string {
  return `price.${field} of ${classes.length === 1 ? 'InferenceClass' : 'the InferenceClasses'} ${joinNames(classes)}`;
}

/** The pools without a price that have devices for an engine, on clusters that take the deployment. */
function listUnpricedPools(deployment: CompiledDeployment, { clusters }: CompiledFleet, matcher: PodMatcher): Pool[] {
  const demands = deployment.variants?.map(({ demand }) => demand) ?? [deployment.demand];
  return clusters.flatMap((cluster) =>
    cluster.pools.filter(
      (pool) =>
        !isPriced(pool) &&
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
