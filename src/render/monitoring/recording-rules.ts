import type { InferenceCluster } from '../../api/inference-cluster';
import type { EngineMetric, Measure } from '../../catalog/engines/engine-metrics';
import {
  COPIES,
  COST_SERIES,
  LATENCIES,
  quantileSeriesOf,
  RECORDED_LABELS,
  RECORDED_QUANTILES,
  RECORDED_SERIES,
  type RecordedQuantile,
} from '../../catalog/recording-rules';
import type { Fleet } from '../../fleet/fleet';
import { priceOf } from '../../fleet/prices/node-price';
import type { MonitoredEngine } from './monitored-engines';
import { aggregateBy, selectSeries } from './promql';
import type { RecordingRule } from './rule';

/** How series of a measure of one engine become one: `sum` over pods, or their average. */
type Recording = (metric: EngineMetric, engine: MonitoredEngine) => string;

const sumOf: Recording = (metric, engine) => aggregateBy('sum', RECORDED_LABELS, rawSeries(metric, engine));
const averageOf: Recording = (metric, engine) => aggregateBy('avg', RECORDED_LABELS, rawSeries(metric, engine));
const rateOf: Recording = (metric, engine) =>
  aggregateBy('sum', RECORDED_LABELS, `rate(${rawSeries(metric, engine)}[${RATE_WINDOW}])`);

/** The time over which rates and quantiles are taken: at least four scrapes. */
const RATE_WINDOW = '5m';

type SingleMeasure = Exclude<Measure, (typeof LATENCIES)[number]>;

const RECORDINGS: Readonly<Record<SingleMeasure, Recording>> = {
  waiting: sumOf,
  running: sumOf,
  kvUse: averageOf,
  requests: rateOf,
  errors: rateOf,
  tokensIn: rateOf,
  tokensOut: rateOf,
};

/** Renders the rules that record what an engine measures under the names of RECORDED_SERIES. */
export function renderRecordingRules(engine: MonitoredEngine): RecordingRule[] {
  const names = engine.metrics?.names ?? {};
  const single = (Object.keys(RECORDINGS) as SingleMeasure[]).flatMap((measure): RecordingRule[] => {
    const metric = names[measure];
    return metric ? [{ record: RECORDED_SERIES[measure], expr: RECORDINGS[measure](metric, engine) }] : [];
  });
  const latencies = LATENCIES.flatMap((latency): RecordingRule[] => {
    const metric = names[latency];
    if (!metric) return [];
    return (Object.keys(RECORDED_QUANTILES) as RecordedQuantile[]).map((quantile) => ({
      record: quantileSeriesOf(latency, quantile),
      expr: quantileOf(RECORDED_QUANTILES[quantile], metric, engine),
    }));
  });
  return [...single, ...latencies];
}

function rawSeries({ name, matchers }: EngineMetric, { labels }: MonitoredEngine, suffix = ''): string {
  return selectSeries(name + suffix, labels, matchers);
}

function quantileOf(quantile: number, metric: EngineMetric, engine: MonitoredEngine): string {
  const rate = `rate(${rawSeries(metric, engine, '_bucket')}[${RATE_WINDOW}])`;
  return `histogram_quantile(${quantile}, ${aggregateBy('sum', ['le', ...RECORDED_LABELS], rate)})`;
}

/**
 * Renders the rules that record how many copies of an engine the plan starts, and how many are ready. Ready copies
 * come from kube-state-metrics, which shows the leaders of gangs as a StatefulSet. Without it, pods count that answer
 * to Prometheus. Without any of both, no copy is ready.
 */
export function renderCopyRules(engine: MonitoredEngine, cluster: string): RecordingRule[] {
  const { workloads, gang, planned } = engine;
  const labels = { cluster, ...engineLabelsOf(engine) };
  const kind = gang ? 'statefulset' : 'deployment';
  const ready = selectSeries(`kube_${kind}_status_replicas_ready`, {
    namespace: engine.labels.namespace,
    [kind]: workloads,
  });
  const answering = selectSeries('up', engine.labels);
  return [
    { record: COPIES.planned, expr: `vector(${planned})`, labels },
    { record: COPIES.ready, expr: `sum(${ready}) or sum(${answering}) or vector(0)`, labels },
  ];
}

/** The labels of the series of an engine, as labels of a rule. */
export function engineLabelsOf({ labels: { namespace, deployment, engine } }: MonitoredEngine): Record<string, string> {
  return { namespace, deployment, engine };
}

/** Renders the rules that record the cost of the nodes of each pool: those that always run. */
export function renderCostRules(
  cluster: InferenceCluster,
  { classes, hardware }: Pick<Fleet, 'classes' | 'hardware'>,
): RecordingRule[] {
  const byName = new Map(classes.map((declared) => [declared.metadata.name, declared]));
  return cluster.spec.nodePools.flatMap(({ name: pool, className, nodeCount = 0, minNodeCount = nodeCount }) => {
    const declared = byName.get(className);
    const price = declared && priceOf({ declared, cluster }, hardware.prices);
    if (!price) return [];
    const labels = { cluster: cluster.metadata.name, pool, currency: price.currency };
    return [{ record: COST_SERIES, expr: `vector(${Number((price.perHour * minNodeCount).toFixed(4))})`, labels }];
  });
}
