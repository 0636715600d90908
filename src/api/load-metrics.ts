import type { Engine } from './engine';
import { copyBoundsOf } from './engine-copies';
import type { InferenceCluster } from './inference-cluster';

/** What a cluster lacks for an autoscaler: Prometheus, or the series that the rules of Fleetwright record there. */
export type MissingLoadMetrics = 'metrics' | 'series';

/** What an engine needs of a cluster to scale by its load. */
export interface LoadNeed {
  /** Whether it reads recorded series. Otherwise it reads queries of its own. */
  readonly series: boolean;

  /** `copies.min`, where the engine would need nothing with 0. Absent: it needs metrics with any minimum. */
  readonly min?: number;
}

/** What an engine needs to scale by its load. Undefined: it does not scale, or proxies count what it scales by. */
export function loadNeedOf(engine: Pick<Engine, 'scaling' | 'copies'>): LoadNeed | undefined {
  const { scaling } = engine;
  if (!scaling) return undefined;
  const { min } = copyBoundsOf(engine);
  const isCounted = scaling.on.every(({ running }) => running !== undefined);
  // Proxies count the requests that start the first copy, and nothing else.
  const measured = scaling.on.filter(({ running }) => running === undefined || min > 0);
  if (measured.length === 0) return undefined;
  return { series: measured.some(({ prometheus }) => !prometheus), ...(isCounted && { min }) };
}

/** What a cluster has of load metrics. */
export interface LoadMetrics {
  readonly metrics: boolean;
  readonly series: boolean;
}

/** What a cluster declares of load metrics. */
export function loadMetricsOf({ spec: { monitoring } }: InferenceCluster): LoadMetrics {
  return { metrics: monitoring !== undefined, series: monitoring?.rules ?? false };
}

/** What a cluster lacks of what an engine needs. Undefined: nothing. */
export function findMissingLoadMetrics(need: LoadNeed, has: LoadMetrics): MissingLoadMetrics | undefined {
  if (!has.metrics) return 'metrics';
  return need.series && !has.series ? 'series' : undefined;
}
