import { formatAmount } from '../../base/money';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { Cost, PoolCost } from '../../cost/cost';
import type { AssumedPoolPrice } from '../../cost/cost-changes';
import { formatVolumeName } from '../../cost/volume-name';
import type { CloudChange } from '../../diff/cloud-changes';
import { CONTROL_PLANE_KINDS } from '../../provision/cloud-resources';
import { nameUnpriced, STATE_A_PRICE, STATE_IN_FILE } from './unpriced-changes';

/** What a cost leaves out of the clusters that a change creates. Empty if it creates none. */
export function describeUncounted(cloud: readonly CloudChange[], format: (name: string) => string = String): string[] {
  const created = cloud.filter(({ kind, action }) => action === 'create' && CONTROL_PLANE_KINDS.has(kind));
  const names = sortUnique(created.map(({ cluster }) => cluster)).map(format);
  const [plane, pool] = names.length === 1 ? ['control plane', 'system pool'] : ['control planes', 'system pools'];
  return names.length === 0 ? [] : [`not counted: the ${plane} and the ${pool} of ${joinNames(names)}`];
}

/** What has no known price since a change, with a price a month that is known elsewhere. Empty where nothing has come. */
export function listNewlyUnpriced(later: Cost, earlier: Pick<Cost, 'clusters'>): string[] {
  const known = new Set(listUnpricedParts(earlier).map(({ what }) => what));
  const parts = listUnpricedParts(later).filter(({ what }) => !known.has(what));
  if (parts.length === 0) return [];
  const names = parts.map(({ name, pool }) => `${name}${formatNearest(pool, later)}`);
  const where = parts.some(({ pool }) => pool) ? STATE_A_PRICE : STATE_IN_FILE;
  return [`no price: ${joinNames(names)}. ${where}.`];
}

/** What has no price, and by what it is the same part where a pool or a volume is declared otherwise. */
function listUnpricedParts({ clusters }: Pick<Cost, 'clusters'>) {
  return clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools
      .filter(({ price }) => !price)
      .map((pool) => ({ name: `${cluster} / ${pool.pool}`, what: `${cluster} ${pool.unpriced}`, pool })),
    ...volumes
      .filter(({ price }) => !price)
      .map((volume) => {
        const name = `${cluster} / ${formatVolumeName(volume)}`;
        return { name, what: name, pool: undefined };
      }),
  ]);
}

/** ` (us-central1: $64,598 a month a node)`. Empty if no price is known elsewhere. */
function formatNearest(pool: PoolCost | undefined, { currency, hoursPerMonth }: Cost): string {
  const [first] = pool?.elsewhere?.prices ?? [];
  if (!first) return '';
  return ` (${first.region}: ${formatAmount(first.perHour * hoursPerMonth, currency)} a month a node)`;
}

/** By which prices the estimates of a table are made, and what its lower bounds leave out. */
export function describeSigns(
  assumed: readonly Pick<AssumedPoolPrice, 'region'>[],
  later: Pick<Cost, 'clusters'>,
): string[] {
  const regions = sortUnique(assumed.map(({ region }) => region));
  const left = nameUnpriced(later);
  return [
    ...(regions.length === 0 ? [] : [`≈: pools without a known price are priced as in ${joinNames(regions)}`]),
    ...(left === '' ? [] : [`≥: without the cost of ${left}`]),
  ];
}
