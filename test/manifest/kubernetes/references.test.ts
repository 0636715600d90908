import type { JsonObject } from '../../../src/manifest/kubernetes/manifest';
import { findObjectRefs } from '../../../src/manifest/kubernetes/references';

const refsOf = (spec: JsonObject): string[] =>
  findObjectRefs({
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'x', namespace: 'own', labels: {} },
    spec,
  }).map(({ group, kind, namespace, name }) => [group, kind, namespace, name].join(' '));

const cases: Record<string, { spec: JsonObject; want: string[] }> = {
  'an object of the same namespace': {
    spec: { targetRef: { group: 'g', kind: 'Gateway', name: 'a' } },
    want: ['g Gateway own a'],
  },
  'one of another': { spec: { ref: { kind: 'Secret', name: 'a', namespace: 'b' } }, want: [' Secret b a'] },
  'a Service, where a route names no kind': {
    spec: { rules: [{ backendRefs: [{ name: 'a', port: 80 }] }] },
    want: [' Service own a'],
  },
  'a Gateway, where a route names no kind of parent': {
    spec: { parentRefs: [{ name: 'a', namespace: 'b' }] },
    want: ['gateway.networking.k8s.io Gateway b a'],
  },
  'another kind of backend in its own group': {
    spec: { backendRefs: [{ group: 'gateway.envoyproxy.io', kind: 'Backend', name: 'a' }] },
    want: ['gateway.envoyproxy.io Backend own a'],
  },
  'nothing that has a name alone': { spec: { ports: [{ name: 'http' }] }, want: [] },
};

test.each(Object.entries(cases))('objects refer to %s', (_, { spec, want }) => expect(refsOf(spec)).toEqual(want));
