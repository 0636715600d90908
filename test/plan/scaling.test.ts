import { whatIf } from '../../src/analyze/what-if/what-if';
import type { Resource } from '../../src/api/kinds';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Plan } from '../../src/plan/plan';
import { formatRejectionReason } from '../../src/plan/rejection-messages';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { releasesOf } from '../../src/provision/releases/cluster-releases';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import {
  aClass,
  aCluster,
  aDeployment,
  aMember,
  anEndpoint,
  anEngine,
  byPath,
  type Doc,
  gpus,
  listProblems,
  request,
} from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';

const H100 = aClass('h100');
const SCALING = 'spec.template.spec.engines.0.scaling';

const on = (more: Doc = {}) => aCluster('us', { pools: { h100: 4 }, monitoring: {}, ...more });

const scaled = (signal: Doc, engine: Doc = {}) =>
  aDeployment('ml/q', {
    engines: [anEngine('main', { copies: { min: 1, max: 4 }, scaling: { on: [signal] }, ...engine })],
  });

const IMAGE = 'vllm/vllm-openai:v0.11.0';

const loading = (model: string): Doc => ({
  members: [aMember({ template: { spec: { containers: [{ name: 'engine', image: IMAGE, args: [model] }] } } })],
});

const LARGE = 'device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("60Gi"))';

const QUERY = { prometheus: { query: 'sum(q{$(labels)})', threshold: 1 } };

function planOf(...resources: Resource[]): Plan {
  return decide(assemble([H100, ...resources]), byPath, EMPTY_LOCK).plan;
}

function problemsOf(...resources: Resource[]): string[] {
  return listProblems(() => planOf(...resources));
}

const refused: Record<string, { resources: Resource[]; want: string[] }> = {
  'a signal of which the engine has no metric': {
    resources: [on(), scaled({ kvUse: '80%' }, { runtime: 'LlamaCpp' })],
    want: [
      `ModelDeployment ml/q ${SCALING}.on.0.kvUse: llama.cpp has no metric for 'kvUse'. Use queue or running, or write a query: 'prometheus'.`,
    ],
  },
  'a signal of an engine without metrics': {
    resources: [on(), scaled({ queue: 4 }, { runtime: 'Ollama' })],
    want: [
      `ModelDeployment ml/q ${SCALING}.on.0.queue: Ollama has no metric for 'queue'. Write a query: 'prometheus'.`,
    ],
  },
  'a cluster that measures no load': {
    resources: [on({ monitoring: undefined }), scaled({ queue: 4 })],
    want: [
      `ModelDeployment ml/q ${SCALING}: scaling needs load metrics of Prometheus, and cluster 'us', the only one with room for it, declares none. Set spec.monitoring of the cluster.`,
    ],
  },
  'a cluster that measures no load, where no copy would need that': {
    resources: [on({ monitoring: undefined }), scaled({ running: 4 })],
    want: [
      `ModelDeployment ml/q ${SCALING}: copies.min 1 needs load metrics of Prometheus, unlike min 0, and cluster 'us', the only one with room for it, declares none. Set spec.monitoring of the cluster, or set copies.min: 0.`,
    ],
  },
  'a cluster that records no series': {
    resources: [on({ monitoring: { rules: false } }), scaled({ queue: 4 })],
    want: [
      `ModelDeployment ml/q ${SCALING}: 'monitoring.rules: false' of cluster 'us' leaves out the series that it scales by. Remove that line, or scale by queries of your own: 'prometheus'.`,
    ],
  },
  'two clusters that measure no load, with one message': {
    resources: [on({ monitoring: undefined }), aCluster('eu', { pools: { h100: 1 } }), scaled({ queue: 4 })],
    want: [
      `ModelDeployment ml/q ${SCALING}: scaling needs load metrics of Prometheus, and no cluster with room for it ('eu', 'us') declares any. Set spec.monitoring of one of them.`,
    ],
  },
  'two clusters that record no series, with one message': {
    resources: [
      on({ monitoring: { rules: false } }),
      aCluster('eu', { pools: { h100: 1 }, monitoring: { rules: false } }),
      scaled({ queue: 4 }),
    ],
    want: [
      `ModelDeployment ml/q ${SCALING}: 'monitoring.rules: false' of every cluster with room for it ('eu', 'us') leaves out the series that it scales by. Remove that line, or scale by queries of your own: 'prometheus'.`,
    ],
  },
  'the cluster that measures no load, not one without matching devices': {
    resources: [
      aClass('l4', { devices: [gpus(1, { memory: '23034Mi' })] }),
      on({ monitoring: undefined }),
      aCluster('eu', { pools: { l4: 1 }, monitoring: {} }),
      scaled({ queue: 4 }, { members: [aMember({ devices: [request('gpu', 1, LARGE)] })] }),
    ],
    want: [
      `ModelDeployment ml/q ${SCALING}: scaling needs load metrics of Prometheus, and cluster 'us', the only one with room for it, declares none. Set spec.monitoring of the cluster.`,
    ],
  },
  'but not a query of users, which needs no recorded series': {
    resources: [on({ monitoring: { rules: false } }), scaled(QUERY, { runtime: 'Ollama' })],
    want: [],
  },
};

