import type { AlertName } from '../../../src/catalog/alerts';

/** What happens to the metrics of examples/monitoring, and when an alert is pending, fires and is resolved. */
export interface AlertCase {
  /** A sentence about the behavior. */
  readonly name: string;
  readonly alert: AlertName;

  /** One value a minute, in the notation of promtool, by series. */
  readonly series: Readonly<Record<string, string>>;

  /** Minutes. */
  readonly pending: number;
  readonly firing: number;
  readonly resolved: number;

  /** Labels besides those of every alert: `team` and `severity`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly description: string;
}

const ENGINE = { cluster: 'us-central', namespace: 'ml', deployment: 'qwen3-8b', engine: 'vllm' };
const SERVICE = { cluster: 'us-central', namespace: 'ml', service: 'chat' };
const SERIES_OF_ENGINE = matchersOf({ ...ENGINE, replica_index: '0' });
const FRONT = matchersOf({
  namespace: 'fleetwright-system',
  cluster: 'us-central',
  gateway: 'front-public',
  envoy_cluster_name: 'httproute/ml/chat-public-0ebcc/rule/0',
});

/** Good for five minutes, then bad for 41, then good again. */
function during(good: number, bad: number): string {
  return `${good}x4 ${bad}x40 ${good}x60`;
}

function matchersOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',');
}

function readyOf(workload: string, values: string): Record<string, string> {
  return { [`kube_deployment_status_replicas_ready{namespace="ml",deployment="${workload}"}`]: values };
}

const WORKLOADS = ['qwen3-8b-0-vllm-d832d', 'qwen3-8b-1-vllm-9e78b'] as const;

/** Requests of a counter: so many a minute, then in other numbers for so many minutes, then as before. */
function countOf(before: number, other: number, minutes: number): string {
  const second = before * 4 + other;
  const third = second + other * (minutes - 1) + before;
  return `0+${before}x4 ${second}+${other}x${minutes - 1} ${third}+${before}x600`;
}

function requestsOf(good: [before: number, other: number], bad: [before: number, other: number], minutes: number) {
  return {
    [`envoy_cluster_upstream_rq_xx{${FRONT},envoy_response_code_class="2"}`]: countOf(...good, minutes),
    [`envoy_cluster_upstream_rq_xx{${FRONT},envoy_response_code_class="5"}`]: countOf(...bad, minutes),
  };
}

