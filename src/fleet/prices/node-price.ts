import { clusterLabelsOf } from '../../api/cluster-labels';
import { isProvider, PROVIDER_BLOCK } from '../../api/cloud-providers';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import { PROVIDER_LABEL, REGION_LABEL } from '../../api/labels';
import type { Discount } from '../../api/price-file';
import { sortUnique } from '../../base/order';
import { REGIONS } from '../../catalog/regions';
import type { PriceRow } from '../../catalog/row-types';
import type { Fleet } from '../fleet';
import { CLOUDS, provisionedTypeNameOf } from '../hardware/cloud-instance-types';
import { LIST_CURRENCY, type PriceBook, priceKeyOf } from './price-book';

/** The price of a node, and its source. */
export interface Price {
  readonly perHour: number;
  readonly currency: string;

  /**
   * Class: from the class. Paid: from the price file. List: from the catalog, less discounts. Scenario: from a
   * what-if scenario.
   */
  readonly origin: 'Class' | 'Paid' | 'List' | 'Scenario';

  /** The source of the price, for display. */
  readonly source: string;

  /** The date of the price. Absent if unknown. */
  readonly asOf?: string;

  /** The names of the discounts applied. */
  readonly discounts: readonly string[];
}

/** A node to price. */
export interface PricedNode {
  readonly declared: InferenceClass;
  readonly cluster: InferenceCluster;

  /** Default: as in the class for the cloud of the cluster. */
  readonly spot?: boolean;
}

/**
 * The price of a node of a class on a cluster. It is the first of: the price in the class, the price that the user
 * pays by the price file, and the list price of the instance type in the region of the cluster, less the discounts
 * that apply. Undefined if the price is unknown. The price of another region does not count.
 */
export function priceOf(node: PricedNode, book: PriceBook): Price | undefined {
  const priced = { spot: isSpot(node), ...node };
  const region = clusterLabelsOf(node.cluster)[REGION_LABEL];
  return classPriceOf(priced) ?? instanceTypePriceOf(instanceTypeOf(priced), region, priced, book);
}

/** A price of the same node in another region. */
export interface RegionPrice {
  readonly region: string;
  readonly perHour: number;
}

/** The prices of a node without a price in the region of its cluster, in other regions, by region. */
export function listPricesElsewhere(node: PricedNode, book: PriceBook): RegionPrice[] {
  return findPricesElsewhere(node, book).map(({ region, price }) => ({ region, perHour: price.perHour }));
}

/** A price of a node for a region that it is not in. */
export interface AssumedPrice {
  readonly region: string;
  readonly price: Price;
}

/**
 * The price by which a node of a cloud is estimated: that of the region whose name shares the most leading words with
 * the region of its cluster (`europe-west4`, `europe-west1`), then the first by name. Undefined for a node that no cloud
 * sells.
 */
export function assumePrice(node: PricedNode, book: PriceBook): AssumedPrice | undefined {
  const own = (clusterLabelsOf(node.cluster)[REGION_LABEL] ?? '').split('-');
  const distanceOf = ({ region }: AssumedPrice): number => {
    const words = region.split('-');
    const different = own.findIndex((word, i) => word !== words[i]);
    return own.length - (different === -1 ? own.length : different);
  };
  const [first, ...others] = findPricesElsewhere(node, book);
  return others.reduce((best, one) => (best && distanceOf(one) < distanceOf(best) ? one : best), first);
}

function findPricesElsewhere(node: PricedNode, book: PriceBook): AssumedPrice[] {
  const priced = { spot: isSpot(node), ...node };
  const instanceType = instanceTypeOf(priced);
  const all = [...book.paid.values(), ...book.list.values()];
  if (!isInCloud(node, all)) return [];
  const rows = all.filter((row) => row.instanceType === instanceType);
  const regions = sortUnique(rows.flatMap(({ region }) => region ?? []));
  return regions.flatMap((region) => {
    const price = instanceTypePriceOf(instanceType, region, priced, book);
    return price ? [{ region, price }] : [];
  });
}

/**
 * Whether a cloud sells the nodes of a cluster. Of a cluster that exists already, its labels tell: a data center of one's
 * own has no region that a cloud or a price list has.
 */
function isInCloud({ cluster }: PricedNode, priced: readonly PriceRow[]): boolean {
  if (cluster.spec.cluster.source !== 'Existing') return true;
  const { [REGION_LABEL]: region, [PROVIDER_LABEL]: provider } = clusterLabelsOf(cluster);
  const ofCloud = REGIONS.some((cloud) => cloud.provider === provider || cloud.regions.includes(region ?? ''));
  return ofCloud || (region !== undefined && priced.some((row) => row.region === region));
}

