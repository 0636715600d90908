import { formatCount } from '../../base/figures';
import { joinNames } from '../../base/text';
import type { Cost, CostRange } from '../../cost/cost';
import type { CostChanges } from '../../cost/cost-changes';
import { isCacheVolume } from '../../cost/volume-name';

/** The most parts that a sentence names. */
const MAX_PARTS = 3;

/** How to state a price of storage that no source has. */
export const STATE_IN_FILE = "State a price in the file of 'prices' of the Fleet";

/** How to state a price of nodes, or of storage next to nodes, that no source has. */
export const STATE_A_PRICE = "State a price in 'price' of the InferenceClass, or in the file of 'prices' of the Fleet";

/**
 * Names the changed parts of which no price is known: a cluster of which no pool has a price, `dc`, or else its pools,
 * `eu/l4`, and `the volume of ml/w on us`. Empty if all have a price.
 *
 * @param later the cost of the later state
 */
export function nameUnpricedChanges(
  { clusters }: Pick<CostChanges, 'clusters'>,
  later: Pick<Cost, 'clusters'>,
): string {
  const priced = new Set(later.clusters.flatMap(({ cluster, pools }) => (pools.some(isPriced) ? [cluster] : [])));
  const parts = clusters.flatMap(({ cluster, pools, volumes }) => {
    const unknown = pools.filter(isUnknown);
    const isWhole = unknown.length > 0 && !priced.has(cluster);
    const lost = volumes.filter(({ delta }) => delta.unknown > 0);
    if (isWhole) return [cluster];
    return [...unknown.map(({ pool }) => `${cluster}/${pool}`), ...nameVolumes(lost, cluster)];
  });
  return joinNames(parts, MAX_PARTS);
}

type PoolChange = CostChanges['clusters'][number]['pools'][number];

function isUnknown({ delta }: PoolChange): boolean {
  return delta.least.unknown + delta.most.unknown > 0;
}

type VolumeChange = CostChanges['clusters'][number]['volumes'][number];

function nameVolume(
  { cache }: Pick<VolumeChange, 'cache'>,
  cluster: string,
  format: (name: string) => string = String,
): string {
  return `the volume of ${format(cache)} on ${format(cluster)}`;
}

/** `the volumes of 4 caches on us`, or the only one by its name. */
function nameVolumes(volumes: readonly Pick<VolumeChange, 'cache'>[], cluster: string): string[] {
  const caches = volumes.filter(isCacheVolume);
  if (caches.length < 2) return volumes.map((volume) => nameVolume(volume, cluster));
  const others = volumes.filter((volume) => !isCacheVolume(volume));
  const all = `the volumes of ${formatCount(caches.length)} caches on ${cluster}`;
  return [all, ...others.map((volume) => nameVolume(volume, cluster))];
}

function isNewlyPriced({ before, after }: PoolChange): boolean {
  return before.least.unknown + before.most.unknown > 0 && after.least.unknown + after.most.unknown === 0;
}

function isNewlyPricedVolume({ before, after }: VolumeChange): boolean {
  return before.unknown > 0 && after.unknown === 0;
}

/** A pool or volume of which the price is known now, and was not before, with what it costs. */
export interface NewlyPriced {
  /** `eu/nvl`, `the volume of ml/w on us`. */
  readonly name: string;
  readonly after: CostRange;
}

/** Lists the pools, and the volumes of caches, of which the price is known now and was not before. */
export function listNewlyPriced(
  { clusters }: Pick<CostChanges, 'clusters'>,
  format: (name: string) => string,
): NewlyPriced[] {
  return clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools.filter(isNewlyPriced).map(({ pool, after }) => ({ name: format(`${cluster}/${pool}`), after })),
    ...volumes.filter(isNewlyPricedVolume).map((volume) => {
      return { name: nameVolume(volume, cluster, format), after: { least: volume.after, most: volume.after } };
    }),
  ]);
}

/** The changes of clusters without pools and volumes of which the price is known now. */
export function omitNewlyPriced({ clusters }: Pick<CostChanges, 'clusters'>): Pick<CostChanges, 'clusters'> {
  return {
    clusters: clusters.map((one) => ({
      ...one,
      pools: one.pools.filter((pool) => !isNewlyPriced(pool)),
      volumes: one.volumes.filter((volume) => !isNewlyPricedVolume(volume)),
    })),
  };
}

/** Sums up the changes of the parts of which the price is known before and after. */
export function sumPricedChanges({ clusters }: Pick<CostChanges, 'clusters'>): readonly [least: number, most: number] {
  const pools = clusters.flatMap((one) => one.pools).filter((pool) => !isUnknown(pool));
  const volumes = clusters.flatMap((one) => one.volumes).filter(({ delta }) => delta.unknown === 0);
  const sum = (bound: keyof CostRange): number => {
    const ofPools = pools.reduce((total, { delta }) => total + (delta[bound].perMonth ?? 0), 0);
    return ofPools + volumes.reduce((total, { delta }) => total + (delta.perMonth ?? 0), 0);
  };
  return [sum('least'), sum('most')];
}

/** Names what has no price in the same way, whether it changes or not. */
export function nameUnpriced({ clusters }: Pick<Cost, 'clusters'>): string {
  const parts = clusters.flatMap(({ cluster, pools, volumes }) => {
    if (pools.length > 0 && !pools.some(isPriced)) return [cluster];
    return [
      ...pools.filter((pool) => !isPriced(pool)).map(({ pool }) => `${cluster}/${pool}`),
      ...nameVolumes(
        volumes.filter(({ price }) => !price),
        cluster,
      ),
    ];
  });
  return joinNames(parts, MAX_PARTS);
}

/** Whether a price is known, or known in another region of the same cloud. */
function isPriced({ price, elsewhere }: Cost['clusters'][number]['pools'][number]): boolean {
  return price !== undefined || elsewhere !== undefined;
}
