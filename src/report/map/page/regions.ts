import { formatCount } from '../../../base/figures';
import { sortedNaturally } from '../../../base/order';
import { pluralize } from '../../../base/text';
import { formatClusterCost } from './display-text';
import { sumAmounts, sumGpus } from './fleet-figures';
import type { ClusterView, FleetView } from './fleet-view';

/** The clusters of a region. */
export interface RegionView {
  /** Empty: the clusters name no region. */
  readonly name: string;
  readonly clusters: readonly ClusterView[];
}

/** Groups clusters by region, sorted by name, those without a region last. */
export function groupByRegion(clusters: readonly ClusterView[]): RegionView[] {
  const regions = new Map<string, ClusterView[]>();
  for (const cluster of clusters) {
    const known = regions.get(cluster.region);
    if (known) known.push(cluster);
    else regions.set(cluster.region, [cluster]);
  }
  const sorted = sortedNaturally(regions, ([name]) => name).map(([name, members]) => ({ name, clusters: members }));
  return [...sorted.filter(({ name }) => name !== ''), ...sorted.filter(({ name }) => name === '')];
}

/** `eu-west-1`, or that there is no region. */
export function formatRegion(name: string): string {
  return name === '' ? 'No region' : name;
}

/** `3 clusters, 120 of 200 GPUs in use, 8 of them for rollouts, $40,179 a month`: as the cards of its clusters count. */
export function formatRegionFacts({ clusters }: RegionView, { data: { states } }: FleetView): string {
  const gpus = sumGpus(clusters.map((cluster) => cluster.gpus.at(-1)).filter((one) => one !== undefined));
  const amounts = clusters.map(({ costs }) => costs.at(-1)).filter((one) => one !== undefined);
  const removed = clusters.filter((cluster) => cluster.removed).length;
  const unpriced = clusters.flatMap((cluster) => cluster.unpriced.map((part) => `${part} on ${cluster.name}`));
  const facts = [
    pluralize(clusters.length - removed, 'cluster'),
    ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
    `${formatCount(gpus.used + gpus.rollouts)} of ${pluralize(gpus.total, 'GPU')} in use`,
    ...(gpus.rollouts > 0 ? [`${formatCount(gpus.rollouts)} of them for rollouts`] : []),
    formatClusterCost({ amount: sumAmounts(amounts), unpriced }, states.at(-1)?.cost.currency ?? ''),
  ];
  return facts.join(' \u00b7 ');
}
