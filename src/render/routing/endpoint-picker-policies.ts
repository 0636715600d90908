import { ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { EDGE_NAME } from '../../routing/addresses';
import { UNBOUNDED_BREAKER } from './backend-traffic';
import { backendPickerNameOf, type PickerContext } from './endpoint-picker';
import { API_VERSIONS, gatewayRefOf, routeRefOf } from './gateway-api-kinds';
import { HTTPS_LISTENER_NAME } from './gateways';
import { routeMetaOf } from './metadata';

/** The rule of a route whose requests are picked. The other one asks whether pods serve. */
export const PICKED_RULE_NAME = 'requests';

/** How the edge asks whether a picker is there. One that is not costs no request more than its connection does. */
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

/** What an edge answers for a request that its picker lost half-way: a front takes it to another member. */
const PICKER_FAILED_STATUS = 503;

/**
 * What makes the edge show requests of a route to its picker, head and body as they come, as the picker wants them.
 * Answers are not shown: a stream would end with its picker.
 */
export function renderPickerExtension({ backend, place }: PickerContext, route: string): Manifest {
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
    metadata: routeMetaOf(backend.service, place, route),
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
 * Lets requests pass while their picker is away. The policy refuses to say so for bodies that pass as they come, of
 * which Envoy may have sent a part already; but a picker that is known to be away gets none.
 */
export function renderPickerFailOpenPatch({ backend, place }: PickerContext, route: string): Manifest {
  const { service } = backend;
  // Names of filters end so in Envoy Gateway 1.9: irConfigNameForExtProc in internal/gatewayapi.
  const filter = `/${service.namespace}/${route}/extproc/0$`;
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'EnvoyPatchPolicy',
    metadata: routeMetaOf(service, place, route, SYSTEM_NAMESPACE),
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
