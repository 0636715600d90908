import { DOCS_ADDRESS } from '../base/product-address';
import type { Measure } from './engines/engine-metrics';

/** How urgent an alert is: `critical` needs a person now, `warning` needs one today. */
export type AlertSeverity = 'critical' | 'warning';

/** What an alert is about. Each has a page in docs/runbooks, under the name in small letters. */
export interface AlertDefinition {
  readonly severity: AlertSeverity;

  /** Templates of Prometheus. Labels are those of the expression. */
  readonly summary: string;
  readonly description: string;
}

const ENGINE = 'Engine {{ $labels.engine }} of {{ $labels.namespace }}/{{ $labels.deployment }}';
const SERVICE = 'Service {{ $labels.namespace }}/{{ $labels.service }}';

/** The time for which a latency misses its SLO before FleetwrightLatencyAboveSlo fires, in seconds. */
export const LATENCY_ALERT_SECONDS = 600;

/** All alerts, in the order of docs/monitoring.md. */
export const ALERTS = {
  FleetwrightReplicasBelowPlan: {
    severity: 'warning',
    summary: `${ENGINE} has fewer ready copies than planned`,
    description:
      '{{ $value }} planned copies on cluster {{ $labels.cluster }} are not ready for longer than an engine may load.',
  },
  FleetwrightEngineDown: {
    severity: 'critical',
    summary: `${ENGINE} does not serve`,
    description: 'No copy on cluster {{ $labels.cluster }} is ready, and the plan starts at least one.',
  },
  FleetwrightQueueGrowing: {
    severity: 'warning',
    summary: `${ENGINE} has a growing queue`,
    description: '{{ $value | printf "%.0f" }} requests wait on cluster {{ $labels.cluster }}, and their number grows.',
  },
  FleetwrightKvCacheFull: {
    severity: 'warning',
    summary: `${ENGINE} has a full KV cache`,
    description:
      'Replica {{ $labels.replica_index }} on cluster {{ $labels.cluster }} uses {{ $value | humanizePercentage }} of its KV cache. New requests wait, and running requests can be preempted.',
  },
  FleetwrightLatencyAboveSlo: {
    severity: 'warning',
    summary: `${SERVICE} is slower than its SLO`,
    description:
      'The {{ $labels.slo }} on cluster {{ $labels.cluster }} is above its bound: fewer requests are within the bound than the SLO says.',
  },
  FleetwrightErrorBudgetBurnFast: {
    severity: 'critical',
    summary: `${SERVICE} uses up its error budget within two days`,
    description:
      'At the rate of the last hour, requests that miss the SLO ({{ $labels.slo }}) use up the budget of 30 days within 2 days.',
  },
  FleetwrightErrorBudgetBurnSlow: {
    severity: 'warning',
    summary: `${SERVICE} uses up its error budget within five days`,
    description:
      'At the rate of the last 6 hours, requests that miss the SLO ({{ $labels.slo }}) use up the budget of 30 days within 5 days.',
  },
  FleetwrightCacheJobFailed: {
    severity: 'warning',
    summary: 'A Job of a cache in {{ $labels.namespace }} fails',
    description:
      'Job {{ $labels.job_name }} failed, so that its volume can lack files. Replicas that start read what is there, or wait.',
  },
  FleetwrightClaimPending: {
    severity: 'warning',
    summary: `Pods of {{ $labels.namespace }}/{{ $labels.deployment }} find no devices`,
    description:
      '{{ $value }} pods of engine {{ $labels.engine }} are unschedulable. The plan has a place for each, so the cluster differs from its declaration.',
  },
  FleetwrightGpuUnhealthy: {
    severity: 'critical',
    summary: 'A GPU reports errors',
    description:
      'GPU {{ $labels.gpu }} ({{ $labels.UUID }}) of node {{ $labels.Hostname }}{{ $labels.hostname }} reports an error of the hardware.',
  },
  FleetwrightCertificateExpiring: {
    severity: 'warning',
    summary: 'A certificate of a gateway is near its end',
    description: 'A certificate of gateway {{ $labels.gateway }} ends in {{ $value | humanizeDuration }}.',
  },
  FleetwrightServiceWithoutTarget: {
    severity: 'critical',
    summary: `${SERVICE} has no healthy target`,
    description: 'All clusters and endpoints behind {{ $labels.envoy_cluster_name }} are unhealthy. Clients get 503.',
  },
} as const satisfies Readonly<Record<string, AlertDefinition>>;

export type AlertName = keyof typeof ALERTS;

/** The measures of engines that alerts compare. An engine without the measure has no such alert. */
export const ALERT_MEASURES = {
  FleetwrightQueueGrowing: 'waiting',
  FleetwrightKvCacheFull: 'kvUse',
} as const satisfies Readonly<Partial<Record<AlertName, Measure>>>;

/** The address of the runbooks, without the name of a page. */
export const RUNBOOKS = `${DOCS_ADDRESS}/runbooks`;

/** The page of an alert, below RUNBOOKS: `engine-down.md` for `FleetwrightEngineDown`. */
export function runbookPageOf(alert: AlertName): string {
  const words = alert.replace(/^Fleetwright/, '').replaceAll(/(?!^)([A-Z])/g, '-$1');
  return `${words.toLowerCase()}.md`;
}
