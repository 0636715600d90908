import type { LiveObject } from '../../../src/live/live-object';
import { driftOf } from '../../../src/live/status/drift';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';

type Fields = Record<string, unknown>;

/** What differs between specs, as `field: ours -> there`. */
function drifted(ours: Fields, live: Fields): string[] {
  const head = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', labels: {} } };
  const found = driftOf(
    { ...head, spec: ours } as unknown as Manifest,
    { ...head, spec: live } as unknown as LiveObject,
  );
  return (found?.fields ?? []).map(
    ({ field, before, after }) => `${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
  );
}

const cases: Record<string, { ours: Fields; live: Fields; want: string[] }> = {
  'the same': { ours: { replicas: 2 }, live: { replicas: 2 }, want: [] },
  'fields that others set are not ours': {
    ours: { template: { spec: { a: 1 } } },
    live: { template: { spec: { a: 1, dnsPolicy: 'ClusterFirst' } }, strategy: {} },
    want: [],
  },
  'a value that was changed': {
    ours: { replicas: 2 },
    live: { replicas: 0 },
    want: ['spec.replicas: 2 -> 0'],
  },
  'a field that was removed': {
    ours: { a: { b: 'x' } },
    live: { a: {} },
    want: ['spec.a.b: "x" -> undefined'],
  },
  'what is empty may be left out': {
    ours: { a: {}, b: [], c: '', d: false, e: { f: {} } },
    live: {},
    want: [],
  },
  'quantities in other words': {
    ours: { requests: { cpu: '1', memory: '1024Mi', gpu: '8' } },
    live: { requests: { cpu: '1000m', memory: '1Gi', gpu: '8' } },
    want: [],
  },
  'another quantity': {
    ours: { cpu: '1' },
    live: { cpu: '900m' },
    want: ['spec.cpu: "1" -> "900m"'],
  },
  'containers are known by their names: one that was injected is not ours': {
    ours: { containers: [{ name: 'engine', image: 'a' }] },
    live: {
      containers: [
        { name: 'proxy', image: 'p' },
        { name: 'engine', image: 'b' },
      ],
    },
    want: ['spec.containers[engine].image: "a" -> "b"'],
  },
  'a container that was removed': {
    ours: { containers: [{ name: 'engine' }, { name: 'helper' }] },
    live: { containers: [{ name: 'engine' }] },
    want: ['spec.containers[helper]: {"name":"helper"} -> undefined'],
  },
  'mounts of one volume are known by their paths': {
    ours: {
      volumeMounts: [
        { name: 'v', mountPath: '/a' },
        { name: 'v', mountPath: '/b', subPath: 'x' },
      ],
    },
    live: {
      volumeMounts: [
        { name: 'v', mountPath: '/b', subPath: 'x' },
        { name: 'v', mountPath: '/a' },
      ],
    },
    want: [],
  },
  'lists without names are compared item by item': {
    ours: { rules: [{ weight: 1 }, { weight: 2 }] },
    live: { rules: [{ weight: 1, matches: [] }, { weight: 3 }] },
    want: ['spec.rules[1].weight: 2 -> 3'],
  },
  'an item that was added to such a list': {
    ours: { args: ['a'] },
    live: { args: ['a', 'b'] },
    want: ['spec.args: ["a"] -> ["a","b"]'],
  },
  'a map where a list was': { ours: { a: ['x'] }, live: { a: { x: 1 } }, want: ['spec.a: ["x"] -> {"x":1}'] },
};

test.each(Object.entries(cases))('%s', (_, { ours, live, want }) => {
  expect(drifted(ours, live)).toEqual(want);
});

const OURS: Manifest = {
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', namespace: 'ml', labels: { a: 'b' } },
};

test('an object that is not there', () => {
  expect(driftOf(OURS, undefined)).toEqual({
    level: 'failure',
    apiVersion: 'v1',
    kind: 'X',
    namespace: 'ml',
    name: 'x',
    state: 'missing',
    fields: [],
  });
});

test('labels are compared, and what only a cluster writes is not', () => {
  const metadata = { ...OURS.metadata, labels: { a: 'c', d: 'e' }, uid: '1', resourceVersion: '2' };
  const found = driftOf(OURS, { ...OURS, metadata, status: { x: 1 } });
  expect(found).toMatchObject({
    state: 'changed',
    fields: [{ field: 'metadata.labels.a', before: 'b', after: 'c' }],
  });
});

test('what seems to be a secret is hidden', () => {
  expect(drifted(env('sk-old-SECRET'), env('sk-new-SECRET')).join()).not.toContain('SECRET');
});

function env(value: string): Fields {
  return { env: [{ name: 'API_KEY', value }] };
}
