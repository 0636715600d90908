import { ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import { pickerEndpointSelectorOf } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { pickerNameOf, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { EDGE_NAME } from '../../routing/addresses';
import type { EdgeBackend } from '../../routing/gateway-types';
import { UNBOUNDED_BREAKER } from './backend-traffic';
import { proxyLabelsOf } from './envoy-proxy';
import { HTTPS_LISTENER_NAME } from './gateways';
import { peerIn, PICKER_COMPONENT, renderPickerObjects } from './picker-objects';
import { type ClusterContext, gatewayRefOf, routeMetaOf, routeRefOf, createRoutingObject } from './routing-object';

interface PickerContext {
  readonly backend: EdgeBackend;
  readonly context: ClusterContext;
}

export function backendPickerNameOf({ service, tier, deployment, hostname }: EdgeBackend): string {
  return pickerNameOf(service, { tier, target: deployment.name, hostname });
}

/**
 * Renders the endpoint picker of a member, and the policies that send the requests of its route to the picker first.
 * Returns none if an edge selects pods itself. The picker is in the namespace of the gateways, or next to its pool.
 */
export function renderEndpointPicker(backend: EdgeBackend, route: string, context: ClusterContext): Manifest[] {
  const { picker, service, deployment, target } = backend;
  if (picker.kind !== 'PrefixCache') return [];
  const namespace = pickerNamespaceOf(backend);
  const { labels, name } = routeMetaOf(service, context, backendPickerNameOf(backend));
  const proxies = { podSelector: { matchLabels: proxyLabelsOf(EDGE_NAME) } };
  const objects = renderPickerObjects({
    picker,
    metadata: { name, namespace, labels: { ...labels, ...PICKER_COMPONENT } },
    pods: {
      namespace: deployment.namespace,
      selector: pickerEndpointSelectorOf(target.selector),
      port: target.containerPort,
    },
    clients: namespace === SYSTEM_NAMESPACE ? proxies : peerIn(SYSTEM_NAMESPACE, proxies),
    context,
  });
  const own = { backend, context };
  return [...objects, renderPickerExtension(own, route), renderPickerFailOpenPatch(own, route)];
}

function pickerNamespaceOf({ picker, deployment }: EdgeBackend): string {
  return picker.kind === 'PrefixCache' && picker.pool ? deployment.namespace : SYSTEM_NAMESPACE;
}

/** The name of the route rule whose requests go to the picker. The other rule is for health checks. */
export const PICKED_RULE_NAME = 'requests';

/** The health checks of an edge for its picker. A picker that is down delays a request only by a connection attempt. */
const PICKER_HEALTH_CHECKS = {
  panicThreshold: 0,
  active: { type: 'TCP', interval: '1s', timeout: '1s', unhealthyThreshold: 1, healthyThreshold: 1, tcp: {} },
  passive: { consecutiveGatewayErrors: 1, interval: '1s', baseEjectionTime: '5s', maxEjectionPercent: 100 },
};

/** The status of an edge for a request that its picker dropped halfway. A front retries it on another member. */
const PICKER_FAILED_STATUS = 503;

/**
 * Renders the policy that sends the requests of a route to its picker: headers and a streamed body, as the picker
 * requires. Responses do not pass the picker, because a stream would end with it.
 */
function renderPickerExtension({ backend, context }: PickerContext, route: string): Manifest {
  const { port } = ENDPOINT_PICKER;
  const name = backendPickerNameOf(backend);
  const picker = { group: '', kind: 'Service', name, namespace: pickerNamespaceOf(backend), port };
  return createRoutingObject('EnvoyExtensionPolicy', routeMetaOf(backend.service, context, route), {
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
  });
}

const LISTENER_TYPE = 'type.googleapis.com/envoy.config.listener.v3.Listener';

/**
 * Renders a patch that lets requests pass while their picker is down. The policy rejects `failOpen` for streamed
 * bodies, because Envoy may already have sent a part. A picker that is known to be down gets no part.
 */
function renderPickerFailOpenPatch({ backend, context }: PickerContext, route: string): Manifest {
  const { service } = backend;
  // The suffix of filter names in Envoy Gateway 1.9: irConfigNameForExtProc in internal/gatewayapi.
  const filter = `/${service.namespace}/${route}/extproc/0$`;
  const jsonPath = `..http_filters[?(@.name=~"${filter}")].typed_config`;
  return createRoutingObject('EnvoyPatchPolicy', routeMetaOf(service, context, route, SYSTEM_NAMESPACE), {
    targetRef: gatewayRefOf(EDGE_NAME),
    type: 'JSONPatch',
    jsonPatches: [
      {
        type: LISTENER_TYPE,
        name: `${SYSTEM_NAMESPACE}/${EDGE_NAME}/${HTTPS_LISTENER_NAME}`,
        operation: { op: 'add', jsonPath, path: 'failure_mode_allow', value: true },
      },
    ],
  });
}
