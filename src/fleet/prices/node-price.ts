import { clusterLabelsOf } from '../../api/cluster-labels';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import { REGION_LABEL } from '../../api/labels';
import type { Discount } from '../../api/price-file';
import type { PriceRow } from '../../catalog/row-types';
import { CLOUDS, provisionedTypeNameOf } from '../hardware/cloud-instance-types';
import { LIST_CURRENCY, type PriceBook, priceKeyOf } from './price-book';

/** What a node costs, and who says so. */
export interface Price {
  readonly perHour: number;
  readonly currency: string;

  /** Class: the class states it. Paid: the price file. List: the catalogue, less discounts. Scenario: what if it were. */
  readonly origin: 'Class' | 'Paid' | 'List' | 'Scenario';

  /** Where the price comes from, for people. */
  readonly source: string;

  /** The day of the price. Absent where nobody says. */
  readonly asOf?: string;

  /** The names of the discounts that lower it. */
  readonly discounts: readonly string[];
}

/** A node whose price is asked for. */
export interface PricedNode {
  readonly declared: InferenceClass;
  readonly cluster: InferenceCluster;

  /** Default: as the class says for the cloud of the cluster. */
  readonly spot?: boolean;
}

/**
 * What a node of a class costs an hour on a cluster: what the class says, else what the user really pays, else the
 * list price of its instance type in the region of the cluster, less the discounts that apply. Nothing where nobody
 * knows: a price of another region is none.
 */
export function priceOf(asked: PricedNode, book: PriceBook): Price | undefined {
  const priced = { spot: isSpot(asked), ...asked };
  return (
    classPriceOf(priced) ??
    instanceTypePriceOf(instanceTypeOf(priced), regionOf(priced.cluster), priced, book)
  );
}

/** Whether the class has its nodes made on spot by the cloud of the cluster, or by its own where the cluster exists. */
function isSpot({ declared, cluster }: PricedNode): boolean {
  const { provisioning } = declared.spec;
  const { source } = cluster.spec.cluster;
  const provider = source === 'Existing' ? provisioning?.provider : source;
  const machine = { GKE: provisioning?.gke, EKS: provisioning?.eks };
  return (provider === 'GKE' || provider === 'EKS') && machine[provider]?.spot === true;
}

/** The price of an instance type in a region, from the price file or the catalogue. */
export function instanceTypePriceOf(
  instanceType: string | undefined,
  region: string | undefined,
  { spot = false }: Pick<PricedNode, 'spot'>,
  { paid, list, discounts, currency }: PriceBook,
): Price | undefined {
  if (instanceType === undefined) return undefined;
  const own = findPriceRow(paid, { instanceType, region }, spot);
  if (own) return { ...own, currency, origin: 'Paid', discounts: [] };
  const listed = findPriceRow(list, { instanceType, region }, spot);
  if (!listed || currency !== LIST_CURRENCY) return undefined;
  const lowering = discounts.filter((one) => isApplicable(one, instanceType, region, spot));
  return {
    ...listed,
    perHour: lowering.reduce((perHour, { factor }) => perHour * factor, listed.perHour),
    currency,
    origin: 'List',
    discounts: lowering.map(({ name }) => name),
  };
}

function classPriceOf({ declared: { metadata, spec }, spot = false }: PricedNode): Price | undefined {
  const perHour = spot ? spec.price?.spotPerHour : spec.price?.perHour;
  if (!spec.price || perHour === undefined) return undefined;
  const { currency, asOf } = spec.price;
  const source = `InferenceClass ${metadata.name}`;
  return { perHour, currency, origin: 'Class', source, ...(asOf && { asOf }), discounts: [] };
}

/** The instance type that nodes of a class have on a cluster. On one that exists: of the class's own provider. */
function instanceTypeOf({ declared: { spec }, cluster }: PricedNode): string | undefined {
  const { provisioning, from } = spec;
  const { source } = cluster.spec.cluster;
  const provider = source === 'Existing' ? provisioning?.provider : source;
  const cloud = CLOUDS.find((one) => one.provider === provider);
  return (cloud && provisioning && provisionedTypeNameOf(cloud, provisioning)) ?? from;
}

function regionOf(cluster: InferenceCluster): string | undefined {
  return clusterLabelsOf(cluster)[REGION_LABEL];
}

interface PriceQuery {
  readonly instanceType: string;
  readonly region: string | undefined;
}

type FoundPrice = Pick<Price, 'perHour' | 'source'> & { readonly asOf: string };

/** The row of the region, or the one for all regions, if it says the price that is asked for. */
function findPriceRow(
  rows: ReadonlyMap<string, PriceRow>,
  { instanceType, region }: PriceQuery,
  spot: boolean,
): FoundPrice | undefined {
  const keys = [
    ...(region === undefined ? [] : [priceKeyOf({ instanceType, region })]),
    priceKeyOf({ instanceType }),
  ];
  for (const key of keys) {
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

function isMatch(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
