import type { InferenceCluster } from '../../api/inference-cluster';
import { CLUSTER_LABEL, SERVICE_LABEL } from '../../api/labels';
import type { Fleet } from '../../fleet/fleet';
import {
  type Labels,
  MANAGED_BY,
  mergeUserLabels,
  ROUTES_WAVE,
  SYNC_WAVE,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest, ObjectMeta } from '../../manifest/kubernetes/manifest';
import { shortenName, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { NamespacedName } from '../../routing/gateway-types';

/** The API versions of routing objects, as of Envoy Gateway v1.9 and cert-manager v1.17. */
export const API_VERSIONS = {
  gateway: 'gateway.networking.k8s.io/v1',
  grant: 'gateway.networking.k8s.io/v1beta1',
  envoy: 'gateway.envoyproxy.io/v1alpha1',
  certificate: 'cert-manager.io/v1',
  network: 'networking.k8s.io/v1',
} as const;

const API_OF_KIND = {
  Backend: 'envoy',
  BackendTLSPolicy: 'gateway',
  BackendTrafficPolicy: 'envoy',
  Certificate: 'certificate',
  ClientTrafficPolicy: 'envoy',
  EnvoyExtensionPolicy: 'envoy',
  EnvoyPatchPolicy: 'envoy',
  EnvoyProxy: 'envoy',
  Gateway: 'gateway',
  HTTPRoute: 'gateway',
  HTTPRouteFilter: 'envoy',
  NetworkPolicy: 'network',
  ReferenceGrant: 'grant',
  SecurityPolicy: 'envoy',
} as const;

export function createRoutingObject(kind: keyof typeof API_OF_KIND, metadata: ObjectMeta, spec: JsonObject): Manifest {
  return { apiVersion: API_VERSIONS[API_OF_KIND[kind]], kind, metadata, spec };
}

/** Builds a route to a Gateway. Argo CD applies routes last: after their policies and after all workloads. */
export function createRoute(gateway: string, metadata: ObjectMeta, spec: JsonObject): Manifest {
  const parentRefs = [{ ...gatewayRefOf(gateway), namespace: SYSTEM_NAMESPACE }];
  const annotations = { [SYNC_WAVE]: ROUTES_WAVE };
  return createRoutingObject('HTTPRoute', { ...metadata, annotations }, { parentRefs, ...spec });
}

/** Returns the group of an API version. Empty for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.split('/').slice(0, -1).join('/');
}

const GATEWAY_GROUP = groupOf(API_VERSIONS.gateway);
const ENVOY_GROUP = groupOf(API_VERSIONS.envoy);

/** Returns the reference from a policy to a Gateway in its namespace. */
export function gatewayRefOf(name: string) {
  return { group: GATEWAY_GROUP, kind: 'Gateway', name };
}

/** Returns the reference from a policy to a route in its namespace, or to a rule of the route. */
export function routeRefOf(name: string, rule?: string) {
  return { group: GATEWAY_GROUP, kind: 'HTTPRoute', name, ...(rule !== undefined && { sectionName: rule }) };
}

/** Returns the reference from a route or policy to a Backend. */
export function backendRefOf(name: string) {
  return { group: ENVOY_GROUP, kind: 'Backend', name };
}

/** Returns a route filter that refers to an HTTPRouteFilter of Envoy Gateway in the namespace of the route. */
export function filterRefOf(name: string) {
  return { type: 'ExtensionRef', extensionRef: { group: ENVOY_GROUP, kind: 'HTTPRouteFilter', name } };
}

export interface ClusterContext {
  readonly cluster: InferenceCluster;
  readonly settings: Fleet['settings'];
}

/** Returns the metadata of an object with the name of its Gateway, in the namespace of all Gateways. */
export function gatewayMetaOf(gateway: string, context: ClusterContext): ObjectMeta {
  return { name: gateway, namespace: SYSTEM_NAMESPACE, labels: gatewayLabelsOf(gateway, context) };
}

export function gatewayLabelsOf(gateway: string, context: ClusterContext): Labels {
  return completeLabels({ 'app.kubernetes.io/name': gateway, 'app.kubernetes.io/component': 'gateway' }, context);
}

/**
 * Returns the metadata of an object that belongs to the routes of a service.
 *
 * @param namespace default: the namespace of the service
 */
export function routeMetaOf(
  service: NamespacedName,
  context: ClusterContext,
  name: string,
  namespace = service.namespace,
): ObjectMeta {
  const labels = {
    'app.kubernetes.io/name': shortenName(service.name),
    'app.kubernetes.io/component': 'route',
    [SERVICE_LABEL]: shortenName(service.name),
  };
  return { name, namespace, labels: completeLabels(labels, context) };
}

function completeLabels(labels: Labels, { cluster, settings }: ClusterContext): Labels {
  const all = { ...labels, ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
  const { labels: more } = settings?.spec.defaults ?? {};
  return more ? mergeUserLabels(all, more) : all;
}
