import type { Catalogue } from '../hardware/catalogue';
import { parseQuantity, type Quantity } from '../cel/quantity';
import type { DeviceKind } from '../scheduler/shapes';

/** A GPU of which a selector asks for the memory that the box says. */
export interface Marketed {
  readonly product: string;

  /** What the driver publishes. */
  readonly memory: string;

  /** The most whole Gi that it publishes. */
  readonly ask: string;
}

/** The amounts that a selector writes down. */
const AMOUNT = /\bquantity\(\s*(?:"([^"]*)"|'([^']*)')\s*\)/g;

const GI = 2 ** 30;

/**
 * The GPU of the catalogue that a device is, where a selector asks for more memory than it publishes and no more than the box
 * says. A device that does not state its product is known by its memory.
 */
export function marketed(kind: DeviceKind, expression: string, { gpus }: Catalogue): Marketed | undefined {
  const product = productOf(kind);
  const row = [...gpus.values()].find(
    ({ productName, memory }) =>
      bytes(memory) === kind.memory && (product === undefined || product === productName),
  );
  if (!row?.nominal) return undefined;
  const most = bytes(row.nominal);
  const asked = [...expression.matchAll(AMOUNT)].map(([, double, single]) => bytes(double ?? single ?? ''));
  if (!asked.some((amount) => amount > kind.memory && amount <= most)) return undefined;
  const ask = wholeGi(parseQuantity(row.memory)) ?? row.memory;
  return { product: row.productName, memory: row.memory, ask };
}

/** The product name that a device publishes. */
export function productOf({ attributes }: DeviceKind): string | undefined {
  const name = Object.entries(attributes).find(([key]) => key.endsWith('/productName'))?.[1];
  return name?.startsWith('string ') ? name.slice('string '.length) : undefined;
}

/** An amount rounded down to whole Gi: `81559Mi` is `79Gi`. Nothing below one. */
export function wholeGi(quantity: Quantity): string | undefined {
  const whole = Math.floor(quantity.asApproximateFloat() / GI);
  return whole > 0 ? `${whole}Gi` : undefined;
}

function bytes(amount: string): number {
  try {
    return parseQuantity(amount).asApproximateFloat();
  } catch {
    return Number.NaN;
  }
}
