import type { Measure } from './engines/engine-metrics';

/**
 * The labels of recorded series. `deployment`, `replica_index` and `engine` are the values of the pod labels of the
 * same name. A label of the engine with one of these names arrives as `exported_NAME`. It is not `replica`, by which
 * Thanos and others identify copies of Prometheus.
 */
export const RECORDED_LABELS = ['cluster', 'namespace', 'deployment', 'replica_index', 'engine'] as const;

export type RecordedLabel = (typeof RECORDED_LABELS)[number];

/** The quantiles of latencies that are recorded, with the suffix of the series: `fleetwright:ttft_seconds:p95`. */
export const RECORDED_QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

export type RecordedQuantile = keyof typeof RECORDED_QUANTILES;

/**
 * The recorded series of each measure, which hide the names of engines. Each has all of RECORDED_LABELS, so that a
 * query sums over replicas: `sum(fleetwright:requests_waiting{namespace="ml",deployment="chat",engine="vllm"})`.
 *
 * Waiting and running requests are sums over the pods of an engine, the use of the KV cache is their average (0 to 1),
 * and `:rate5m` is a rate per second. Latencies are prefixes of quantiles.
 */
export const RECORDED_SERIES = {
  waiting: 'fleetwright:requests_waiting',
  running: 'fleetwright:requests_running',
  kvUse: 'fleetwright:kv_use_ratio',
  ttft: 'fleetwright:ttft_seconds',
  interTokenLatency: 'fleetwright:inter_token_latency_seconds',
  endToEndLatency: 'fleetwright:end_to_end_latency_seconds',
  requests: 'fleetwright:requests:rate5m',
  errors: 'fleetwright:request_errors:rate5m',
  tokensIn: 'fleetwright:tokens_in:rate5m',
  tokensOut: 'fleetwright:tokens_out:rate5m',
} as const satisfies Readonly<Record<Measure, string>>;

/** The titles of the panels of dashboards that show a measure. */
export const PANEL_TITLES = {
  requests: 'Requests per second',
  running: 'Running requests',
  waiting: 'Waiting requests',
  tokensIn: 'Tokens in per second',
  tokensOut: 'Tokens out per second',
  kvUse: 'Use of the KV cache',
  ttft: 'Time to first token',
  interTokenLatency: 'Inter-token latency',
  endToEndLatency: 'End-to-end latency',
} as const satisfies Readonly<Partial<Record<Measure, string>>>;

/** The labels of the series of a deployment: those of RECORDED_LABELS, without the replica. */
export const ENGINE_LABELS = ['cluster', 'namespace', 'deployment', 'engine'] as const;

/**
 * The copies of an engine on a cluster, by ENGINE_LABELS: those that the plan starts, and those that are ready. A copy
 * is a pod or a gang.
 */
export const COPIES = { planned: 'fleetwright:copies_planned', ready: 'fleetwright:copies_ready' } as const;

/** The cost of the nodes of a pool that the plan buys, by cluster, pool and currency. Absent without a known price. */
export const COST_SERIES = 'fleetwright:pool_cost_per_hour';

/**
 * The part of requests that misses an objective of a service, over a window: `fleetwright:slo_miss_ratio:5m`. By
 * cluster, namespace, service and slo. `fleetwright:slo_budget_ratio` is the part that may.
 */
export const SLO_SERIES = { misses: 'fleetwright:slo_miss_ratio', budget: 'fleetwright:slo_budget_ratio' } as const;

/** The windows over which misses are recorded. */
export const SLO_WINDOWS = ['5m', '30m', '1h', '6h'] as const;

/** The measures that are recorded as quantiles. */
export const LATENCIES = ['ttft', 'interTokenLatency', 'endToEndLatency'] as const satisfies readonly Measure[];

export type Latency = (typeof LATENCIES)[number];

/** The recorded series of a quantile of a latency: `fleetwright:ttft_seconds:p95`. */
export function quantileSeriesOf(latency: Latency, quantile: RecordedQuantile): string {
  return `${RECORDED_SERIES[latency]}:${quantile}`;
}
