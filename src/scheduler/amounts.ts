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

const DECIMAL = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** An amount of the ledger as a Kubernetes quantity, in the form in which the API server gives it back. */
export function quantityOf(name: ResourceName, amount: number): string {
  if (name === 'cpu')
    return amount % UNITS.cpu === 0 ? suffixed(amount / UNITS.cpu, 1000, DECIMAL) : `${amount}m`;
  return amount % 1024 === 0 ? suffixed(amount, 1024, BINARY) : suffixed(amount, 1000, DECIMAL);
}

/** A whole number with the largest suffix that leaves it whole. */
function suffixed(amount: number, base: number, suffixes: readonly string[]): string {
  const [suffix = '', ...larger] = suffixes;
  const divides = amount > 0 && amount % base === 0 && larger.length > 0;
  return divides ? suffixed(amount / base, base, larger) : `${amount}${suffix}`;
}
