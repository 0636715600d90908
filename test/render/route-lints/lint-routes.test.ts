import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { findNewRouteProblems, lintRoutes } from '../../../src/render/route-lints/lint-routes';
import { aRouting, routedOn } from '../routing/build';
import { aPolicy, aRoute, KEYS, selecting, TRAFFIC } from './build';

test('a second policy of a route is found by the labels that it selects', () => {
  const two = { ...selecting(TRAFFIC, 'HTTPRoute'), metadata: { ...TRAFFIC.metadata, name: 'two' } };
  const all = [...routedOn(aRouting()), aRoute({}, { labels: { app: 'own' } }), KEYS, TRAFFIC, two];
  expect(lintRoutes(all).map(({ code, at: object }) => [code, object])).toEqual([['two-policies', two]]);
});

describe('of what is applied next to a cluster', () => {
  const own = routedOn(aRouting());
  const front = own.find(({ kind }) => kind === 'SecurityPolicy')!;
  const second = { ...front, metadata: { ...front.metadata, name: 'two' } };
  const shared = [{ name: 'shared', namespace: 'infra' }];
  const behind = { group: 'gateway.envoyproxy.io', kind: 'Backend', name: 'llm' };
  const certain: Manifest = {
    ...aPolicy('BackendTLSPolicy', { validation: {} }, behind),
    apiVersion: 'gateway.networking.k8s.io/v1',
  };
  const backend: Manifest = { ...aPolicy('Backend', {}), metadata: { ...KEYS.metadata, name: 'llm' } };
  const filter = { extensionRef: { group: behind.group, kind: 'HTTPRouteFilter', name: 'own' } };
  const valueRef = { kind: 'Secret', name: 'key', namespace: 'team-b' };
  const spec = { credentialInjection: { credential: { valueRef } } };
  const credential: Manifest = { ...aPolicy('HTTPRouteFilter', {}), spec };
  const cases: Record<string, { beside: Manifest[]; want: string[] }> = {
    'a policy of two of our routes is judged': {
      beside: [second],
      want: ['two-policies two', 'two-policies two'],
    },
    'a route at our Gateway is judged': {
      beside: [aRoute({})],
      want: ['open-route own', 'no-traffic-policy own'],
    },
    'a policy of such a route is judged': {
      beside: [aRoute({}), KEYS, TRAFFIC, { ...KEYS, metadata: { ...KEYS.metadata, name: 'two' } }],
      want: ['two-policies two'],
    },
    'what such a route refers to is judged': {
      beside: [aRoute({ rules: [{ backendRefs: [behind] }] }), KEYS, TRAFFIC, backend, certain],
      want: ['unproven-backend own'],
    },
    'a filter of such a route is judged': {
      beside: [aRoute({ rules: [{ filters: [filter] }] }), KEYS, TRAFFIC, credential],
      want: ['exposed-credential own', 'no-reference-grant own'],
    },
    'a route at a Gateway of another owner is not': {
      beside: [aRoute({ parentRefs: shared, rules: [{ backendRefs: [behind] }] }), certain],
      want: [],
    },
    'two policies of such a route are not': {
      beside: [aRoute({ parentRefs: shared }), KEYS, { ...KEYS, metadata: { ...KEYS.metadata, name: 'two' } }],
      want: [],
    },
    'a policy for what another cluster may have is not': {
      beside: [aPolicy('SecurityPolicy', { jwt: {} }, { kind: 'HTTPRoute', name: 'chta' })],
      want: [],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { beside, want }) => {
    const changed = {
      before: own,
      after: own,
      additional: new Map(beside.map((one) => [one, 'file own.yaml'])),
    };
    const found = findNewRouteProblems(changed, 'cluster us').map(({ code, at }) => [code, at]);
    expect(found.map(([code, where]) => `${code} ${where!.split('/')[1]}`)).toEqual(want);
    expect(found.every(([, where]) => where!.startsWith('file own.yaml, '))).toBe(true);
  });
});
