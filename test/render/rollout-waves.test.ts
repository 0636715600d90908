import { planApplySteps } from '../../src/manifest/kubernetes/apply-order';
import { SYNC_WAVE } from '../../src/manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { orderByWave, rolloutSecondsOf } from '../../src/render/rollout-waves';

/** A workload of a deployment in a wave. */
function workload(name: string, wave: number, more: { kind?: string; of?: string; spec?: object } = {}): Manifest {
  const { kind = 'Deployment', of = 'q', spec = {} } = more;
  return {
    apiVersion: kind === 'Deployment' ? 'apps/v1' : 'leaderworkerset.x-k8s.io/v1',
    kind,
    metadata: {
      name,
      namespace: 'ml',
      labels: { 'fleetwright.dev/deployment': of },
      annotations: { [SYNC_WAVE]: String(wave) },
    },
    spec: spec as Manifest['spec'] & object,
  };
}

const service: Manifest = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'q', namespace: 'ml', labels: { 'fleetwright.dev/deployment': 'q' } },
};

const cases: Record<string, { manifests: Manifest[]; want: Record<string, string[]> }> = {
  'a wave needs the one before, whatever the names': {
    manifests: [workload('a', 3), workload('b', 1), workload('c', 2), workload('d', 2)],
    want: { b: [], c: ['b'], d: ['b'], a: ['c', 'd'] },
  },
  'deployments do not wait for each other': {
    manifests: [workload('a', 1), workload('b', 2, { of: 'other' })],
    want: { a: [], b: [] },
  },
  'a number that is left out is no wave': {
    manifests: [workload('a', 1), workload('b', 4)],
    want: { a: [], b: ['a'] },
  },
  'gangs and pods of a deployment are in the same waves': {
    manifests: [workload('a', 1), workload('b', 2, { kind: 'LeaderWorkerSet' })],
    want: { a: [], b: ['a'] },
  },
  'a NetworkPolicy changes with the workload of its replica, and nothing waits for it': {
    manifests: [workload('a', 1), workload('b', 2), workload('c', 3), workload('p', 2, { kind: 'NetworkPolicy' })],
    want: { a: [], b: ['a'], p: ['a'], c: ['b'] },
  },
  'what is in no wave comes first and waits for nothing': {
    manifests: [workload('a', 1), service],
    want: { q: [], a: [] },
  },
};

test.each(Object.entries(cases))('%s', (_, { manifests, want }) => {
  const steps = orderByWave(planApplySteps(manifests));
  const needs = steps.map(({ manifest, needs: all }) => [
    manifest.metadata.name,
    all.map((id) => id.split('.').at(-1)),
  ]);
  expect(needs).toEqual(Object.entries(want));
});

const route: Manifest = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'chat', namespace: 'ml', labels: {} },
  spec: { rules: [{ backendRefs: [{ kind: 'Service', name: 'behind' }] }] },
};
const labels = { app: 'q' };
const pods = { template: { metadata: { labels } } };
const behind: Manifest = { ...service, metadata: { ...service.metadata, name: 'behind' }, spec: { selector: labels } };

test('an object comes after all that it needs: a route after the workloads that it leads to', () => {
  const all = [workload('a', 2, { spec: pods }), workload('b', 1, { spec: pods }), service, behind, route];
  const steps = orderByWave(planApplySteps(all));
  expect(steps.find(({ manifest }) => manifest === route)?.needs).toHaveLength(3);
  const seen = new Set<string>();
  for (const { id, needs } of steps) {
    expect(needs.filter((other) => !seen.has(other))).toEqual([]);
    seen.add(id);
  }
});

const probe = { startupProbe: { failureThreshold: 360, periodSeconds: 10 } };
const waits: Record<string, { manifest: Manifest; want: number }> = {
  'a Deployment is waited for as long as it says of one pod, times its pods': {
    manifest: workload('a', 1, { spec: { replicas: 3, progressDeadlineSeconds: 2000 } }),
    want: 6000,
  },
  'a gang is waited for as long as its longest startup and a while more': {
    manifest: workload('a', 1, {
      kind: 'LeaderWorkerSet',
      spec: {
        replicas: 2,
        leaderWorkerTemplate: {
          leaderTemplate: { spec: { containers: [{ startupProbe: { periodSeconds: 10 } }, probe] } },
        },
      },
    }),
    want: 9000,
  },
  'a graph of Dynamo is waited for as long as the component with the most pods takes': {
    manifest: workload('a', 1, {
      kind: 'DynamoGraphDeployment',
      spec: {
        components: [
          { name: 'frontend' },
          { name: 'decode', replicas: 2, podTemplate: { spec: { containers: [probe] } } },
        ],
      },
    }),
    want: 9000,
  },
  'a Deployment that an autoscaler sizes is waited for as if it had all its pods': {
    manifest: {
      ...workload('a', 1, { spec: { progressDeadlineSeconds: 2000 } }),
      metadata: {
        name: 'a',
        labels: {},
        annotations: { [SYNC_WAVE]: '1', 'fleetwright.dev/copies': '1-4' },
      },
    },
    want: 8000,
  },
  'a Deployment without pods has a time too': {
    manifest: workload('a', 1, { spec: { replicas: 0, progressDeadlineSeconds: 2000 } }),
    want: 2000,
  },
  'a workload in no wave is not waited for': { manifest: workload('a', 0), want: 0 },
  'a Service is not waited for': { manifest: service, want: 0 },
};

test.each(Object.entries(waits))('%s', (_, { manifest, want }) => {
  expect(rolloutSecondsOf(manifest)).toBe(want);
});