test.each(Object.entries(refused))('an engine with bounds is refused for %s', (_, { resources, want }) => {
  expect(problemsOf(...resources)).toEqual(want);
});

test('what explains a deployment answers where no cluster measures load', () => {
  const resources = [on({ monitoring: undefined }), scaled({ queue: 4 })];
  const options = { notes: [], warnings: [], explainsScaling: true };
  const { plan } = decide(assemble([H100, ...resources]), byPath, EMPTY_LOCK, options);
  const [short] = plan.deployments.flatMap(({ shortfall }) => shortfall?.rejections ?? []);
  expect(short?.reason).toMatchObject({ filter: 'monitoring', lacks: 'metrics' });
});

/** Two replicas that scale. `asia` has room for 1 and measures load. */
function decideSpread(us: Doc) {
  const copies = { min: 1, max: 1 };
  const members = [aMember({ gpus: 8 })];
  const engines = [anEngine('main', { copies, members, scaling: { on: [{ queue: 4 }] } })];
  const asia = aCluster('asia', { pools: { h100: 1 }, monitoring: {} });
  return decide(assemble([H100, asia, on(us), aDeployment('ml/q', { replicas: 2, engines })]), byPath, EMPTY_LOCK);
}

/** Where they go, and what is said of those without a place. */
function spread(us: Doc): { places: string[]; reasons: string[]; remedies: string[] } {
  const { placements, shortfalls } = decideSpread(us).schedule;
  return {
    places: placements.map(({ cluster }) => cluster),
    reasons: shortfalls.flatMap(({ rejections }) => rejections.map(formatRejectionReason)),
    remedies: shortfalls.flatMap(({ remedies }) => remedies.map((remedy) => formatRemedy(remedy))),
  };
}

describe('replicas that scale go to clusters that measure their load', () => {
  const full = 'needs 8 gpu on one node; all its 8 devices are in use';
  const rows: Record<string, [Doc, ReturnType<typeof spread>]> = {
    'which all may be': [{}, { places: ['asia', 'us'], reasons: [], remedies: [] }],
    'and not to others, which a remedy names': [
      { monitoring: undefined },
      {
        places: ['asia'],
        reasons: [
          full,
          'scaling of engine main needs load metrics of Prometheus, and the cluster does not declare spec.monitoring',
        ],
        remedies: [
          'declare spec.monitoring of cluster us, if Prometheus runs there',
          '1 more node in asia / h100 (8 GPUs)',
        ],
      },
    ],
    'nor to those that record no series': [
      { monitoring: { rules: false } },
      {
        places: ['asia'],
        reasons: [full, "'monitoring.rules: false' of the cluster leaves out the series that engine main scales by"],
        remedies: ['declare spec.monitoring.rules: true of cluster us', '1 more node in asia / h100 (8 GPUs)'],
      },
    ],
  };
  test.each(Object.entries(rows))('%s', (_, [us, want]) => {
    expect(spread(us)).toEqual(want);
  });
});

