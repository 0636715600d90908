import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { findNewRouteProblems, lintRoutes } from '../../../src/render/route-lints/lint-routes';
import { aRouting, routedOn } from '../routing/build';
import { aGrant, aPolicy, aRoute, FRONT, KEYS, OF_GATEWAY, selecting, TRAFFIC } from './build';

/** What is found: the code and the object of each. */
function faults(manifests: readonly Manifest[]): string[] {
  return lintRoutes(manifests).map(
    ({ code, at: { kind, metadata } }) => `${code} ${kind} ${metadata.name.replace(/-[0-9a-f]{5}$/, '')}`,
  );
}

const without = (kind: string) => (all: Manifest[]) => all.filter((one) => one.kind !== kind);
const text = (from: string, to: string) => (all: Manifest[]) =>
  JSON.parse(JSON.stringify(all).replaceAll(from, to)) as Manifest[];

const plus =
  (...more: Manifest[]) =>
  (all: Manifest[]) => [...all, ...more];
const guarded = (...more: Manifest[]) => plus(KEYS, TRAFFIC, ...more);
const across = aRoute({ rules: [{ backendRefs: [{ name: 'llama', namespace: 'team-b', port: 80 }] }] });
const SERVICE = { group: '', kind: 'Service' };
const SHADOW = { path: { type: 'PathPrefix', value: '/team-a/chat' } };

describe('the check finds', () => {
  const cases: Record<string, { change: (all: Manifest[]) => Manifest[]; want: string[] }> = {
    'routes of a front without keys': {
      change: without('SecurityPolicy'),
      want: ['open-route HTTPRoute chat-public', 'open-route HTTPRoute chat-public-answers'],
    },
    'routes of an edge or egress that ask for no certificate': {
      change: text('clientValidation', 'x'),
      want: ['open-route HTTPRoute chat-0-llama', 'open-route HTTPRoute chat-1-openai'],
    },
    'a route of a user that nothing guards': {
      change: plus(aRoute({}), TRAFFIC),
      want: ['open-route HTTPRoute own'],
    },
    'a policy that guards nothing, and takes the place of one that does': {
      change: plus(aRoute({}), TRAFFIC, aPolicy('SecurityPolicy', { cors: {} })),
      want: ['open-route HTTPRoute own'],
    },
    'a policy that takes the place of that of the Gateway and guards nothing': {
      change: plus(aRoute({}), TRAFFIC, OF_GATEWAY, aPolicy('SecurityPolicy', { cors: {} })),
      want: ['open-route HTTPRoute own'],
    },
    'a policy that selects another kind, or in another namespace': {
      change: plus(aRoute({}, { labels: { app: 'own' } }), TRAFFIC, selecting(KEYS, 'Gateway'), {
        ...selecting(KEYS, 'HTTPRoute'),
        metadata: { ...KEYS.metadata, namespace: 'team-b' },
      }),
      want: ['open-route HTTPRoute own'],
    },
    'a policy of a Backend that is not there': {
      change: plus(aPolicy('BackendTLSPolicy', { validation: { hostname: 'x' } }, { kind: 'Backend', name: 'x' })),
      want: ['no-policy-target BackendTLSPolicy own'],
    },
    'an egress on the internet': {
      change: text('"ClusterIP"', '"LoadBalancer"'),
      want: ['exposed-credential HTTPRoute chat-1-openai'],
    },
    'a policy of a route that is not there': {
      change: plus(aPolicy('SecurityPolicy', { jwt: {} }, { kind: 'HTTPRoute', name: 'chta' })),
      want: ['no-policy-target SecurityPolicy own'],
    },
    'a policy of a rule that is not there': {
      change: guarded(
        aRoute({}),
        aPolicy('EnvoyExtensionPolicy', {}, { kind: 'HTTPRoute', name: 'own', sectionName: 'x' }),
      ),
      want: ['no-policy-target EnvoyExtensionPolicy own'],
    },
    'a policy in another namespace than its target': {
      change: plus(aPolicy('ClientTrafficPolicy', {}, { kind: 'Gateway', name: 'front-public-1' })),
      want: ['no-policy-target ClientTrafficPolicy own'],
    },
    'a route of a Gateway that is not there': {
      change: guarded(aRoute({ parentRefs: [{ name: 'front', namespace: 'fleetwright-system' }] })),
      want: ['dangling-reference HTTPRoute own'],
    },
    'a filter that is not there': {
      change: (all) => all.filter(({ metadata }) => !metadata.name.startsWith('chat-host')),
      want: ['dangling-reference HTTPRoute chat-public'],
    },
    'a route without its traffic policy': {
      change: plus(aRoute({}), KEYS),
      want: ['no-traffic-policy HTTPRoute own'],
    },
    'a second policy of a route': {
      change: guarded(aRoute({}), { ...TRAFFIC, metadata: { ...TRAFFIC.metadata, name: 'two' } }),
      want: ['two-policies BackendTrafficPolicy two'],
    },
    'an authority without a name': {
      change: text('"hostname":"api.openai.com","well', '"well'),
      want: ['unproven-backend BackendTLSPolicy chat-1-openai'],
    },
    'a reference across namespaces that no one grants': {
      change: guarded(across),
      want: ['no-reference-grant HTTPRoute own'],
    },
    'a grant for another Service': {
      change: guarded(across, aGrant({ ...SERVICE, name: 'qwen' })),
      want: ['no-reference-grant HTTPRoute own'],
    },
    'a grant for another namespace': {
      change: guarded(across, aGrant(SERVICE, { namespace: 'team-c' })),
      want: ['no-reference-grant HTTPRoute own'],
    },
    'weights that sum to nothing': {
      change: guarded(aRoute({ rules: [{ backendRefs: [{ name: 'a', port: 80, weight: 0 }] }] })),
      want: ['no-weight HTTPRoute own'],
    },
    'a route that matches what another matches': {
      change: guarded(aRoute({ rules: [{ matches: [SHADOW], backendRefs: [{ name: 'own', port: 80 }] }] })),
      want: ['shadowed-route HTTPRoute own'],
    },
    'a rule that matches what one above matches': {
      change: guarded(
        aRoute({
          rules: ['X-A', 'x-a'].map((name) => ({
            matches: [{ headers: [{ name, value: '1' }] }],
            backendRefs: [{ name: 'own', port: 80 }],
          })),
        }),
      ),
      want: ['shadowed-route HTTPRoute own'],
    },
    'codes that are never retried': {
      change: plus(
        aRoute({}),
        KEYS,
        aPolicy('BackendTrafficPolicy', {
          retry: { retryOn: { httpStatusCodes: [503], triggers: ['reset'] } },
        }),
      ),
      want: ['retry-without-trigger BackendTrafficPolicy own'],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { change, want }) => {
    expect(faults(change(routedOn(aRouting())))).toEqual(want);
  });
});

