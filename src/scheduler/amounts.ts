import { parseQuantity } from '../cel/quantity';
import type { ResourceName } from './shapes';

/** CPU and memory as users write them. */
export interface Amounts {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

/** How each resource is counted: CPU in thousandths, memory in bytes; whole numbers, so that sums are exact. */
const UNITS: Readonly<Record<ResourceName, number>> = { cpu: 1000, memory: 1 };

/** The resources that are stated, in the units of the ledger, rounded up. */
export function amountsOf(amounts: Amounts): Partial<Record<ResourceName, number>> {
  const names = Object.keys(UNITS) as ResourceName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = amounts[name];
      return text === undefined
        ? []
        : [[name, Math.ceil(parseQuantity(text).asApproximateFloat() * UNITS[name])]];
    }),
  );
}

/** An amount of the ledger as a Kubernetes quantity, in the form in which the API server gives it back. */
export function quantityOf(name: ResourceName, amount: number): string {
  return name === 'cpu' && amount % UNITS.cpu !== 0 ? `${amount}m` : String(amount / UNITS[name]);
}