test('a scenario with a fixed number of copies needs no cluster that measures load', () => {
  const decision = decideSpread({ monitoring: undefined });
  const step = { kind: 'scale-engine', deployment: 'ml/q', engine: 'main', copies: 1 } as const;
  const outcomes = whatIf(decision, [
    { name: 'as it is', steps: [{ kind: 'scale', deployment: 'ml/q', replicas: 2 }] },
    { name: 'fixed', steps: [step] },
  ]);
  expect(outcomes.map(({ totals }) => totals.unplaced)).toEqual([1, 0]);
});

test('a replica on a cluster that lost its monitoring is refused, wherever further ones may go', () => {
  const resources = (us: Doc) => [H100, on(us), aCluster('eu', { pools: { h100: 1 }, monitoring: {} })];
  const engine = scaled({ queue: 4 });
  const { lock } = decide(assemble([H100, on(), engine]), byPath, EMPTY_LOCK);
  const later = (us: Doc) => listProblems(() => decide(assemble([...resources(us), engine]), byPath, lock));
  const start = `ModelDeployment ml/q ${SCALING}:`;
  expect(later({})).toEqual([]);
  expect(later({ monitoring: undefined })).toEqual([
    `${start} scaling needs load metrics of Prometheus, and cluster 'us' declares none. Set spec.monitoring of the cluster, or exclude the cluster with clusterSelector.`,
  ]);
});

describe('the plan of an engine with bounds', () => {
  const scaler = { kind: 'CustomResourceDefinition', name: 'scaledobjects.keda.sh' };

  test('requires the kind of its autoscaler where Fleetwright does not install it', () => {
    const { mustExist } = planOf(on(), scaled({ queue: 4 }));
    expect(mustExist.flatMap(({ objects }) => objects)).toContainEqual(expect.objectContaining(scaler));
    const installed = planOf(on({ servingStack: { keda: { install: true } } }), scaled({ queue: 4 })).mustExist;
    expect(installed.flatMap(({ objects }) => objects)).not.toContainEqual(expect.objectContaining(scaler));
  });

  test('says what is reserved, and how long a copy takes', () => {
    const budget = { startup: { budget: '10m' } };
    const start = 'ModelDeployment ml/q: engine main has 1 to 4 copies in each replica, and the plan reserves devices';
    expect(planOf(on(), scaled({ queue: 4 }, budget)).notes).toContain(
      `${start} for all 4. A further copy serves at most 10 minutes after it starts: weights 1 to 6, load 1 to 8.`,
    );
    expect(planOf(on(), scaled({ queue: 4 }, { ...budget, ...loading('a/b') })).notes).toContain(
      `${start} for all 4. A further copy serves at most 10 minutes after it starts: weights 1 to 10, load 1 to 8.`,
    );
    expect(planOf(on(), scaled({ queue: 4 }, loading('Qwen/Qwen3-0.6B'))).notes).toContain(
      `${start} for all 4. A further copy serves 2 to 9 minutes after it starts (startup budget: 60 min): weights 1, load 1 to 8. At most 1 copy every 30 minutes (scaling.up.every).`,
    );
    const pools = { h100: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 4 } };
    expect(planOf(on({ pools }), scaled({ queue: 4 }, budget)).notes).toContain(
      `${start} for all 4. A further copy serves at most 10 minutes after it starts: weights 1 to 6, load 1 to 8; and 3 to 13 minutes later where us/h100 must add a node for it: node 2 to 10, image 1 to 3.`,
    );
  });
});

test.each([
  ['not by default', {}, []],
  ['where it is asked for', { servingStack: { keda: { install: true } } }, ['keda 2.21.0']],
])('the autoscaler of engines is installed %s', (_, more, want) => {
  const cluster = on(more);
  const releases = releasesOf(cluster, assemble([H100, cluster]));
  expect(releases.filter(({ name }) => name === 'keda').map(({ name, version }) => `${name} ${version}`)).toEqual(want);
});

