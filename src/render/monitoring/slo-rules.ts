import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { LATENCY_ALERT_SECONDS } from '../../catalog/alerts';
import { type Latency, SLO_SERIES, SLO_WINDOWS } from '../../catalog/recording-rules';
import { shortenName, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { RoutedService } from '../../routing/routing';
import { budgetOf, type LatencyObjective, measuringEnginesOf } from '../../routing/service-objectives';
import type { AlertCondition } from './alert-rules';
import { frontClustersOf } from './cluster-conditions';
import { quoteText, selectSeries } from './promql';
import type { RecordingRule } from './rule';

/** An objective of a service on a cluster, and how many of its requests miss it. */
export interface ServiceObjective {
  /** `ttft p95 500ms`, or `availability 99.5`. */
  readonly name: string;
  readonly isLatency: boolean;

  /** The part of requests that may miss it. */
  readonly budget: number;

  /** The part of requests that misses it, over a window such as `5m`. */
  readonly missesOver: (window: string) => string;
}

type Window = (typeof SLO_WINDOWS)[number];

/**
 * The alerts on how fast the error budget of 30 days is used up. The short window ends an alert soon after the errors
 * end (sre.google/workbook/alerting-on-slos).
 */
const BURNS: readonly {
  readonly alert: 'FleetwrightErrorBudgetBurnFast' | 'FleetwrightErrorBudgetBurnSlow';
  readonly factor: number;
  readonly windows: readonly [long: Window, short: Window];
}[] = [
  { alert: 'FleetwrightErrorBudgetBurnFast', factor: 14.4, windows: ['1h', '5m'] },
  { alert: 'FleetwrightErrorBudgetBurnSlow', factor: 6, windows: ['6h', '30m'] },
];

/** Lists the objectives of a service that are measured on a cluster. */
export function listServiceObjectives(
  service: RoutedService,
  deployments: readonly ModelDeployment[],
  cluster: string,
): ServiceObjective[] {
  const { latencies = [], availability } = service.objectives ?? {};
  const local = deploymentsBehind(service, deployments, cluster);
  const fronts = frontClustersOf(service, cluster);
  return [
    ...latencies.flatMap((objective) => toLatencyObjective(objective, local)),
    ...(availability === undefined || fronts === '' ? [] : [toAvailabilityObjective(availability, fronts)]),
  ];
}

function deploymentsBehind(
  { rules }: RoutedService,
  deployments: readonly ModelDeployment[],
  cluster: string,
): readonly ModelDeployment[] {
  const members = rules.flatMap((rule) => rule.members).filter((member) => member.cluster === cluster);
  const names = new Set(members.map(({ target }) => `${target.namespace}/${target.name}`));
  return deployments.filter((deployment) => names.has(qualifiedNameOf(deployment)));
}

const LATENCY_WORDS: Readonly<Record<Latency, string>> = {
  ttft: 'time to first token',
  interTokenLatency: 'inter-token latency',
  endToEndLatency: 'end-to-end latency',
};

function toLatencyObjective(objective: LatencyObjective, deployments: readonly ModelDeployment[]): ServiceObjective[] {
  const { latency, quantile, bound, seconds } = objective;
  const histograms = deployments.flatMap((deployment) => {
    const { name, namespace = 'default' } = deployment.metadata;
    return measuringEnginesOf(deployment, latency).flatMap(({ engine, metric }) => {
      return metric ? [{ metric, labels: { namespace, deployment: shortenName(name), engine: engine.name } }] : [];
    });
  });
  if (histograms.length === 0) return [];
  const rates = (suffix: string, window: string, matcher?: string): string =>
    `sum(${histograms
      .map(({ metric, labels }) => `rate(${selectSeries(metric.name + suffix, labels, matcher)}[${window}])`)
      .join(' or ')})`;
  const missesOver = (window: string): string =>
    `1 - ${rates('_bucket', window, bucketMatcherOf(seconds))} / ${rates('_count', window)}`;
  const name = `${LATENCY_WORDS[latency]} ${quantile} ${bound}`;
  return [{ name, isLatency: true, budget: budgetOf(objective), missesOver }];
}

/** Prometheus 3 writes whole numbers as `1.0`, earlier versions as the engine does. */
function bucketMatcherOf(seconds: number): string {
  return Number.isInteger(seconds)
    ? `le=~${quoteText(String.raw`${seconds}(\.0)?`)}`
    : `le=${quoteText(String(seconds))}`;
}

/** Errors that a gateway answers itself count too, such as those while no member serves. */
function toAvailabilityObjective(availability: number, fronts: string): ServiceObjective {
  const matcher = `envoy_cluster_name=~${quoteText(fronts)}`;
  const rate = (window: string, more: Readonly<Record<string, string>>): string =>
    `sum(rate(${selectSeries('envoy_cluster_upstream_rq_xx', { namespace: SYSTEM_NAMESPACE, ...more }, matcher)}[${window}]))`;
  const missesOver = (window: string): string =>
    `(${rate(window, { envoy_response_code_class: '5' })} or vector(0)) / ${rate(window, {})}`;
  const percent = Number((availability * 100).toFixed(4));
  return {
    name: `availability ${percent} %`,
    isLatency: false,
    budget: Number((1 - availability).toFixed(6)),
    missesOver,
  };
}

/** Renders the rules that record how many requests miss an objective, and how many may. */
export function renderSloRules(labels: Readonly<Record<string, string>>, objective: ServiceObjective): RecordingRule[] {
  const own = { ...labels, slo: objective.name };
  return [
    { record: SLO_SERIES.budget, expr: `vector(${objective.budget})`, labels: own },
    ...SLO_WINDOWS.map((window) => ({
      record: `${SLO_SERIES.misses}:${window}`,
      expr: objective.missesOver(window),
      labels: own,
    })),
  ];
}

/** The alerts of an objective. A burn that all requests together cannot reach has none. */
export function listSloConditions(
  labels: Readonly<Record<string, string>>,
  { name, isLatency, budget }: ServiceObjective,
): AlertCondition[] {
  // With labels of their own, no two rules are alike.
  const own = { ...labels, slo: name };
  const over = (window: Window, limit: number): string =>
    `${selectSeries(`${SLO_SERIES.misses}:${window}`, own)} > ${Number(limit.toFixed(6))}`;
  const burns = BURNS.filter(({ factor }) => factor * budget < 1).map(({ alert, factor, windows: [long, short] }) => ({
    alert,
    expr: `${over(long, factor * budget)} and ${over(short, factor * budget)}`,
    seconds: 120,
    labels: own,
  }));
  return [
    ...(isLatency
      ? [
          {
            alert: 'FleetwrightLatencyAboveSlo' as const,
            expr: over('5m', budget),
            seconds: LATENCY_ALERT_SECONDS,
            labels: own,
          },
        ]
      : []),
    ...burns,
  ];
}
