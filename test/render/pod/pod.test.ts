import { aCluster, aDeployment, aMember, anEngine, type Doc } from '../../api/build';
import { gangWith, GKE, pick, pods, renamed, withContainer } from '../build';

const shm = { name: 'shared-memory', emptyDir: { medium: 'Memory' } };
const shmMount = { name: 'shared-memory', mountPath: '/dev/shm' };

/** `workers` nodes of a gang of which only the leader, or only the workers, claim. */
function halfClaiming(role: 'Leader' | 'Worker') {
  const members = (['Leader', 'Worker'] as const).map((each) => aMember({ role: each, gpus: each === role ? 8 : 0 }));
  return aDeployment('ml/qwen3', { engines: [{ name: 'main', members }] });
}

interface Case {
  deployment?: Parameters<typeof pods>[0];
  cluster?: typeof GKE;
  role?: 'Standalone' | 'Leader' | 'Worker';
  /** Fields of the pod. Undefined: the field is absent. */
  want: Doc;
}

describe('a pod', () => {
  const cases: Record<string, Case> = {
    'stays on the nodes of its pool': { want: { nodeSelector: { 'fleetwright.dev/pool': 'h100' } } },
    'finds its pool by the label that the cluster declares': {
      cluster: aCluster('a', { pools: { h100: 1 }, poolLabel: 'example.com/pool' }),
      want: { nodeSelector: { 'example.com/pool': 'h100' } },
    },
    'finds its pool by the label of the alias group': {
      cluster: aCluster('a', { pools: { h100: 1 }, group: 'modelplane.ai' }),
      want: { nodeSelector: { 'modelplane.ai/pool': 'h100' } },
    },
    'tolerates the taints of its pool': {
      want: {
        tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
      },
    },
    'has no token for the API server and no variables about Services': {
      want: { automountServiceAccountToken: false, enableServiceLinks: false },
    },
    'runs under the default seccomp profile': {
      want: { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
    },
    'has ten minutes to end': { want: { terminationGracePeriodSeconds: 600 } },
    'has as long to end as its engine says': {
      deployment: aDeployment('ml/qwen3', { engines: [anEngine('main', { drain: { grace: '1m30s' } })] }),
      want: { terminationGracePeriodSeconds: 90 },
    },
    'has shared memory and nothing else without a cache': { want: { volumes: [shm] } },
    'mounts its cache': {
      deployment: withContainer({}, { cache: 'weights' }),
      want: {
        volumes: [shm, { name: 'model-cache', persistentVolumeClaim: { claimName: 'weights-afab4' } }],
      },
    },
    'mounts its cache also as a worker': {
      deployment: gangWith({}, { cache: 'weights' }),
      role: 'Worker',
      want: {
        volumes: [shm, { name: 'model-cache', persistentVolumeClaim: { claimName: 'weights-afab4' } }],
      },
    },
    'needs no pull secrets where none are named': { want: { imagePullSecrets: undefined } },
    'has the pull secrets of its member': {
      deployment: aDeployment('ml/qwen3', { engines: [{ name: 'main', members: [withSecrets('a', 'b')] }] }),
      want: { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] },
    },
    'claims nothing where its member asks for nothing': {
      deployment: halfClaiming('Worker'),
      role: 'Leader',
      want: { resourceClaims: undefined },
    },
    'is left to the default of the cluster in all else': {
      want: { restartPolicy: undefined, hostNetwork: undefined, priorityClassName: undefined },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { deployment, cluster, role = 'Standalone', want }) => {
    const { spec } = pods(deployment ?? withContainer({}), { cluster: cluster ?? GKE })[role]!;
    expect(pick(spec, want)).toEqual(want);
  });
});

test('the container sees each volume of its pod', () => {
  const [container] = pods(withContainer({}, { cache: 'weights' })).Standalone!.spec.containers;
  expect(container.volumeMounts).toEqual([
    shmMount,
    { name: 'model-cache', mountPath: '/mnt/models', subPath: '4dcda1e47c' },
  ]);
});

