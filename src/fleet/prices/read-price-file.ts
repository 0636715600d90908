import { clusterLabelsOf } from '../../api/cluster-labels';
import { blockStorageClassOf } from '../../api/cluster-storage';
import type { InferenceCluster } from '../../api/inference-cluster';
import { REGION_LABEL } from '../../api/labels';
import { type PriceFile, priceFile } from '../../api/price-file';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { duplicatesOf } from '../../base/keyed-lists';
import { suggestName } from '../../base/name-suggestion';
import { REGIONS } from '../../catalog/regions';
import { locateInFile, readDataFile } from '../../manifest/data-file';
import type { SourceFile } from '../../manifest/source-file';
import { type Catalogue, suggestInstanceType } from '../hardware/hardware';
import { FILE_SYSTEMS, sharedStorageClassOf, volumeRoundingOf } from '../hardware/shared-storage';
import { isMatch } from './node-price';
import { buildPriceBook, LIST_PRICES, type PriceBook, priceKeyOf } from './price-book';

interface PriceReading {
  readonly prices: PriceBook;

  /** Errors, and warnings of rows that price nothing of this fleet: a cluster may be gone before its prices are. */
  readonly problems: readonly Diagnostic[];
}

/** Reads a price file and combines its prices with the list prices. */
export function readPrices(
  file: SourceFile,
  catalogue: Catalogue,
  clusters: readonly InferenceCluster[],
): PriceReading {
  const read = readDataFile(file, priceFile);
  if ('problems' in read) return { prices: LIST_PRICES, problems: read.problems };
  const regions = new Set([
    ...REGIONS.flatMap((row) => row.regions),
    ...clusters.flatMap((cluster) => clusterLabelsOf(cluster)[REGION_LABEL] ?? []),
  ]);
  const findings = [
    ...checkDuplicates('prices', read.value.prices, ({ instanceType }) => instanceType),
    ...checkDuplicates('storage', read.value.storage, ({ fileSystem }) => fileSystem),
    ...checkFileSystems(read.value, clusters),
    ...checkInstanceTypes(read.value, catalogue),
    ...checkRegions(read.value, regions),
  ];
  // Estimates take prices of other regions, and a misspelled one is none.
  const prices = read.value.prices.filter(({ region }) => region === undefined || regions.has(region));
  return { prices: buildPriceBook({ ...read.value, prices }), problems: locateInFile(findings, read.place) };
}

function* checkDuplicates<R extends { readonly region?: string | undefined }>(
  list: 'prices' | 'storage',
  rows: readonly R[],
  nameOf: (row: R) => string,
): Generator<Diagnostic<Path>> {
  for (const { item, index, first } of duplicatesOf(rows, (row) => priceKeyOf(nameOf(row), row.region))) {
    const what = `${nameOf(item)} in ${item.region ?? 'all regions'} is listed twice, first as item ${first + 1}`;
    yield errorAt('duplicate-name', [list, index], what, 'Remove one of the two');
  }
}

function* checkFileSystems({ storage }: PriceFile, clusters: readonly InferenceCluster[]): Generator<Diagnostic<Path>> {
  const used = new Set(clusters.flatMap(storageNamesOf));
  for (const [index, { fileSystem }] of storage.entries()) {
    if (used.has(fileSystem) || FILE_SYSTEMS.includes(fileSystem)) continue;
    const what = `no cluster of the fleet has a file system or storage class '${fileSystem}', so the price is not used`;
    const hint = hintAtUnused(suggestName(fileSystem, used));
    yield warningAt('unknown-file-system', ['storage', index, 'fileSystem'], what, hint);
  }
}

function* checkInstanceTypes({ prices, discounts }: PriceFile, catalogue: Catalogue): Generator<Diagnostic<Path>> {
  const named = [
    ...prices.map(({ instanceType }, p) => ({ name: instanceType, path: ['prices', p, 'instanceType'] })),
    ...discounts.flatMap(({ instanceTypes }, d) =>
      instanceTypes.map((name, i) => ({ name, path: ['discounts', d, 'instanceTypes', i] })),
    ),
  ];
  const known = [...catalogue.instanceTypes.keys()];
  for (const { name, path } of named) {
    if (known.some((one) => isMatch(name, one))) continue;
    const meant = suggestInstanceType(name, catalogue);
    const what = `the catalog has no instance type '${name}'`;
    const hint = meant ? `Use '${meant}'` : 'Add it to the file at Fleet.spec.catalogue';
    yield errorAt('unknown-instance-type', path, what, hint);
  }
}

function* checkRegions(
  { prices, discounts, storage }: PriceFile,
  known: ReadonlySet<string>,
): Generator<Diagnostic<Path>> {
  const named = [
    ...Object.entries({ prices, storage }).flatMap(([list, rows]) =>
      rows.flatMap(({ region }, r) => (region === undefined ? [] : [{ region, path: [list, r, 'region'] }])),
    ),
    ...discounts.flatMap(({ regions }, d) =>
      regions.map((region, r) => ({ region, path: ['discounts', d, 'regions', r] })),
    ),
  ];
  for (const { region, path } of named) {
    if (known.has(region)) continue;
    const what = `no cloud and no cluster of the fleet has a region '${region}', so it is not used`;
    yield warningAt('unknown-region', path, what, hintAtUnused(suggestName(region, known)));
  }
}

function hintAtUnused(meant: string | undefined): string {
  return meant === undefined ? 'Remove it, or correct the name' : `Use '${meant}' if you meant that, or remove it`;
}

/** What a row can call the storage of a cluster: its storage classes, and its file system. */
function storageNamesOf(cluster: InferenceCluster): string[] {
  const classes = [sharedStorageClassOf(cluster), blockStorageClassOf(cluster)];
  return [...classes, volumeRoundingOf(cluster)?.fileSystem].filter((name) => name !== undefined);
}
