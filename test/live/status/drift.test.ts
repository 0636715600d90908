import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
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

const scaled = (annotations: Record<string, string>) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x', labels: {}, annotations },
  spec: { template: { a: 1 } },
});

/** The same on a cluster, where a person has set the number of copies. */
function resized(annotations: Record<string, string>): LiveObject {
  const managedFields = [manager('kubectl-scale', { 'f:spec': { 'f:replicas': {} } })];
  const { metadata, ...rest } = scaled(annotations);
  return { ...rest, metadata: { ...metadata, managedFields }, spec: { ...rest.spec, replicas: 3 } } as LiveObject;
}

test('the number of copies is no change where an autoscaler sets it', () => {
  const bounds = { 'fleetwright.dev/copies': '1-4' };
  expect(driftOf(scaled(bounds), resized(bounds))).toBeUndefined();
  expect(driftOf(scaled({}), resized({}))?.fields.map(({ field }) => field)).toEqual(['spec.replicas']);
});

const CONTAINERS = [{ name: 'engine', image: 'a' }];

/** A manager of fields, as the API server records it. */
function manager(name: string, fieldsV1: object, operation = 'Update', subresource = ''): object {
  return { manager: name, operation, subresource, apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
}

const CONTAINER = 'k:{"name":"engine"}';

const added: Record<string, { live: Fields; metadata?: Fields; managers: object[]; level?: string; want: string[] }> = {
  'a field that a user added': {
    live: { hostNetwork: true, dnsPolicy: 'ClusterFirst' },
    managers: [manager('kubectl-edit', { 'f:spec': { 'f:hostNetwork': {} } })],
    want: ['spec.hostNetwork: undefined -> true by kubectl-edit'],
  },
  'a value that a user changed': {
    live: { containers: [{ name: 'engine', image: 'b' }] },
    managers: [manager('kubectl-set', { 'f:spec': { 'f:containers': { [CONTAINER]: { 'f:image': {} } } } })],
    want: ['spec.containers[engine].image: "a" -> "b" by kubectl-set'],
  },
  'a container that a user added, with its defaults': {
    live: { containers: [...CONTAINERS, { name: 'miner', image: 'x', resources: {} }] },
    managers: [
      manager('kubectl-patch', { 'f:spec': { 'f:containers': { 'k:{"name":"miner"}': { '.': {}, 'f:name': {} } } } }),
    ],
    want: ['spec.containers[miner]: undefined -> {"name":"miner","image":"x","resources":{}} by kubectl-patch'],
  },
  'a field that a user added to a container': {
    live: { containers: [{ ...CONTAINERS[0], securityContext: { privileged: true } }] },
    managers: [
      manager(
        'somebody',
        {
          'f:spec': {
            'f:containers': { [CONTAINER]: { '.': {}, 'f:securityContext': { 'f:privileged': {} } } },
          },
        },
        'Apply',
      ),
    ],
    want: ['spec.containers[engine].securityContext: undefined -> {"privileged":true} by somebody'],
  },
  'a field that two managers set': {
    live: { hostNetwork: true },
    managers: ['b', 'a'].map((name) => manager(name, { 'f:spec': { 'f:hostNetwork': {} } }, 'Apply')),
    want: ['spec.hostNetwork: undefined -> true by a, b'],
  },
  'an annotation that a user added is a warning': {
    live: {},
    metadata: { annotations: { owner: 'me' } },
    managers: [manager('kubectl-annotate', { 'f:metadata': { 'f:annotations': { '.': {}, 'f:owner': {} } } })],
    level: 'warning',
    want: ['metadata.annotations: undefined -> {"owner":"me"} by kubectl-annotate'],
  },
  'marks of the tool that applies manifests are not drift': {
    live: {},
    metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'x' } },
    managers: [
      manager('argocd-controller', { 'f:metadata': { 'f:annotations': { 'f:argocd.argoproj.io/tracking-id': {} } } }),
    ],
    want: [],
  },
  'what the webhooks of Kueue add in the name of the tool is not drift': {
    live: {},
    metadata: { annotations: { 'kueue.x-k8s.io/pod-suspending-parent': 'deployment' } },
    managers: [manager('ci', { 'f:metadata': { 'f:annotations': { 'f:kueue.x-k8s.io/pod-suspending-parent': {} } } })],
    want: [],
  },
  'the label that the API server gives every namespace is not drift': {
    live: {},
    metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } },
    managers: [manager('ci', { 'f:metadata': { 'f:labels': { 'f:kubernetes.io/metadata.name': {} } } }, 'Apply')],
    want: [],
  },
  'fields of controllers are not drift': {
    live: { volumeName: 'pv-1' },
    managers: [manager('kube-controller-manager', { 'f:spec': { 'f:volumeName': {} } })],
    want: [],
  },
  'defaults that the creator of an object owns are not drift': {
    live: { dnsPolicy: 'ClusterFirst' },
    managers: [
      manager('kubectl-client-side-apply', {
        'f:metadata': { 'f:labels': { 'f:app.kubernetes.io/managed-by': {} } },
        'f:spec': { 'f:dnsPolicy': {} },
      }),
    ],
    want: [],
  },
  'status is not drift': {
    live: {},
    metadata: {},
    managers: [
      manager('somebody', { 'f:status': { 'f:x': {} } }),
      manager('other', { 'f:spec': {} }, 'Update', 'status'),
    ],
    want: [],
  },
  'an empty value is not drift': {
    live: { hostNetwork: false },
    managers: [manager('kubectl-edit', { 'f:spec': { 'f:hostNetwork': {} } })],
    want: [],
  },
  'owners that are none of Kubernetes say nothing': {
    live: { x: 1 },
    managers: [{}, { fieldsV1: 'x' }, manager('m', { 'f:spec': { 'k:{': {}, 'f:x': null, 'v:': {}, 'f:gone': {} } })],
    want: ['spec.x: undefined -> 1 by m'],
  },
};

test.each(Object.entries(added))('of field managers, %s', (_, { live, metadata = {}, managers, level, want }) => {
  const head = { apiVersion: 'v1', kind: 'X' };
  const rendered = { ...head, metadata: { name: 'x', labels: {} }, spec: { containers: CONTAINERS } };
  const found = driftOf(
    rendered as unknown as Manifest,
    {
      ...head,
      metadata: { name: 'x', managedFields: managers, ...metadata },
      spec: { containers: CONTAINERS, ...live },
      status: { x: 1 },
    } as unknown as LiveObject,
  );
  expect(
    found?.fields.map(
      ({ field, before, after, managers: by = [] }) =>
        `${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)} by ${by.join(', ')}`,
    ) ?? [],
  ).toEqual(want);
  expect(found?.level).toBe(want.length > 0 ? (level ?? 'failure') : undefined);
});

function deep(inner: unknown, key: string): unknown {
  return Array.from({ length: 5000 }).reduce((one) => ({ [key]: one }), inner);
}

test('fields of objects of any depth are compared', () => {
  const head = { apiVersion: 'v1', kind: 'X' };
  const rendered = { ...head, metadata: { name: 'x', labels: {} } };
  const metadata = { name: 'x', managedFields: [manager('m', { 'f:spec': deep({}, 'f:a') as object })] };
  expect(driftOf(rendered, { ...head, metadata, spec: deep(1, 'a') } as unknown as LiveObject)).toBeUndefined();
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
