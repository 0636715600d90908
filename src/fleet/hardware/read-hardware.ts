import type { Resource } from '../../api/kinds';
import type { Diagnostic } from '../../base/diagnostic';
import type { SourceFile } from '../../manifest/source-file';
import { LIST_PRICES } from '../prices/price-book';
import type * as Prices from '../prices/read-price-file';
import { BUILT_IN_CATALOGUE, type Hardware } from './hardware';
import type * as Catalogues from './read-catalogue';

/** The catalog file and the price file that a fleet names. */
export interface HardwareFiles {
  readonly catalogue?: SourceFile | undefined;
  readonly prices?: SourceFile | undefined;
}

interface HardwareReading {
  readonly hardware: Hardware;
  readonly problems: readonly Diagnostic[];
}

/** Combines the built-in hardware and prices with those in the files of a fleet. */
export function readHardware(files: HardwareFiles, resources: readonly Resource[]): HardwareReading {
  let [catalogue, prices] = [BUILT_IN_CATALOGUE, LIST_PRICES];
  const problems: Diagnostic[] = [];
  // The readers are loaded on first use: they need schemas and a parser, and most fleets name no such file.
  if (files.catalogue) {
    const { readCatalogue } = require('./read-catalogue') as typeof Catalogues;
    const read = readCatalogue(files.catalogue);
    catalogue = read.catalogue;
    problems.push(...read.problems);
  }
  if (files.prices) {
    const { readPrices } = require('../prices/read-price-file') as typeof Prices;
    const clusters = resources.filter((one) => one.kind === 'InferenceCluster');
    const read = readPrices(files.prices, catalogue, clusters);
    prices = read.prices;
    problems.push(...read.problems);
  }
  return { hardware: { catalogue, prices }, problems };
}
