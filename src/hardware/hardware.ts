import { type Catalogue, OUR_CATALOGUE } from './catalogue';
import { OUR_PRICES, type PriceBook } from './price-book';

/** What is known of hardware and its prices beside what classes say. */
export interface Hardware {
  readonly catalogue: Catalogue;
  readonly prices: PriceBook;
}

/** What comes with Fleetwright. */
export const OUR_HARDWARE: Hardware = { catalogue: OUR_CATALOGUE, prices: OUR_PRICES };
