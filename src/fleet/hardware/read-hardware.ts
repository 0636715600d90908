import type { Resource } from '../../api/kinds';
import type { Diagnostic } from '../../base/diagnostic';
import type { SourceFile } from '../../manifest/source-file';
import { LIST_PRICES } from '../prices/price-book';
import type * as Prices from '../prices/read-price-file';
import { BUILT_IN_CATALOGUE, type Hardware } from './hardware';
import type * as Catalogues from './read-catalogue';

/** The catalogue file and the price file that a fleet names. */
export interface HardwareFiles {
  readonly catalogue?: SourceFile | undefined;
  readonly prices?: SourceFile | undefined;
}

/** The hardware and prices, and the problems found in their files. */
interface HardwareReading {
  readonly hardware: Hardware;
  readonly problems: readonly Diagnostic[];
}

/** Combines the built-in hardware and prices with those in the files of a fleet. */
export function readHardware(files: HardwareFiles, resources: readonly Resource[]): HardwareReading {
  const catalogue = files.catalogue
    ? loadCatalogueReader()(files.catalogue)
    : { catalogue: BUILT_IN_CATALOGUE, problems: [] };
  const clusters = resources.filter((one) => one.kind === 'InferenceCluster');
  const context = { catalogue: catalogue.catalogue, clusters };
  const prices = files.prices ? loadPriceReader()(files.prices, context) : { prices: LIST_PRICES, problems: [] };
  return {
    hardware: { catalogue: catalogue.catalogue, prices: prices.prices },
    problems: [...catalogue.problems, ...prices.problems],
  };
}

/** Loaded on first use, as `loadPriceReader`: both need schemas and a parser, and most fleets name no such file. */
function loadCatalogueReader(): typeof Catalogues.readCatalogue {
  return (require('./read-catalogue') as typeof Catalogues).readCatalogue;
}

function loadPriceReader(): typeof Prices.readPrices {
  return (require('../prices/read-price-file') as typeof Prices).readPrices;
}
