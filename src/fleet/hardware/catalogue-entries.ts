import type { InferenceClass } from '../../api/inference-class';
import { parseResource } from '../../api/kinds';
import { API_VERSION, OUR_GROUP } from '../../api/resource';
import { compareText, sortedBy } from '../../base/order';
import type { Gpu, InstanceType } from '../../catalog/row-types';
import { instanceTypePriceOf, type Price } from '../prices/node-price';
import { cloudOf } from './cloud-instance-types';
import { expandClass } from './expand-class';
import type { Catalogue, Hardware } from './hardware';

/** An instance type, as people look for one. */
export interface CatalogueEntry {
  readonly type: InstanceType;
  readonly gpu: Gpu;

  /** The cloud that makes it. Absent for machines of a house. */
  readonly provider?: string;

  /** The macros that stand for it, sorted. */
  readonly macros: readonly string[];

  /** What it costs where somebody knows, by region. */
  readonly prices: readonly RegionalPrice[];
}

/** The prices of an instance type in one region; in all of them where it is `*`. */
export interface RegionalPrice {
  readonly region: string;
  readonly onDemand?: Price;
  readonly spot?: Price;
}

/**
 * The instance types of the catalogue, sorted by name.
 *
 * @param query a part of the name, the macro, the GPU, its product name or architecture, whatever the case; all types
 * without one
 */
export function findCatalogueEntries(query: string, hardware: Hardware): CatalogueEntry[] {
  const { instanceTypes } = hardware.catalogue;
  const entries = sortedBy(instanceTypes.values(), ({ name }) => name).map((type) => entryOf(type, hardware));
  return entries.filter((entry) => searchTermsOf(entry).some((word) => word.includes(query.toLowerCase())));
}

/** Everything by which an entry is found, in lower case. */
export function searchTermsOf({ type, gpu, macros }: CatalogueEntry): string[] {
  const words = [type.name, gpu.name, gpu.productName, gpu.architecture ?? '', ...macros];
  return words.map((word) => word.toLowerCase());
}

function entryOf(type: InstanceType, { catalogue, prices }: Hardware): CatalogueEntry {
  const gpu = catalogue.gpus.get(type.gpu);
  if (!gpu) throw new Error(`bug: ${type.name} has an unknown GPU`);
  const provider = cloudOf(type)?.provider;
  const macros = [...catalogue.macros.values()].filter(({ aliases }) => aliases.includes(type.name));
  const rows = [...prices.list.values(), ...prices.paid.values()].filter(
    (row) => row.instanceType === type.name,
  );
  const regions = [...new Set(rows.map(({ region = '*' }) => region))].sort(compareText);
  return {
    type,
    gpu,
    ...(provider && { provider }),
    macros: macros.map(({ name }) => name).sort(compareText),
    prices: regions.map((region): RegionalPrice => {
      const at = region === '*' ? undefined : region;
      const onDemand = instanceTypePriceOf(type.name, at, { spot: false }, prices);
      const spot = instanceTypePriceOf(type.name, at, { spot: true }, prices);
      return { region, ...(onDemand && { onDemand }), ...(spot && { spot }) };
    }),
  };
}

/** The class that an instance type stands for, written out: what `from` with its name expands to. */
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
