/** Metrics of the engine of examples/monitoring, and the series that rules record of them. */
export interface RecordingCase {
  /** A sentence about the behavior. */
  readonly name: string;

  /** One value a minute, in the notation of promtool, by series. */
  readonly series: Readonly<Record<string, string>>;

  /** Minutes. */
  readonly at: number;

  /** The samples of each recorded series. */
  readonly want: Readonly<
    Record<string, readonly ({ readonly value: number } & Readonly<Record<string, string | number>>)[]>
  >;
}

const ENGINE = { cluster: 'us-central', namespace: 'ml', deployment: 'qwen3-8b', engine: 'vllm' };

function podOf(replica: string, pod: string): string {
  const labels = { ...ENGINE, replica_index: replica, pod };
  return Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',');
}

export const RECORDING_CASES: readonly RecordingCase[] = [
  {
    name: 'waiting requests are a sum over the pods and the data ranks of a replica',
    series: {
      [`vllm:num_requests_waiting{${podOf('0', 'a')},exported_engine="0"}`]: '3x20',
      [`vllm:num_requests_waiting{${podOf('0', 'a')},exported_engine="1"}`]: '4x20',
      [`vllm:num_requests_waiting{${podOf('1', 'b')},exported_engine="0"}`]: '5x20',
      'vllm:num_requests_waiting{namespace="ml",deployment="other",engine="vllm"}': '99x20',
    },
    at: 10,
    want: {
      'fleetwright:requests_waiting': [
        { ...ENGINE, replica_index: '0', value: 7 },
        { ...ENGINE, replica_index: '1', value: 5 },
      ],
    },
  },
  {
    name: 'the use of the KV cache is the average of a replica',
    series: {
      [`vllm:kv_cache_usage_perc{${podOf('0', 'a')}}`]: '0.25x20',
      [`vllm:kv_cache_usage_perc{${podOf('0', 'b')}}`]: '0.75x20',
    },
    at: 10,
    want: { 'fleetwright:kv_use_ratio': [{ ...ENGINE, replica_index: '0', value: 0.5 }] },
  },
  {
    name: 'requests count whatever their end, and errors are no aborts',
    series: {
      [`vllm:request_success_total{${podOf('0', 'a')},finished_reason="stop"}`]: '0+60x20',
      [`vllm:request_success_total{${podOf('0', 'a')},finished_reason="abort"}`]: '0+60x20',
      [`vllm:request_success_total{${podOf('0', 'a')},finished_reason="error"}`]: '0+30x20',
    },
    at: 10,
    want: {
      'fleetwright:requests:rate5m': [{ ...ENGINE, replica_index: '0', value: 2.5 }],
      'fleetwright:request_errors:rate5m': [{ ...ENGINE, replica_index: '0', value: 0.5 }],
    },
  },
  {
    name: 'a quantile of the time to first token is taken over the pods of a replica',
    series: {
      [`vllm:time_to_first_token_seconds_bucket{${podOf('0', 'a')},le="0.25"}`]: '0+50x20',
      [`vllm:time_to_first_token_seconds_bucket{${podOf('0', 'a')},le="0.5"}`]: '0+100x20',
      [`vllm:time_to_first_token_seconds_bucket{${podOf('0', 'a')},le="+Inf"}`]: '0+100x20',
    },
    at: 10,
    want: { 'fleetwright:ttft_seconds:p50': [{ ...ENGINE, replica_index: '0', value: 0.25 }] },
  },
];
