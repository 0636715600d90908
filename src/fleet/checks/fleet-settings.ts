import { resourceIdOf } from '../../api/kinds';
import { errorAt } from '../../base/diagnostic';
import type { FleetCheck } from './fleet-check';

/** Checks that there is at most one Fleet resource. */
export const checkSingleFleet: FleetCheck = function* ({ settings, surplusSettings = [] }) {
  for (const resource of surplusSettings) {
    const what = `${resourceIdOf(resource)} is a second Fleet, in addition to '${settings?.metadata.name}'`;
    yield errorAt('second-fleet', { resource, path: ['metadata', 'name'] }, what, 'Merge the two');
  }
};

/** Checks that all classes have prices in the currency of the fleet: prices in two currencies do not compare. */
export const checkCurrency: FleetCheck = function* ({ classes, hardware: { prices } }) {
  for (const resource of classes) {
    const currency = resource.spec.price?.currency ?? prices.currency;
    if (currency === prices.currency) continue;
    const what = `the price is in ${currency}, and the currency of the fleet is ${prices.currency}`;
    const hint = 'Convert it, or set the currency in the file at Fleet.spec.prices';
    yield errorAt('other-currency', { resource, path: ['spec', 'price', 'currency'] }, what, hint);
  }
};
