import { ENDPOINT_PICKER } from '../../catalog/engines/endpoint-picker';
import { EDGE } from '../../routing/addresses';
import type { Manifest } from '../manifest';
import { SYSTEM_NAMESPACE } from '../names';
import { HTTPS_LISTENER } from './gateway';
import { API, toGateway, toRoute } from './kinds';
import { routeMeta } from './meta';
import { nameOfPicker, type Picked } from './picker';
import { UNBOUNDED_BREAKER } from './traffic';

/** The rule of a route whose requests are picked. The other one asks whether pods serve. */
export const PICKED_RULE = 'requests';

/** How the edge asks whether a picker is there. One that is not costs no request more than its connection does. */
const CHECKS = {
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
const LOST = 503;

/**
 * What makes the edge show requests of a route to its picker, head and body as they come, as the picker wants them.
 * Answers are not shown: a stream would end with its picker.
 */
export function asksPicker({ backend, place }: Picked, route: string): Manifest {
  const { port } = ENDPOINT_PICKER;
  const picker = {
    group: '',
    kind: 'Service',
    name: nameOfPicker(backend),
    namespace: SYSTEM_NAMESPACE,
    port,
  };
  return {
    apiVersion: API.envoy,
    kind: 'EnvoyExtensionPolicy',
    metadata: routeMeta(backend.service, place, route),
    spec: {
      targetRefs: [toRoute(route, PICKED_RULE)],
      extProc: [
        {
          backendRefs: [picker],
          backendSettings: { healthCheck: CHECKS, circuitBreaker: UNBOUNDED_BREAKER },
          messageTimeout: '5s',
          processingMode: { request: { body: 'FullDuplexStreamed' } },
          statusOnError: LOST,
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
export function passesWithoutPicker({ backend, place }: Picked, route: string): Manifest {
  const { service } = backend;
  // Names of filters end so in Envoy Gateway 1.9: irConfigNameForExtProc in internal/gatewayapi.
  const filter = `/${service.namespace}/${route}/extproc/0$`;
  return {
    apiVersion: API.envoy,
    kind: 'EnvoyPatchPolicy',
    metadata: routeMeta(service, place, route, SYSTEM_NAMESPACE),
    spec: {
      targetRef: toGateway(EDGE),
      type: 'JSONPatch',
      jsonPatches: [
        {
          type: LISTENER_TYPE,
          name: `${SYSTEM_NAMESPACE}/${EDGE}/${HTTPS_LISTENER}`,
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
