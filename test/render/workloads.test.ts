import { aDeployment, anEngine, type Doc } from '../api/build';
import { gangWith, manifestsOf, ofKind, pick, pods, renamed, withContainer } from './build';

const labels = {
  'app.kubernetes.io/name': 'qwen3',
  'app.kubernetes.io/instance': 'qwen3-2',
  'app.kubernetes.io/component': 'main',
  'app.kubernetes.io/managed-by': 'fleetwright',
  'fleetwright.dev/deployment': 'qwen3',
  'fleetwright.dev/cluster': 'gke',
  'fleetwright.dev/replica-index': '2',
  'fleetwright.dev/engine': 'main',
};

const prunedLast = { 'argocd.argoproj.io/sync-options': 'PruneLast=true' };
const annotations = { 'argocd.argoproj.io/sync-wave': '3', ...prunedLast };

/** Every object of a kind that a deployment becomes as replica 2. */
function rendered(deployment: ReturnType<typeof aDeployment>, kind: string) {
  return ofKind(manifestsOf(deployment, { index: 2 }), kind);
}

describe('a Deployment', () => {
  const cases: Record<string, { engine?: Doc; want: Doc }> = {
    'has a pod for each copy of the engine': { engine: { copies: 3 }, want: { replicas: 3 } },
    'replaces pods one at a time without a spare device': {
      want: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    },
    'is not called failed while an engine may still load': { want: { progressDeadlineSeconds: 5400 } },
    'finds its pods by labels that never change': {
      want: {
        selector: {
          matchLabels: {
            'fleetwright.dev/deployment': 'qwen3',
            'fleetwright.dev/replica-index': '2',
            'fleetwright.dev/engine': 'main',
          },
        },
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { engine = {}, want }) => {
    const [workload] = rendered(aDeployment('ml/qwen3', { engines: [anEngine('main', engine)] }), 'Deployment');
    expect(pick(workload!.spec!, want)).toEqual(want);
  });

  test('has identity, namespace and labels', () => {
    const [workload, ...others] = rendered(withContainer({}), 'Deployment');
    expect(others).toEqual([]);
    expect(workload!.apiVersion).toBe('apps/v1');
    expect(workload!.metadata).toEqual({ name: 'qwen3-2-main-e5500', namespace: 'ml', labels, annotations });
  });

  test('selects the pods of its own template, however long its name is', () => {
    const [workload] = rendered(renamed(withContainer({}), 'd'.repeat(253)), 'Deployment');
    const { selector, template } = workload!.spec as { selector: Doc; template: { metadata: Doc } };
    expect(template.metadata.labels).toMatchObject(selector.matchLabels as Doc);
  });
});

describe('a LeaderWorkerSet', () => {
  const cases: Record<string, { engine?: Doc; want: Doc }> = {
    'has a group for each copy of the engine': { engine: { copies: 3 }, want: { replicas: 3 } },
    'lets workers start before their leader is ready': { want: { startupPolicy: 'LeaderCreated' } },
    'replaces groups one at a time without spare devices': {
      want: {
        rolloutStrategy: {
          type: 'RollingUpdate',
          rollingUpdateConfiguration: { maxUnavailable: 1, maxSurge: 0 },
        },
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { engine = {}, want }) => {
    const gang = anEngine('main', { workers: 3, ...engine });
    const [set] = rendered(aDeployment('ml/qwen3', { engines: [gang] }), 'LeaderWorkerSet');
    expect(pick(set!.spec!, want)).toEqual(want);
  });

  const groups: Record<string, { deployment: ReturnType<typeof aDeployment>; want: Doc }> = {
    'counts the leader among the pods of a group': {
      deployment: aDeployment('ml/qwen3', { engines: [anEngine('main', { workers: 3 })] }),
      want: { size: 4 },
    },
    'has one worker where the member does not say how many': { deployment: gangWith({}), want: { size: 2 } },
    'starts a group again when one of its pods ends': {
      deployment: gangWith({}),
      want: { restartPolicy: 'RecreateGroupOnPodRestart' },
    },
  };
  test.each(Object.entries(groups))('%s', (_, { deployment, want }) => {
    const [set] = rendered(deployment, 'LeaderWorkerSet');
    expect(pick(set!.spec!.leaderWorkerTemplate as Doc, want)).toEqual(want);
  });

  test('has identity, namespace and labels', () => {
    const [set, ...others] = rendered(gangWith({}), 'LeaderWorkerSet');
    expect(others).toEqual([]);
    expect(set!.apiVersion).toBe('leaderworkerset.x-k8s.io/v1');
    expect(set!.metadata).toEqual({ name: 'qwen3-2-main-e5500', namespace: 'ml', labels, annotations });
  });
});

test('a Service selects the serving pods of its deployment alone, however long the name is', () => {
  const long = renamed(gangWith({}), 'd'.repeat(253));
  const { selector } = rendered(long, 'Service')[0]!.spec as { selector: Record<string, string> };
  const selected = (role: string) => {
    const { labels } = pods(long)[role]!.metadata;
    return Object.entries(selector).every(([key, value]) => labels[key] === value);
  };
  expect([selected('Leader'), selected('Worker')]).toEqual([true, false]);
});

test('a Service reaches the serving pods of all replicas of a deployment', () => {
  const [service, ...others] = rendered(gangWith({}, { replicaLabels: { team: 'ml' } }), 'Service');
  expect(others).toEqual([]);
  expect(service).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'qwen3-28b66b',
      namespace: 'ml',
      annotations: prunedLast,
      labels: {
        'app.kubernetes.io/name': 'qwen3',
        'app.kubernetes.io/managed-by': 'fleetwright',
        'fleetwright.dev/deployment': 'qwen3',
        'fleetwright.dev/cluster': 'gke',
        team: 'ml',
      },
    },
    spec: {
      type: 'ClusterIP',
      selector: { 'fleetwright.dev/deployment': 'qwen3', 'fleetwright.dev/serving': 'true' },
      ports: [{ name: 'http', port: 8000, targetPort: 'http' }],
    },
  });
});
