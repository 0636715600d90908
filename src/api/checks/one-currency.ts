import type { FleetCheck } from './fault';

/** Prices of all classes are in the currency of the fleet: others could not be compared. */
export const oneCurrency: FleetCheck = function* ({ classes, hardware: { prices } }) {
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
