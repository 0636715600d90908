import { compareText, groupBy } from '../order';
import type { Model, Site } from '../scheduler/model';

/** Clusters that are lost together. */
export interface Losing {
  readonly name: string;
  readonly sites: ReadonlySet<Site>;
}

/** Every cluster alone, or every failure domain with all its clusters; a cluster in none is not lost. */
export function lossesOf({ sites }: Model, label: string | undefined): Losing[] {
  if (label === undefined) return sites.map((site) => ({ name: site.name, sites: new Set([site]) }));
  const inDomain = groupBy(
    sites.filter(({ labels }) => labels[label] !== undefined),
    ({ labels }) => labels[label] ?? '',
  );
  return [...inDomain]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, all]) => ({ name, sites: new Set(all) }));
}
