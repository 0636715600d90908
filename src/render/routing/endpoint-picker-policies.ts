import { ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { EDGE_NAME } from '../../routing/addresses';
import { UNBOUNDED_BREAKER } from './backend-traffic';
import { backendPickerNameOf, type PickerContext } from './endpoint-picker';
import { API_VERSIONS, gatewayRefOf, routeRefOf } from './gateway-api-kinds';
import { HTTPS_LISTENER_NAME } from './gateways';
import { routeMetaOf } from './metadata';

/** The name of the route rule whose requests go to the picker. The other rule is for health checks. */
export const PICKED_RULE_NAME = 'requests';

/** The health checks of an edge for its picker. A picker that is down delays a request only by a connection attempt. */
const PICKER_HEALTH_CHECKS = {
  panicThreshold: 0,
  active: {
    type: 'TCP',
    interval: '1s',
    timeout: '1s',
    unhealthyThreshold: 1,
    healthyThreshold: 1,
    tcp: {},
  },
  passive: { consecutiveGatewayErrors: 1, interval: '1s', baseEjectionTime: '5s', maxEjectionPercent: 100 },
};

/** The status of an edge for a request that its picker dropped halfway. A front retries it on another member. */
const PICKER_FAILED_STATUS = 503;

/**
 * Renders the policy that sends the requests of a route to its picker: headers and a streamed body, as the picker
 * requires. Responses do not pass the picker, because a stream would end with it.
 */
export function renderPickerExtension({ backend, context }: PickerContext, route: string): Manifest {
  const { port } = ENDPOINT_PICKER;
  const picker = {
    group: '',
    kind: 'Service',
    name: backendPickerNameOf(backend),
    namespace: SYSTEM_NAMESPACE,
    port,
  };
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'EnvoyExtensionPolicy',
    metadata: routeMetaOf(backend.service, context, route),
    spec: {
      targetRefs: [routeRefOf(route, PICKED_RULE_NAME)],
      extProc: [
        {
          backendRefs: [picker],
          backendSettings: { healthCheck: PICKER_HEALTH_CHECKS, circuitBreaker: UNBOUNDED_BREAKER },
          messageTimeout: '5s',
          processingMode: { request: { body: 'FullDuplexStreamed' } },
          statusOnError: PICKER_FAILED_STATUS,
        },
      ],
    },
  };
}

const LISTENER_TYPE = 'type.googleapis.com/envoy.config.listener.v3.Listener';

/**
 * Renders a patch that lets requests pass while their picker is down. The policy rejects `failOpen` for streamed
 * bodies, because Envoy may already have sent a part. A picker that is known to be down gets no part.
 */
export function renderPickerFailOpenPatch({ backend, context }: PickerContext, route: string): Manifest {
  const { service } = backend;
  // The suffix of filter names in Envoy Gateway 1.9: irConfigNameForExtProc in internal/gatewayapi.
  const filter = `/${service.namespace}/${route}/extproc/0$`;
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'EnvoyPatchPolicy',
    metadata: routeMetaOf(service, context, route, SYSTEM_NAMESPACE),
    spec: {
      targetRef: gatewayRefOf(EDGE_NAME),
      type: 'JSONPatch',
      jsonPatches: [
        {
          type: LISTENER_TYPE,
          name: `${SYSTEM_NAMESPACE}/${EDGE_NAME}/${HTTPS_LISTENER_NAME}`,
          operation: {
            op: 'add',
            jsonPath: `..http_filters[?(@.name=~"${filter}")].typed_config`,
            path: 'failure_mode_allow',
            value: true,
          },
        },
      ],
    },
  };
}
