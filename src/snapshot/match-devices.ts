import type { Device } from '../api/device';
import { type Difference, differences } from './differences';
import type { Published } from './published';

/** How the devices of one node compare with its class. */
export interface Match {
  /** Devices that the class declares and the node does not show. */
  readonly short: readonly { readonly device: string; readonly declared: number; readonly shown: number }[];
  /** Devices that stand for what the class declares, but differ from it. */
  readonly differing: readonly Differing[];
}

/** A device that differs from its entry of the class. */
export interface Differing {
  readonly entry: Device;
  readonly published: Published;
  readonly differences: readonly Difference[];
}

/**
 * Pairs the devices of a node with the entries of its class: those that differ least first, and among equals the
 * entry that says most. So partitions and other devices of the same driver stay out as long as there are enough
 * that fit. Synthetic devices are never published.
 */
export function matchDevices(entries: readonly Device[], shown: readonly Published[]): Match {
  const claimed = entries.filter(({ claim }) => claim === 'DRA');
  const left = new Map(claimed.map((entry) => [entry, entry.count]));
  const free = new Set(shown);
  const pairs = claimed
    .flatMap((entry) =>
      shown
        .filter(({ driver }) => driver === entry.driver)
        .map((published) => ({ entry, published, differences: differences(entry, published) })),
    )
    .sort((a, b) => a.differences.length - b.differences.length || factsOf(b.entry) - factsOf(a.entry));
  const differing: Differing[] = [];
  for (const pair of pairs) {
    const wanted = left.get(pair.entry) ?? 0;
    if (wanted === 0 || !free.delete(pair.published)) continue;
    left.set(pair.entry, wanted - 1);
    if (pair.differences.length > 0) differing.push(pair);
  }
  const short = claimed.flatMap((entry) => {
    const missing = left.get(entry) ?? 0;
    const { name: device, count: declared } = entry;
    return missing > 0 ? [{ device, declared, shown: declared - missing }] : [];
  });
  return { short, differing };
}

function factsOf({ attributes, capacity }: Device): number {
  return Object.keys(attributes).length + Object.keys(capacity).length;
}
