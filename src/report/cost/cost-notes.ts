import { formatAmount } from '../../base/money';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { Cost } from '../../cost/cost';
import type { CostChanges } from '../../cost/cost-changes';
import { formatVolumeName } from '../../cost/volume-name';
import type { CloudChange } from '../../diff/cloud-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import { CONTROL_PLANE_KINDS } from '../../provision/cloud-resources';
import { STATE_A_PRICE } from './unpriced-changes';

/** What a cost leaves out of the clusters that a change creates. Empty if it creates none. */
export function describeUncounted(cloud: readonly CloudChange[], format: (name: string) => string = String): string[] {
  const created = cloud.filter(({ kind, action }) => action === 'create' && CONTROL_PLANE_KINDS.has(kind));
  const names = sortUnique(created.map(({ cluster }) => cluster)).map(format);
  const [plane, pool] = names.length === 1 ? ['control plane', 'system pool'] : ['control planes', 'system pools'];
  return names.length === 0 ? [] : [`not counted: the ${plane} and the ${pool} of ${joinNames(names)}`];
}

/**
 * What has no known price since a change, and a price a month that is known elsewhere. Empty where all of it had none
 * before.
 */
export function listNewlyUnpriced({ cost }: Pick<FleetDiff, 'cost'>, later: Cost): string[] {
  if (!cost) return [];
  const names = cost.clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools
      .filter(({ before, after }) => before.most.unknown === 0 && after.most.unknown > 0)
      .map(({ pool }) => `${cluster} / ${pool}${formatNearest(cluster, pool, later)}`),
    ...volumes
      .filter(({ before, after }) => before.unknown === 0 && after.unknown > 0)
      .map((volume) => `${cluster} / ${formatVolumeName(volume)}`),
  ]);
  return names.length === 0 ? [] : [`no price: ${joinNames(names)}. ${STATE_A_PRICE}.`];
}

/** ` (us-central1: $64,598 a month a node)`. Empty if no price is known elsewhere. */
function formatNearest(cluster: string, pool: string, { clusters, currency, hoursPerMonth }: Cost): string {
  const pools = clusters.find((one) => one.cluster === cluster)?.pools ?? [];
  const [first] = pools.find((one) => one.pool === pool)?.elsewhere?.prices ?? [];
  if (!first) return '';
  return ` (${first.region}: ${formatAmount(first.perHour * hoursPerMonth, currency)} a month a node)`;
}

/** By which prices an estimate is made, for the legend of a table. */
export function describeAssumedPrices({ estimate }: CostChanges): string {
  const regions = sortUnique((estimate?.assumed ?? []).map(({ region }) => region));
  return `≈: pools without a known price are priced as in ${joinNames(regions)}`;
}
