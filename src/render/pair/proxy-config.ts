import { PICKED_ENDPOINT_HEADER, PICKER_HEADERS } from '../../catalog/llm-d/endpoint-picker';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { EngineCheck } from '../../routing/gateway-types';

/** The addresses and checks of a proxy in front of a pair. */
export interface ProxyTargets {
  /** The port that it listens on. */
  readonly port: number;

  /** The headless Service of the decode engines, and their port. */
  readonly pods: Target;
  readonly picker: Target;

  /** How it asks engines whether they serve. Absent: it asks whether they take connections. */
  readonly check?: EngineCheck & { readonly path: string };
}

/**
 * Builds the configuration of Envoy that shows each request to an endpoint picker, and sends it to the engine that the
 * picker names. While the picker is away, it chooses a decode engine itself. The settings are those of an edge, which
 * docs/gateways.md explains.
 */
export function buildProxyConfig(targets: ProxyTargets): JsonObject {
  const { pods, picker, port } = targets;
  return {
    static_resources: {
      listeners: [{ name: 'http', address: addressOf('0.0.0.0', port), filter_chains: [{ filters: [buildHttp()] }] }],
      clusters: [
        buildCluster(
          'engines',
          { ...pods, checkPort: targets.check?.port },
          {
            load_balancing_policy: FOLLOW_PICKER,
            health_checks: [checkOf(targets)],
            outlier_detection: { consecutive_5xx: 5, base_ejection_time: '10s', max_ejection_percent: 100 },
          },
        ),
        buildCluster('picker', picker, {
          typed_extension_protocol_options: HTTP2,
          health_checks: [{ ...ONCE, ...everySeconds(1), timeout: '1s', tcp_health_check: {} }],
          outlier_detection: {
            consecutive_gateway_failure: 1,
            enforcing_consecutive_gateway_failure: 100,
            interval: '1s',
            base_ejection_time: '5s',
            max_ejection_percent: 100,
          },
        }),
      ],
    },
  };
}

function addressOf(address: string, port: number): JsonObject {
  return { socket_address: { address, port_value: port } };
}

const EXTENSIONS = 'type.googleapis.com/envoy.extensions';

function extension(name: string, type: string, config: JsonObject = {}): JsonObject {
  return { name, typed_config: { '@type': `${EXTENSIONS}.${type}`, ...config } };
}

/** Idle streams end after this: a prompt can take long before the first token. */
const IDLE = '3600s';

function buildHttp(): JsonObject {
  const route = { cluster: 'engines', timeout: '0s', retry_policy: { retry_on: 'connect-failure', num_retries: 1 } };
  const virtualHost = { name: 'all', domains: ['*'], routes: [{ match: { prefix: '/' }, route }] };
  return extension(
    'envoy.filters.network.http_connection_manager',
    'filters.network.http_connection_manager.v3.HttpConnectionManager',
    {
      stat_prefix: 'http',
      stream_idle_timeout: IDLE,
      early_header_mutation_extensions: [REMOVE_PICKER_HEADERS],
      route_config: { virtual_hosts: [virtualHost] },
      http_filters: [ASK_PICKER, extension('envoy.filters.http.router', 'filters.http.router.v3.Router')],
    },
  );
}

/** Clients could otherwise name the engine, or the address that the sidecar of a pair connects to. */
const REMOVE_PICKER_HEADERS = extension(
  'envoy.http.early_header_mutation.header_mutation',
  'http.early_header_mutation.header_mutation.v3.HeaderMutation',
  { mutations: PICKER_HEADERS.map((remove) => ({ remove })) },
);

/** Responses do not pass the picker, because a stream would end with it. */
const ASK_PICKER = extension('envoy.filters.http.ext_proc', 'filters.http.ext_proc.v3.ExternalProcessor', {
  grpc_service: { envoy_grpc: { cluster_name: 'picker' }, timeout: '10s' },
  failure_mode_allow: true,
  message_timeout: '5s',
  status_on_error: { code: 'ServiceUnavailable' },
  processing_mode: {
    request_header_mode: 'SEND',
    request_body_mode: 'FULL_DUPLEX_STREAMED',
    request_trailer_mode: 'SEND',
    response_header_mode: 'SKIP',
    response_body_mode: 'NONE',
    response_trailer_mode: 'SKIP',
  },
});

const LEAST_REQUEST = extension(
  'envoy.load_balancing_policies.least_request',
  'load_balancing_policies.least_request.v3.LeastRequest',
);

const FOLLOW_PICKER = {
  policies: [
    {
      typed_extension_config: extension(
        'envoy.load_balancing_policies.override_host',
        'load_balancing_policies.override_host.v3.OverrideHost',
        {
          override_host_sources: [{ header: PICKED_ENDPOINT_HEADER }],
          fallback_policy: { policies: [{ typed_extension_config: LEAST_REQUEST }] },
        },
      ),
    },
  ],
};

const HTTP2 = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': `${EXTENSIONS}.upstreams.http.v3.HttpProtocolOptions`,
    explicit_http_config: { http2_protocol_options: {} },
  },
};

const ONCE = { healthy_threshold: 1, unhealthy_threshold: 1 };

interface Target {
  readonly host: string;
  readonly port: number;

  /** Default: the port of requests. */
  readonly checkPort?: number | undefined;
}

/** More than any engine takes: its queue is the bound. */
const UNBOUNDED = 4_294_967_295;

function buildCluster(name: string, { host, port, checkPort }: Target, more: JsonObject): JsonObject {
  const ofChecks = checkPort === undefined ? {} : { health_check_config: { port_value: checkPort } };
  const endpoint = { address: addressOf(host, port), ...ofChecks };
  return {
    name,
    type: 'STRICT_DNS',
    dns_lookup_family: 'ALL',
    dns_refresh_rate: '5s',
    respect_dns_ttl: false,
    connect_timeout: '5s',
    common_lb_config: { healthy_panic_threshold: { value: 0 } },
    circuit_breakers: {
      thresholds: [
        {
          max_connections: UNBOUNDED,
          max_pending_requests: UNBOUNDED,
          max_requests: UNBOUNDED,
          max_retries: UNBOUNDED,
        },
      ],
    },
    ...more,
    load_assignment: {
      cluster_name: name,
      endpoints: [{ lb_endpoints: [{ endpoint }] }],
    },
  };
}

/** Also without traffic: the default is then 60 s. */
function everySeconds(seconds: number): JsonObject {
  return { interval: `${seconds}s`, no_traffic_interval: `${seconds}s` };
}

function checkOf({ check }: ProxyTargets): JsonObject {
  if (!check) return { ...ONCE, ...everySeconds(10), timeout: '5s', tcp_health_check: {} };
  const { interval, timeout, healthyThreshold, unhealthyThreshold, expectedStatuses, path } = check;
  return {
    ...everySeconds(interval),
    timeout: `${timeout}s`,
    healthy_threshold: healthyThreshold,
    unhealthy_threshold: unhealthyThreshold,
    http_health_check: { path, expected_statuses: expectedStatuses.map((start) => ({ start, end: start + 1 })) },
  };
}