/** What the name of a node that a cloud can take away ends with. */
export const SPOT_SUFFIX = ', spot';

/** Names what is bought as a node: `g2-standard-12 in us-east4`, `p5.48xlarge in us-east-1, spot`. */
export function describePricedNode(node: PricedNode): string {
  const type = instanceTypeOf(node) ?? `InferenceClass ${node.declared.metadata.name}`;
  const region = clusterLabelsOf(node.cluster)[REGION_LABEL];
  const spot = node.spot ?? isSpot(node);
  return `${type}${region === undefined ? '' : ` in ${region}`}${spot ? SPOT_SUFFIX : ''}`;
}

export function isSpot(node: PricedNode): boolean {
  const cloud = cloudOfNode(node);
  const block = cloud && node.declared.spec.provisioning?.[PROVIDER_BLOCK[cloud.provider]];
  return block !== undefined && 'spot' in block && block.spot === true;
}

/** The price of an instance type in a region, from the price file or the catalog. */
export function instanceTypePriceOf(
  instanceType: string | undefined,
  region: string | undefined,
  { spot = false }: Pick<PricedNode, 'spot'>,
  { paid, list, discounts, currency }: PriceBook,
): Price | undefined {
  if (instanceType === undefined) return undefined;
  const paidPrice = findPriceRow(paid, instanceType, region, spot);
  if (paidPrice) return { ...paidPrice, currency, origin: 'Paid', discounts: [] };
  const listed = findPriceRow(list, instanceType, region, spot);
  if (!listed || currency !== LIST_CURRENCY) return undefined;
  const lowering = discounts.filter((one) => isApplicable(one, instanceType, region, spot));
  const lowered = lowering.reduce((perHour, { factor }) => perHour * factor, listed.perHour);
  return { ...listed, perHour: lowered, currency, origin: 'List', discounts: lowering.map(({ name }) => name) };
}

function classPriceOf({ declared: { metadata, spec }, spot = false }: PricedNode): Price | undefined {
  const perHour = spot ? spec.price?.spotPerHour : spec.price?.perHour;
  if (!spec.price || perHour === undefined) return undefined;
  const { currency, asOf } = spec.price;
  const source = `InferenceClass ${metadata.name}`;
  return { perHour, currency, origin: 'Class', source, ...(asOf && { asOf }), discounts: [] };
}

/** The catalog name of the machine of a node: that of the class for the cloud of the cluster. */
export function instanceTypeOf(node: PricedNode): string | undefined {
  const cloud = cloudOfNode(node);
  const { provisioning, from } = node.declared.spec;
  return (cloud && provisioning && provisionedTypeNameOf(cloud, provisioning)) ?? from;
}

/** The cloud of a node: that of its cluster, or else the provider of its class. */
function cloudOfNode({ declared, cluster }: PricedNode): (typeof CLOUDS)[number] | undefined {
  const { source } = cluster.spec.cluster;
  const provider = isProvider(source) ? source : declared.spec.provisioning?.provider;
  return CLOUDS.find((one) => one.provider === provider);
}

type FoundPrice = Pick<Price, 'perHour' | 'source'> & { readonly asOf: string };

/** The price in the row of the region, or in the row for all regions. */
function findPriceRow(
  rows: ReadonlyMap<string, PriceRow>,
  instanceType: string,
  region: string | undefined,
  spot: boolean,
): FoundPrice | undefined {
  for (const key of [priceKeyOf(instanceType, region), priceKeyOf(instanceType)]) {
    const row = rows.get(key);
    const perHour = spot ? row?.spotPerHour : row?.perHour;
    if (row && perHour !== undefined) return { perHour, source: row.source, asOf: row.asOf };
  }
  return undefined;
}

function isApplicable(
  { kind, instanceTypes, regions }: Discount,
  instanceType: string,
  region: string | undefined,
  spot: boolean,
): boolean {
  if (spot && kind === 'Committed') return false;
  const forType = instanceTypes.length === 0 || instanceTypes.some((one) => isMatch(one, instanceType));
  return forType && (regions.length === 0 || (region !== undefined && regions.includes(region)));
}

/** Whether a name is the pattern, or starts with what is before its `*`. */
export function isMatch(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Lists the pools whose nodes a cloud can take away at any time: `us/l4`. */
export function listSpotPools({ classes, clusters }: Pick<Fleet, 'classes' | 'clusters'>): string[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return clusters.flatMap((cluster) =>
    cluster.spec.nodePools.flatMap(({ name, className }) => {
      const declared = byName.get(className);
      return declared && isSpot({ declared, cluster }) ? [`${cluster.metadata.name}/${name}`] : [];
    }),
  );
}
