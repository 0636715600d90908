import type { Resource } from '../api/kinds';
import type { Problem } from '../errors';
import type { SourceFile } from '../manifest/source';
import { OUR_CATALOGUE } from './catalogue';
import type { Hardware } from './hardware';
import { OUR_PRICES } from './price-book';
import type * as Catalogues from './read-catalogue';
import type * as Prices from './read-prices';

/** The files that a fleet names. */
export interface HardwareFiles {
  readonly catalogue?: SourceFile | undefined;
  readonly prices?: SourceFile | undefined;
}

/** Hardware, and what is wrong with the files that it was read from. */
export interface HardwareReading {
  readonly hardware: Hardware;
  readonly problems: readonly Problem[];
}

/** What is known of hardware and prices, with what the files of a fleet add. */
export function readHardware(files: HardwareFiles, resources: readonly Resource[]): HardwareReading {
  const catalogue = files.catalogue
    ? catalogueReader()(files.catalogue)
    : { catalogue: OUR_CATALOGUE, problems: [] };
  const clusters = resources.filter((one) => one.kind === 'InferenceCluster');
  const context = { catalogue: catalogue.catalogue, clusters };
  const prices = files.prices ? priceReader()(files.prices, context) : { prices: OUR_PRICES, problems: [] };
  return {
    hardware: { catalogue: catalogue.catalogue, prices: prices.prices },
    problems: [...catalogue.problems, ...prices.problems],
  };
}

/** Loaded on first use, as the other: both need schemas and a parser, and most fleets name no such file. */
function catalogueReader(): typeof Catalogues.readCatalogue {
  return (require('./read-catalogue') as typeof Catalogues).readCatalogue;
}

function priceReader(): typeof Prices.readPrices {
  return (require('./read-prices') as typeof Prices).readPrices;
}