const site = (pools: Record<string, number | Doc>) => aSite('us', { monitoring: {}, pools });

const wantStart = (minutes: number) => [
  `ModelDeployment ml/q ${SCALING}: a further copy can take ${minutes} minutes on cluster 'us', and the latency of ModelService ml/chat may miss its SLO for more than 10 minutes before it serves. Raise copies.min, lower the thresholds of its signals, set overprovision of a pool that scales, or shorten startup.budget with a cache.`,
];

describe('a service with an SLO warns of copies that serve too late', () => {
  const slo = { ttft: { p95: '500ms' } };
  const scaling = { copies: { min: 1, max: 4 }, scaling: { on: [{ queue: 4 }] } };
  const FIXED = site({ h100: 4 });
  const GROWING = site({ h100: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 4 } });
  const warningsOf = (cluster: Resource, engine: Doc, service: Doc = { slo }): string[] => {
    const engines = [anEngine('main', { runtime: 'vLLM', ...engine })];
    const model = aModel('ml/q', { replicaLabels: { model: 'q' }, engines });
    const { warnings } = planOf(cluster, aDoor(['us']), model, aSplit('ml/chat', [to({ model: 'q' })], service));
    return warnings.filter(({ code }) => code === 'slow-start').map(formatDiagnostic);
  };
  const rows: Record<string, [Resource, Doc, Doc | undefined, string[]]> = {
    'where the engine loads for longer': [FIXED, { ...scaling, startup: { budget: '15m' } }, undefined, wantStart(15)],
    'where the pool must add a node': [GROWING, { ...scaling, startup: { budget: '8m' } }, undefined, wantStart(21)],
    'but not where they serve in time': [FIXED, { ...scaling, startup: { budget: '8m' } }, undefined, []],
    'but not for a fixed number': [GROWING, { startup: { budget: '15m' } }, undefined, []],
    'but not without a bound for a latency': [GROWING, scaling, { slo: { availability: 99.5 } }, []],
  };
  test.each(Object.entries(rows))('%s', (_, [cluster, engine, service, expected]) => {
    expect(warningsOf(cluster, engine, service)).toEqual(expected);
  });
});

const engineOf = (copies: unknown) => [
  anEngine('main', typeof copies === 'number' ? { copies } : { copies, scaling: { on: [{ queue: 4 }] } }),
];

const modelOf = (name: string, copies: unknown) =>
  aModel(`ml/${name}`, { replicaLabels: { model: name }, engines: engineOf(copies) });

const canary = (stable: unknown, next: unknown): string[] => {
  const entries = [to({ model: 'stable' }, { weight: 90 }), to({ model: 'next' }, { weight: 10 })];
  const { notes } = planOf(
    aSite('us', { monitoring: {} }),
    aDoor(['us']),
    modelOf('stable', stable),
    modelOf('next', next),
    aSplit('ml/chat', entries),
  );
  return notes.filter((note) => note.startsWith('ModelService'));
};

describe('the plan says what share one copy gets', () => {
  test('where weights divide requests among copies that scale', () => {
    expect(canary({ min: 1, max: 4 }, 1)).toEqual([
      'ModelService ml/chat: weights do not follow the number of copies, so one copy of ml/next gets 10 %, and one of ml/stable gets 23 % to 90 %.',
    ]);
  });

  test('but not of external endpoints, whatever their names', () => {
    const scaled = modelOf('stable', { min: 1, max: 4 });
    const endpoints = ['stable', 'other'].map((name) => anEndpoint(`ml/${name}`, { labels: { rented: name } }));
    const route = aSplit('ml/chat', [to({ rented: 'stable' }), to({ rented: 'other' })]);
    const { notes } = planOf(aSite('us', { monitoring: {} }), aDoor(['us']), scaled, ...endpoints, route);
    expect(notes.filter((note) => note.startsWith('ModelService'))).toEqual([]);
  });

  test('but not where all numbers are fixed', () => {
    expect(canary(4, 1)).toEqual([]);
  });
});
