import { ALERT_MEASURES, ALERTS, type AlertName, RUNBOOKS, runbookPageOf } from '../../catalog/alerts';
import { COPIES, ENGINE_LABELS, RECORDED_SERIES } from '../../catalog/recording-rules';
import type { MonitoredEngine } from './monitored-engines';
import type { Monitoring } from './monitoring-object';
import { aggregateBy, escapePattern, quoteText, selectSeries } from './promql';
import { engineLabelsOf } from './recording-rules';
import type { AlertRule } from './rule';

/** An expression, and how long it has to have a result. */
export interface AlertCondition {
  readonly alert: AlertName;
  readonly expr: string;

  /** In seconds. */
  readonly seconds: number;

  /** Labels in addition to those of the expression. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Renders an alert: its text comes from ALERTS, its page from the cluster, or else from RUNBOOKS. */
export function renderAlert({ alert, expr, seconds, labels = {} }: AlertCondition, { alerts }: Monitoring): AlertRule {
  const { severity, summary, description } = ALERTS[alert];
  const page = runbookPageOf(alert);
  // Pages of other sites are named by the address, not by a file.
  const runbook =
    alerts.runbooks === undefined ? `${RUNBOOKS}/${page}` : `${alerts.runbooks}/${page.replace('.md', '')}`;
  return {
    alert,
    expr,
    for: formatSeconds(seconds),
    labels: { ...alerts.labels, ...labels, severity },
    annotations: {
      summary: insertLabels(summary, labels),
      description: insertLabels(description, labels),
      runbook_url: runbook,
    },
  };
}

/** Templates of Prometheus see labels of the expression only, so that labels of the rule are inserted here. */
function insertLabels(template: string, labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels).reduce(
    (text, [label, value]) => text.replaceAll(`{{ $labels.${label} }}`, () => value),
    template,
  );
}

function formatSeconds(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

const MINUTE = 60;

/** Requests that wait at once in an engine before a growing queue matters. */
const LONG_QUEUE = 10;

/** The share of the KV cache above which an engine preempts requests. */
const FULL_CACHE = 0.95;

/** The alerts of an engine, of which each needs a measure that the engine has, or none. */
export function listEngineConditions(engine: MonitoredEngine): AlertCondition[] {
  const names = engine.metrics?.names ?? {};
  const { labels } = engine;
  const planned = selectSeries(COPIES.planned, labels);
  const ready = selectSeries(COPIES.ready, labels);
  const patience = engine.startupSeconds + 5 * MINUTE;
  return [
    { alert: 'FleetwrightReplicasBelowPlan', expr: `${planned} - ${ready} > 0`, seconds: patience },
    { alert: 'FleetwrightEngineDown', expr: `${planned} > 0 and ${ready} == 0`, seconds: patience },
    ...(names[ALERT_MEASURES.FleetwrightQueueGrowing] ? [queueCondition(engine)] : []),
    ...(names[ALERT_MEASURES.FleetwrightKvCacheFull] ? [cacheCondition(engine)] : []),
    claimCondition(engine),
  ];
}

function queueCondition({ labels }: MonitoredEngine): AlertCondition {
  const waiting = selectSeries(RECORDED_SERIES.waiting, labels);
  const sum = aggregateBy('sum', ENGINE_LABELS, waiting);
  const growth = aggregateBy('sum', ENGINE_LABELS, `deriv(${waiting}[15m])`);
  return { alert: 'FleetwrightQueueGrowing', expr: `${sum} > ${LONG_QUEUE} and ${growth} > 0`, seconds: 10 * MINUTE };
}

function cacheCondition({ labels }: MonitoredEngine): AlertCondition {
  const use = selectSeries(RECORDED_SERIES.kvUse, labels);
  return { alert: 'FleetwrightKvCacheFull', expr: `${use} > ${FULL_CACHE}`, seconds: 10 * MINUTE };
}

/**
 * Pods of a workload are named after it. kube-state-metrics does not show claims: a pod whose claim finds no devices
 * is unschedulable.
 */
function claimCondition(engine: MonitoredEngine): AlertCondition {
  const { workloads, labels } = engine;
  const pods = `pod=~${quoteText(`(${workloads.map(escapePattern).join('|')})-.+`)}`;
  const unschedulable = selectSeries('kube_pod_status_unschedulable', { namespace: labels.namespace }, pods);
  return {
    alert: 'FleetwrightClaimPending',
    expr: `sum(${unschedulable}) > 0`,
    seconds: 15 * MINUTE,
    labels: engineLabelsOf(engine),
  };
}