export const ALERT_CASES: readonly AlertCase[] = [
  {
    name: 'one of two planned replicas is not ready',
    alert: 'FleetwrightReplicasBelowPlan',
    series: { ...readyOf(WORKLOADS[0], '1x120'), ...readyOf(WORKLOADS[1], during(1, 0)) },
    pending: 15,
    firing: 30,
    resolved: 50,
    labels: ENGINE,
    summary: 'Engine vllm of ml/qwen3-8b has fewer ready copies than planned',
    description: '1 planned copies on cluster us-central are not ready for longer than an engine may load.',
  },
  {
    name: 'without kube-state-metrics, pods that answer count as ready',
    alert: 'FleetwrightReplicasBelowPlan',
    series: {
      [`up{${SERIES_OF_ENGINE},pod="a"}`]: '1x120',
      [`up{${SERIES_OF_ENGINE},pod="b"}`]: during(1, 0),
    },
    pending: 15,
    firing: 30,
    resolved: 50,
    labels: ENGINE,
    summary: 'Engine vllm of ml/qwen3-8b has fewer ready copies than planned',
    description: '1 planned copies on cluster us-central are not ready for longer than an engine may load.',
  },
  {
    name: 'no planned replica is ready',
    alert: 'FleetwrightEngineDown',
    series: { ...readyOf(WORKLOADS[0], during(1, 0)), ...readyOf(WORKLOADS[1], during(1, 0)) },
    pending: 15,
    firing: 30,
    resolved: 50,
    labels: ENGINE,
    summary: 'Engine vllm of ml/qwen3-8b does not serve',
    description: 'No copy on cluster us-central is ready, and the plan starts at least one.',
  },
  {
    name: 'the workloads of a planned engine do not exist',
    alert: 'FleetwrightEngineDown',
    series: { ...readyOf(WORKLOADS[0], '1x4 _x41 1x60') },
    pending: 15,
    firing: 32,
    resolved: 50,
    labels: ENGINE,
    summary: 'Engine vllm of ml/qwen3-8b does not serve',
    description: 'No copy on cluster us-central is ready, and the plan starts at least one.',
  },
  {
    name: 'requests arrive faster than an engine serves them',
    alert: 'FleetwrightQueueGrowing',
    series: { [`vllm:num_requests_waiting{${SERIES_OF_ENGINE},pod="a"}`]: '0x4 0+2x40 0x60' },
    pending: 15,
    firing: 30,
    resolved: 50,
    labels: ENGINE,
    summary: 'Engine vllm of ml/qwen3-8b has a growing queue',
    description: '50 requests wait on cluster us-central, and their number grows.',
  },
  {
    name: 'the KV cache of a replica is full',
    alert: 'FleetwrightKvCacheFull',
    series: { [`vllm:kv_cache_usage_perc{${SERIES_OF_ENGINE},pod="a"}`]: during(0.5, 0.98) },
    pending: 10,
    firing: 30,
    resolved: 50,
    labels: { ...ENGINE, replica_index: '0' },
    summary: 'Engine vllm of ml/qwen3-8b has a full KV cache',
    description:
      'Replica 0 on cluster us-central uses 98% of its KV cache. New requests wait, and running requests can be preempted.',
  },
  {
    name: 'a third of the requests get their first token too late',
    alert: 'FleetwrightLatencyAboveSlo',
    series: {
      [`vllm:time_to_first_token_seconds_bucket{${SERIES_OF_ENGINE},le="0.5"}`]: countOf(60, 40, 40),
      [`vllm:time_to_first_token_seconds_count{${SERIES_OF_ENGINE}}`]: '0+60x600',
    },
    pending: 10,
    firing: 30,
    resolved: 60,
    labels: { ...SERVICE, slo: 'time to first token p95 500ms' },
    summary: 'Service ml/chat is slower than its SLO',
    description:
      'The time to first token p95 500ms on cluster us-central is above its bound: fewer requests are within the bound than the SLO says.',
  },
  {
    name: 'a tenth of the requests fail, and the errors end',
    alert: 'FleetwrightErrorBudgetBurnFast',
    series: requestsOf([1000, 900], [0, 100], 60),
    pending: 16,
    firing: 40,
    resolved: 75,
    labels: { ...SERVICE, slo: 'availability 99.5 %' },
    summary: 'Service ml/chat uses up its error budget within two days',
    description:
      'At the rate of the last hour, requests that miss the SLO (availability 99.5 %) use up the budget of 30 days within 2 days.',
  },
  {
    name: 'one request in 25 fails for hours, too few for the fast burn',
    alert: 'FleetwrightErrorBudgetBurnSlow',
    series: requestsOf([1000, 960], [0, 40], 300),
    pending: 17,
    firing: 60,
    resolved: 340,
    labels: { ...SERVICE, slo: 'availability 99.5 %' },
    summary: 'Service ml/chat uses up its error budget within five days',
    description:
      'At the rate of the last 6 hours, requests that miss the SLO (availability 99.5 %) use up the budget of 30 days within 5 days.',
  },
  {
    name: 'the Job that stages a cache fails',
    alert: 'FleetwrightCacheJobFailed',
    series: {
      'kube_job_status_failed{namespace="ml",job_name="qwen3-8b-stage-abcfc-22e50594"}': during(0, 1),
    },
    pending: 10,
    firing: 30,
    resolved: 50,
    labels: { namespace: 'ml', job_name: 'qwen3-8b-stage-abcfc-22e50594' },
    summary: 'A Job of a cache in ml fails',
    description:
      'Job qwen3-8b-stage-abcfc-22e50594 failed, so that its volume can lack files. Replicas that start read what is there, or wait.',
  },
  {
    name: 'the scheduler finds no devices for a pod',
    alert: 'FleetwrightClaimPending',
    series: { [`kube_pod_status_unschedulable{namespace="ml",pod="${WORKLOADS[1]}-7d9c-x2x"}`]: '_x5 1x40 _x60' },
    pending: 10,
    firing: 30,
    resolved: 55,
    labels: { namespace: 'ml', deployment: 'qwen3-8b', engine: 'vllm' },
    summary: 'Pods of ml/qwen3-8b find no devices',
    description:
      '1 pods of engine vllm are unschedulable. The plan has a place for each, so the cluster differs from its declaration.',
  },
  {
    name: 'a GPU falls off the bus, and an error of a program on another GPU does not count',
    alert: 'FleetwrightGpuUnhealthy',
    series: {
      'DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="GPU-a",Hostname="node-1"}': during(0, 79),
      'DCGM_FI_DEV_XID_ERRORS{gpu="1",UUID="GPU-b",Hostname="node-1"}': '13x120',
    },
    pending: 7,
    firing: 30,
    resolved: 50,
    labels: { gpu: '0', UUID: 'GPU-a', Hostname: 'node-1' },
    summary: 'A GPU reports errors',
    description: 'GPU 0 (GPU-a) of node node-1 reports an error of the hardware.',
  },
  {
    name: 'a certificate is not renewed until a week before its end',
    alert: 'FleetwrightCertificateExpiring',
    series: {
      'envoy_listener_ssl_certificate_expiration_unix_time_seconds{namespace="fleetwright-system",cluster="us-central",gateway="edge"}':
        '605400x150 9999999x60',
    },
    pending: 30,
    firing: 90,
    resolved: 160,
    labels: { cluster: 'us-central', gateway: 'edge' },
    summary: 'A certificate of a gateway is near its end',
    description: 'A certificate of gateway edge ends in 6d 22h 40m 0s.',
  },
  {
    name: 'all members behind a service are unhealthy',
    alert: 'FleetwrightServiceWithoutTarget',
    series: {
      [`envoy_cluster_membership_healthy{${FRONT},pod="a"}`]: during(2, 0),
      [`envoy_cluster_membership_healthy{${FRONT},pod="b"}`]: during(2, 0),
    },
    pending: 6,
    firing: 30,
    resolved: 50,
    labels: { ...SERVICE, gateway: 'front-public', envoy_cluster_name: 'httproute/ml/chat-public-0ebcc/rule/0' },
    summary: 'Service ml/chat has no healthy target',
    description:
      'All clusters and endpoints behind httproute/ml/chat-public-0ebcc/rule/0 are unhealthy. Clients get 503.',
  },
];
