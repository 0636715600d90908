import type { JsonObject, Manifest } from '../../../src/manifest/kubernetes/manifest';

/** The Gateway of the public front. */
export const FRONT = { name: 'front-public-1', namespace: 'fleetwright-system' };

/** A route of team-a at the public front, as a user adds one. */
export function aRoute(spec: JsonObject, metadata: Partial<Manifest['metadata']> = {}): Manifest {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'own', namespace: 'team-a', labels: {}, ...metadata },
    spec: {
      parentRefs: [FRONT],
      rules: [{ matches: [{ path: { value: '/own' } }], backendRefs: [{ name: 'own', port: 80 }] }],
      ...spec,
    },
  };
}

/** A policy of that route, or of something else. */
export function aPolicy(
  kind: string,
  spec: JsonObject,
  target: JsonObject = { kind: 'HTTPRoute', name: 'own' },
): Manifest {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind,
    metadata: { name: 'own', namespace: 'team-a', labels: {} },
    spec: { targetRefs: [target], ...spec },
  };
}

/** What lets routes of team-a refer to something of team-b. */
export function aGrant(to: JsonObject, from: JsonObject = {}): Manifest {
  const route = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'team-a', ...from };
  return {
    apiVersion: 'gateway.networking.k8s.io/v1beta1',
    kind: 'ReferenceGrant',
    metadata: { name: 'own', namespace: 'team-b', labels: {} },
    spec: { from: [route], to: [to] },
  };
}

/** Policies that a route needs. */
export const KEYS = aPolicy('SecurityPolicy', { apiKeyAuth: {} });
export const TRAFFIC = aPolicy('BackendTrafficPolicy', { timeout: {} });

/** One for all routes of the Gateway that have none of their own. */
export const OF_GATEWAY: Manifest = {
  ...aPolicy('SecurityPolicy', { jwt: {} }, { kind: 'Gateway', name: FRONT.name }),
  metadata: { ...FRONT, labels: {} },
};

/** A policy that applies to what has a label in place of what has a name. */
export function selecting(policy: Manifest, kind: string): Manifest {
  const targetSelectors = [{ kind, matchLabels: { app: 'own' } }];
  return { ...policy, spec: { ...policy.spec, targetRefs: [], targetSelectors } };
}
