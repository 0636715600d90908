/** The API versions of what routes are made of. Those of Envoy Gateway are as of v1.9, cert-manager's as of v1.17. */
export const API_VERSIONS = {
  gateway: 'gateway.networking.k8s.io/v1',
  grant: 'gateway.networking.k8s.io/v1beta1',
  envoy: 'gateway.envoyproxy.io/v1alpha1',
  certificate: 'cert-manager.io/v1',
  network: 'networking.k8s.io/v1',
} as const;

/** The group of an API version. */
export function groupOf(apiVersion: string): string {
  return apiVersion.split('/').slice(0, -1).join('/');
}

const GATEWAY_GROUP = groupOf(API_VERSIONS.gateway);
const ENVOY_GROUP = groupOf(API_VERSIONS.envoy);

/** What a policy applies to: a Gateway of its own namespace. */
export function gatewayRefOf(name: string) {
  return { group: GATEWAY_GROUP, kind: 'Gateway', name };
}

/** What a policy applies to: a route of its own namespace, or one of its rules. */
export function routeRefOf(name: string, rule?: string) {
  return { group: GATEWAY_GROUP, kind: 'HTTPRoute', name, ...(rule !== undefined && { sectionName: rule }) };
}

/** A Backend, as routes and policies refer to it. */
export function backendRefOf(name: string) {
  return { group: ENVOY_GROUP, kind: 'Backend', name };
}

/** A filter of a rule that Envoy Gateway brings: an HTTPRouteFilter of the namespace of the route. */
export function filterRefOf(name: string) {
  return {
    type: 'ExtensionRef',
    extensionRef: { group: ENVOY_GROUP, kind: 'HTTPRouteFilter', name },
  };
}
