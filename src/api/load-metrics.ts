import type { Engine } from './engine';
import { copyBoundsOf } from './engine-copies';
import type { InferenceCluster } from './inference-cluster';

/** What a cluster lacks for an autoscaler: Prometheus, or the series that the rules of Fleetwright record there. */
export type MissingLoadMetrics = 'metrics' | 'series';

/** What a cluster lacks for engines that scale: load metrics, or what holds requests until the first copy serves. */
export type MissingForScaling = MissingLoadMetrics | 'kedaHttpAddOn';

/** What an engine needs of a cluster to scale by its load. */
export interface LoadNeed {
  /** `metrics`: it reads queries of its own. `series`: it reads recorded series. Absent: it reads nothing. */
  readonly reads?: MissingLoadMetrics;

  /** It can have no copy, so that requests have to wait for the first one. Absent: it always has one. */
  readonly waits?: true;

  /** `copies.min`, where the engine would need nothing with 0. Absent: it needs metrics with any minimum. */
  readonly min?: number;
}

/** What an engine needs to scale by its load. Undefined: it does not scale. */
export function loadNeedOf(engine: Pick<Engine, 'scaling' | 'copies'>): LoadNeed | undefined {
  const { scaling } = engine;
  if (!scaling) return undefined;
  const { min } = copyBoundsOf(engine);
  const isCounted = scaling.on.every(({ running }) => running !== undefined);
  // Proxies count the requests that start the first copy, and nothing else.
  const measured = scaling.on.filter(({ running }) => running === undefined || min > 0);
  const reads = measured.some(({ prometheus }) => !prometheus) ? 'series' : 'metrics';
  return {
    ...(measured.length > 0 && { reads, ...(isCounted && { min }) }),
    ...(min === 0 && { waits: true as const }),
  };
}

/** What a cluster has for engines that scale. */
export type ScalingSupport = Readonly<Record<MissingForScaling, boolean>>;

/** What a cluster declares for engines that scale. */
export function scalingSupportOf({ spec: { monitoring, servingStack } }: InferenceCluster): ScalingSupport {
  return {
    metrics: monitoring !== undefined,
    series: monitoring?.rules ?? false,
    kedaHttpAddOn: servingStack.kedaHttpAddOn !== undefined,
  };
}

/** What every one of some clusters declares for engines that scale. */
export function sharedScalingSupportOf(clusters: readonly InferenceCluster[]): ScalingSupport {
  const all = clusters.map(scalingSupportOf);
  const has = (field: MissingForScaling): boolean => all.every((one) => one[field]);
  return { metrics: has('metrics'), series: has('series'), kedaHttpAddOn: has('kedaHttpAddOn') };
}

/** What a cluster lacks of the load metrics that an engine reads. Undefined: nothing. */
export function findMissingLoadMetrics({ reads }: LoadNeed, has: ScalingSupport): MissingLoadMetrics | undefined {
  if (reads === undefined) return undefined;
  if (!has.metrics) return 'metrics';
  return has[reads] ? undefined : reads;
}

/** Everything that a cluster lacks of what an engine needs to scale. */
export function listMissingForScaling(need: LoadNeed, has: ScalingSupport): MissingForScaling[] {
  const lacks = findMissingLoadMetrics(need, has);
  return [...(lacks ? [lacks] : []), ...(need.waits && !has.kedaHttpAddOn ? ['kedaHttpAddOn' as const] : [])];
}
