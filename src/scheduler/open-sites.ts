import { sortedBy } from '../order';
import { rejectNew } from './filters';
import type { Demand, Site } from './model';

/**
 * The clusters that may still take a replica of a demand, by name. Rooms only shrink while replicas are placed,
 * so a cluster that had no room once is not asked again, by any deployment of the same demand, until something is
 * taken away there.
 */
export class OpenSites {
  readonly #open = new Map<Demand, readonly Site[]>();

  constructor(private readonly sites: readonly Site[]) {}

  of(demand: Demand): readonly Site[] {
    const known = this.#open.get(demand);
    if (known) return known;
    const open = this.sites.filter((site) => !rejectNew(demand, site));
    this.#open.set(demand, open);
    return open;
  }

  /** Asks a cluster again on which something was taken away. */
  reopen(site: Site): void {
    for (const [demand, open] of this.#open) {
      if (open.includes(site) || rejectNew(demand, site)) continue;
      this.#open.set(
        demand,
        sortedBy([...open, site], ({ name }) => name),
      );
    }
  }

  close(demand: Demand, full: Site): void {
    this.#open.set(
      demand,
      this.of(demand).filter((site) => site !== full),
    );
  }
}
