/** The API versions of routing objects, as of Envoy Gateway v1.9 and cert-manager v1.17. */
export const API_VERSIONS = {
  gateway: 'gateway.networking.k8s.io/v1',
  grant: 'gateway.networking.k8s.io/v1beta1',
  envoy: 'gateway.envoyproxy.io/v1alpha1',
  certificate: 'cert-manager.io/v1',
  network: 'networking.k8s.io/v1',
} as const;

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
  return {
    type: 'ExtensionRef',
    extensionRef: { group: ENVOY_GROUP, kind: 'HTTPRouteFilter', name },
  };
}