test('a container whose pod claims nothing asks for no claim', () => {
  const { Leader, Worker } = pods(halfClaiming('Worker'));
  expect(Leader!.spec.containers[0]).not.toHaveProperty('resources');
  expect(Worker!.spec.containers[0]).toHaveProperty('resources');
});

describe('the labels of a pod', () => {
  const ours = {
    'app.kubernetes.io/name': 'qwen3',
    'app.kubernetes.io/instance': 'qwen3-2',
    'app.kubernetes.io/component': 'main',
    'app.kubernetes.io/managed-by': 'fleetwright',
    'fleetwright.dev/deployment': 'qwen3',
    'fleetwright.dev/cluster': 'gke',
    'fleetwright.dev/replica-index': '2',
    'fleetwright.dev/engine': 'main',
  };
  const serving = { 'fleetwright.dev/serving': 'true' };
  const long = 'd'.repeat(100);
  const cases: Record<string, Case & { want: Record<string, string> }> = {
    'say what it is': {
      want: { ...ours, 'fleetwright.dev/role': 'Standalone', ...serving },
    },
    'say that a leader serves': {
      deployment: gangWith({}),
      role: 'Leader',
      want: { ...ours, 'fleetwright.dev/role': 'Leader', ...serving },
    },
    'do not say so of a worker': {
      deployment: gangWith({}),
      role: 'Worker',
      want: { ...ours, 'fleetwright.dev/role': 'Worker' },
    },
    'are followed by those of the replica, then of the member, of which the nearer wins': {
      deployment: labelled({ team: 'ml', tier: 'prod' }, { tier: 'dev', app: 'x' }),
      want: { ...ours, 'fleetwright.dev/role': 'Standalone', ...serving, team: 'ml', tier: 'dev', app: 'x' },
    },
    'are not replaced by those of a user': {
      deployment: labelled({ 'app.kubernetes.io/name': 'mine' }, { 'app.kubernetes.io/managed-by': 'me' }),
      want: { ...ours, 'fleetwright.dev/role': 'Standalone', ...serving },
    },
    'are cut where names are longer than a label may be': {
      deployment: renamed(withContainer({}), long),
      cluster: renamed(GKE, 'c'.repeat(70)),
      want: {
        ...ours,
        'app.kubernetes.io/name': `${'d'.repeat(54)}_9917c7f4`,
        'app.kubernetes.io/instance': `${'d'.repeat(54)}_81fd6963`,
        'fleetwright.dev/deployment': `${'d'.repeat(54)}_9917c7f4`,
        'fleetwright.dev/cluster': `${'c'.repeat(54)}_6fe5981a`,
        'fleetwright.dev/role': 'Standalone',
        ...serving,
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { deployment, cluster, role = 'Standalone', want }) => {
    const options = { cluster: cluster ?? GKE, index: 2 };
    const { labels } = pods(deployment ?? withContainer({}), options)[role]!.metadata;
    expect(Object.entries(labels)).toEqual(Object.entries(want));
  });
});

test('annotations of the member are on its pods, and absent where there are none', () => {
  const member = withMetadata({ annotations: { 'example.com/mesh': 'off' } });
  const annotated = aDeployment('ml/qwen3', { engines: [{ name: 'main', members: [member] }] });
  expect(pods(annotated).Standalone!.metadata.annotations).toEqual({ 'example.com/mesh': 'off' });
  expect(pods(withContainer({})).Standalone!.metadata).not.toHaveProperty('annotations');
});

function labelled(replicaLabels: Record<string, string>, labels: Record<string, string>) {
  return aDeployment('ml/qwen3', {
    replicaLabels,
    engines: [{ name: 'main', members: [withMetadata({ labels })] }],
  });
}

function withMetadata(metadata: Doc): Doc {
  return aMember({ template: { metadata, spec: { containers: [{ name: 'engine', image: 'vllm' }] } } });
}

function withSecrets(...names: string[]): Doc {
  const spec = {
    containers: [{ name: 'engine', image: 'vllm' }],
    imagePullSecrets: names.map((name) => ({ name })),
  };
  return aMember({ template: { spec } });
}
