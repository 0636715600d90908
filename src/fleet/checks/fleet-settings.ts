import { resourceIdOf } from '../../api/kinds';
import type { FleetCheck } from './fleet-check';

/** Settings stand in one place, so that none of them is overlooked. */
export const checkSingleFleet: FleetCheck = function* ({ settings, surplusSettings = [] }) {
  for (const resource of surplusSettings) {
    yield {
      code: 'second-fleet',
      resource,
      path: ['metadata', 'name'],
      what: `${resourceIdOf(resource)} is a second Fleet beside '${settings?.metadata.name}'`,
      hint: 'Merge the two',
    };
  }
};

/** Prices of all classes are in the currency of the fleet: others could not be compared. */
export const checkCurrency: FleetCheck = function* ({ classes, hardware: { prices } }) {
  for (const resource of classes) {
    const currency = resource.spec.price?.currency ?? prices.currency;
    if (currency === prices.currency) continue;
    yield {
      code: 'other-currency',
      resource,
      path: ['spec', 'price', 'currency'],
      what: `the price is in ${currency}, and the currency of the fleet is ${prices.currency}`,
      hint: 'Convert it, or set the currency in the file that Fleet.spec.prices names',
    };
  }
};