describe('the check takes', () => {
  const section = { kind: 'HTTPRoute', name: 'own', sectionName: 'one' };
  const cases: Record<string, Manifest[]> = {
    'a route with policies of its own': [aRoute({}), KEYS, TRAFFIC],
    'policies that select it by label': [
      aRoute({}, { labels: { app: 'own' } }),
      ...[KEYS, TRAFFIC].map((one) => selecting(one, 'HTTPRoute')),
    ],
    'a route that the policy of its Gateway guards': [aRoute({}), TRAFFIC, OF_GATEWAY],
    'a policy that names and selects the same route': [
      aRoute({}, { labels: { app: 'own' } }),
      KEYS,
      { ...TRAFFIC, spec: { ...selecting(TRAFFIC, 'HTTPRoute').spec, ...TRAFFIC.spec } },
    ],
    'a route of two listeners': [
      aRoute({ parentRefs: ['a', 'b'].map((sectionName) => ({ ...FRONT, sectionName })) }),
      KEYS,
      TRAFFIC,
    ],
    'a policy of one rule next to that of the route': [
      aRoute({
        rules: [{ name: 'one', matches: [{ path: { value: '/own' } }], backendRefs: [{ name: 'own' }] }],
      }),
      KEYS,
      TRAFFIC,
      { ...aPolicy('BackendTrafficPolicy', {}, section), metadata: { ...TRAFFIC.metadata, name: 'one' } },
    ],
    'a route of a Gateway of another owner': [aRoute({ parentRefs: [{ name: 'shared', namespace: 'infra' }] })],
    'what is granted by name': [across, KEYS, TRAFFIC, aGrant({ ...SERVICE, name: 'llama' })],
    'what is granted as a whole': [across, KEYS, TRAFFIC, aGrant(SERVICE)],
    'another path below that of a service': [
      aRoute({
        rules: [{ matches: [{ path: { value: '/team-a/chat/x' } }], backendRefs: [{ name: 'own' }] }],
      }),
      KEYS,
      TRAFFIC,
    ],
    'one weight of 0 next to another': [
      aRoute({
        rules: [{ matches: [{ path: { value: '/own' } }], backendRefs: [{ name: 'a', weight: 0 }, { name: 'b' }] }],
      }),
      KEYS,
      TRAFFIC,
    ],
    'codes with their trigger': [
      aRoute({}),
      KEYS,
      aPolicy('BackendTrafficPolicy', {
        retry: { retryOn: { httpStatusCodes: [503], triggers: ['retriable-status-codes'] } },
      }),
    ],
    'what a user says the reason of': [
      aRoute({}, { annotations: { 'fleetwright.dev/silence-open-route': 'health of the house' } }),
      TRAFFIC,
    ],
  };
  test.each(Object.entries(cases))('%s', (_, more) => {
    expect(faults(plus(...more)(routedOn(aRouting())))).toEqual([]);
  });

  test('what was there before another owner came', () => {
    const open = without('SecurityPolicy')(routedOn(aRouting()));
    expect(findNewRouteProblems({ before: open, after: [...open, TRAFFIC, aRoute({})] }, 'chart us')).toEqual([
      {
        code: 'open-route',
        severity: 'error',
        at: 'chart us, HTTPRoute team-a/own',
        message: 'the route accepts requests from everyone who reaches Gateway front-public-1',
        hint: 'Add a SecurityPolicy for the route, with API keys or a JWT',
      },
    ]);
  });
});
