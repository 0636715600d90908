import type { InferenceClass } from '../../api/inference-class';
import { parseResource } from '../../api/kinds';
import { API_VERSION, OUR_GROUP } from '../../api/resource';
import { compareText, sortedBy } from '../../base/order';
import type { Gpu, InstanceType } from '../../catalog/row-types';
import { instanceTypePriceOf, type Price } from '../prices/node-price';
import { cloudOf } from './cloud-instance-types';
import { expandClass } from './expand-class';
import type { Catalogue, Hardware } from './hardware';

/** An instance type with the details that `fleetwright catalog` shows. */
export interface CatalogueEntry {
  readonly type: InstanceType;
  readonly gpu: Gpu;

  /** The cloud of the instance type. Absent for on-premises machines. */
  readonly provider?: string;

  /** The macros that include it, sorted. */
  readonly macros: readonly string[];

  /** The known prices, one entry a region. */
  readonly prices: readonly RegionalPrice[];
}

/** The prices of an instance type in one region, or in all regions if `region` is `*`. */
interface RegionalPrice {
  readonly region: string;
  readonly onDemand?: Price;
  readonly spot?: Price;
}

/**
 * The instance types of the catalog, sorted by name.
 *
 * @param query a substring of the name, a macro, the cloud, the GPU, its product name or its architecture, in any case.
 *   An empty query matches all instance types.
 */
export function findCatalogueEntries(query: string, hardware: Hardware): CatalogueEntry[] {
  const { instanceTypes } = hardware.catalogue;
  const entries = sortedBy(instanceTypes.values(), ({ name }) => name).map((type) => entryOf(type, hardware));
  return entries.filter((entry) => searchTermsOf(entry).some((word) => word.includes(query.toLowerCase())));
}

/** The texts that a query is matched against, in lower case. */
export function searchTermsOf({ type, gpu, provider, macros }: CatalogueEntry): string[] {
  const words = [type.name, gpu.name, gpu.productName ?? '', gpu.architecture ?? '', provider ?? '', ...macros];
  return words.map((word) => word.toLowerCase());
}

function entryOf(type: InstanceType, { catalogue, prices }: Hardware): CatalogueEntry {
  const gpu = catalogue.gpus.get(type.gpu);
  if (!gpu) throw new Error(`bug: ${type.name} has an unknown GPU`);
  const provider = cloudOf(type)?.provider;
  const macros = [...catalogue.macros.values()].filter(({ aliases }) => aliases.includes(type.name));
  const rows = [...prices.list.values(), ...prices.paid.values()].filter((row) => row.instanceType === type.name);
  const regions = [...new Set(rows.map(({ region = '*' }) => region))].sort(compareText);
  return {
    type,
    gpu,
    ...(provider && { provider }),
    macros: macros.map(({ name }) => name).sort(compareText),
    prices: regions.map((region): RegionalPrice => {
      const onDemand = instanceTypePriceOf(type.name, region, { spot: false }, prices);
      const spot = instanceTypePriceOf(type.name, region, { spot: true }, prices);
      return { region, ...(onDemand && { onDemand }), ...(spot && { spot }) };
    }),
  };
}

/** The class that `from` with the name of the instance type expands to, with all fields written out. */
export function toInferenceClass({ type }: CatalogueEntry, catalogue: Catalogue): InferenceClass {
  const parsed = parseResource({
    apiVersion: `${OUR_GROUP[0]}/${API_VERSION}`,
    kind: 'InferenceClass',
    metadata: { name: type.name.replace('/', '-').replaceAll('_', '-').toLowerCase() },
    spec: { from: type.name },
  });
  if ('findings' in parsed || parsed.resource.kind !== 'InferenceClass') {
    throw new Error(`bug: ${type.name} makes no class`);
  }
  const { from: _, ...spec } = expandClass(parsed.resource, catalogue).resource.spec;
  return { ...parsed.resource, spec };
}
