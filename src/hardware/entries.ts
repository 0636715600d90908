import type { Gpu, InstanceType } from '../api/catalogue-file';
import { compareText, sortedBy } from '../order';
import { cloudOf } from './clouds';
import type { Hardware } from './hardware';
import { type Price, ofInstanceType } from './price-of';

/** An instance type, as people look for one. */
export interface Entry {
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
export function entriesFor(query: string, hardware: Hardware): Entry[] {
  const { instanceTypes } = hardware.catalogue;
  const entries = sortedBy(instanceTypes.values(), ({ name }) => name).map((type) => entryOf(type, hardware));
  return entries.filter((entry) => wordsOf(entry).some((word) => word.includes(query.toLowerCase())));
}

/** Everything by which an entry is found, in lower case. */
export function wordsOf({ type, gpu, macros }: Entry): string[] {
  const words = [type.name, gpu.name, gpu.productName, gpu.architecture ?? '', ...macros];
  return words.map((word) => word.toLowerCase());
}

function entryOf(type: InstanceType, { catalogue, prices }: Hardware): Entry {
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
      const onDemand = ofInstanceType(type.name, at, { spot: false }, prices);
      const spot = ofInstanceType(type.name, at, { spot: true }, prices);
      return { region, ...(onDemand && { onDemand }), ...(spot && { spot }) };
    }),
  };
}
