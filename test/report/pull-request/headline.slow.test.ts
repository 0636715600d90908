import type { Resource } from '../../../src/api/kinds';
import { errorAt, warningAt } from '../../../src/base/diagnostic';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aCache, aClass, aCluster, aDeployment, aMember, anEngine, gpus } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const engine = (gpus: number) => ({ engines: [{ name: 'main', members: [aMember({ gpus })] }] });
const base = [aClass('h100'), aSite('us', { pools: { h100: { nodeCount: 4 } } }), aDoor(['us'])];
const stable = aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' } });
const next = aModel('ml/next', { replicaLabels: { track: 'next' } });
const split = (...weights: [number, number]) =>
  aSplit('ml/chat', [to({ track: 'stable' }, { weight: weights[0] }), to({ track: 'next' }, { weight: weights[1] })]);
const conditional = aSplit('ml/chat', [
  to({ track: 'stable' }, { weight: 19 }),
  to({ track: 'next' }, { weight: 1 }),
  to({ track: 'next' }, { match: { headers: { 'x-track': 'next' } } }),
]);
const serving = (name: string): Resource =>
  aModel('ml/q', {
    engines: [
      {
        name: 'main',
        members: [
          aMember({
            template: {
              spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args: [`--model=${name}`] }] },
            },
          }),
        ],
      },
    ],
  });
const spread = [
  aClass('h100'),
  ...['us', 'eu'].map((name) => aSite(name, { pools: { h100: { nodeCount: 4 } } })),
  aDoor(['us', 'eu']),
];
const scaled = (max: number) =>
  aModel('ml/q', { engines: [anEngine('main', { copies: { min: 1, max }, scaling: { on: [{ queue: 4 }] } })] });
const on = (name: string, nodeCount: number) => aCluster(name, { pools: { h100: { nodeCount } } });
const model = (replicas: number) => aModel('ml/q', { replicas, ...engine(8) });
const renamed: Resource = { ...model(2), metadata: { ...model(2).metadata, name: 'p' } };

const sized = aClass('h100', { node: { allocatable: { cpu: '100', memory: '1000Gi' } } });
const queued = (queue: string) =>
  aCluster('us', { pools: { h100: { nodeCount: 4 } }, scheduler: { type: 'Kueue', queue, manage: true } });
const shared = aCluster('us', {
  pools: { h100: { nodeCount: 4 } },
  storage: { sharedFilesystem: { storageClassName: 'nfs' } },
});
const weights = aCache('ml/w', { huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) } });
const OTHER_H100 = aClass('h100', { devices: [gpus(8, { deviceClassName: 'other.example.com' })] });

/** Nodes with a price, and a pool without one that is empty until it grows. */
const partlyPriced = (nodeCount: number) => [
  aClass('h100', { price: { perHour: 10 } }),
  aClass('l4'),
  aCluster('us', {
    pools: { h100: { nodeCount }, l4: { className: 'l4', nodeCount: 0, minNodeCount: 0, maxNodeCount: 4 } },
  }),
];

function comment(before: Resource[], after: Resource[]): string {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
}

const inThree = (gpus: number) => aModel('ml/q', { replicas: 3, ...engine(gpus) });

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string }> = {
  'names no GPUs where only some replicas restart with others': {
    before: [aClass('h100'), on('us', 1), on('eu', 1), inThree(4)],
    after: [aClass('h100'), on('us', 1), on('eu', 1), inThree(2)],
    want: 'Restarts 1 replica of `ml/q` (count 4 → 2), and moves 2 replicas of `ml/q` (eu → us, within us). ',
  },
  'says who gets all requests of a service': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base, stable, next, aSplit('ml/chat', [to({ track: 'next' })])],
    want: 'ends all requests for the service `ml/chat` to `ml/next` (5 % before)',
  },
  'says who gets more requests of a service': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base, stable, next, split(3, 1)],
    want: 'ends 25 % instead of 5 % of the requests for the service `ml/chat` to `ml/next`',
  },
  'names the cluster where only the division of a share among clusters changes': {
    before: [...spread, stable, next, split(19, 1)],
    after: [...spread, aModel('ml/chat', { replicas: 3, replicaLabels: { track: 'stable' } }), next, split(38, 2)],
    want: 'ends 63 % instead of 48 % of the requests for the service `ml/chat` to `ml/chat` on `us`',
  },
  'says the share on all clusters where that changes, also if clusters change too': {
    before: [...spread, stable, next, split(19, 1)],
    after: [...spread, aModel('ml/chat', { replicas: 3, replicaLabels: { track: 'stable' } }), next, split(3, 1)],
    want: 'ends 25 % instead of 5 % of the requests for the service `ml/chat` to `ml/next`, and adds ',
  },
  'counts one replica of each of several deployments': {
    before: [...base, stable, next],
    after: [...base, aModel('ml/chat', { replicas: 3 }), aModel('ml/next', { replicas: 2 })],
    want: 'dds 1 replica each of `ml/chat` and `ml/next`. ',
  },
  'names all services that lose a host once': {
    before: [...base, stable, aSplit('ml/a', [to({ track: 'stable' })]), aSplit('ml/b', [to({ track: 'stable' })])],
    after: [
      ...base.slice(0, 2),
      aDoor(['us'], { hostname: 'new.example.com' }),
      stable,
      aSplit('ml/a', [to({ track: 'stable' })]),
      aSplit('ml/b', [to({ track: 'stable' })]),
    ],
    want: 'hanges the host of `ml/a` and `ml/b` from ',
  },
  'says which model replicas restart for': {
    before: [aClass('h100'), on('us', 2), serving('Qwen/Qwen3-8B')],
    after: [aClass('h100'), on('us', 2), serving('Qwen/Qwen3-0.6B')],
    want: '| 1 restarted with downtime, about 2 to 9 min: model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B |',
  },
  'says that requests go where the others go once a condition on them is gone': {
    before: [...base, stable, next, conditional],
    after: [...base, stable, next, split(19, 1)],
    want: 'Sends requests for the service `ml/chat` with `x-track: next` where its other requests go. Cost unchanged.',
  },
  'says where requests go that a new condition selects': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base, stable, next, conditional],
    want: 'with `x-track: next` to `ml/next` instead of where its other requests go',
  },
  'says that a deployment gets another name, and that no replica serves for a time': {
    before: [aClass('h100'), on('us', 4), model(2)],
    after: [aClass('h100'), on('us', 4), renamed],
    want: 'enames `ml/q` to `ml/p` with **downtime of about 2 to 17 minutes**. ',
  },
  'says of a former name that none of its replicas serves for a time': {
    before: [aClass('h100'), on('us', 4), model(2)],
    after: [aClass('h100'), on('us', 4), renamed],
    want: '| `ml/q` → `ml/p` | 2 | 16 | renamed, down for about 2 to 17 min; 2 added; 2 removed | :warning: 0 of 2 |',
  },
  'says that a cluster goes, and that a replica moves off it with downtime': {
    before: [aClass('h100'), on('eu', 1), on('us', 1), model(1)],
    after: [aClass('h100'), on('us', 1), model(1)],
    want: 'Moves 1 replica of `ml/q` from eu to us with **downtime of about 2 to 17 minutes**, ',
  },
  'says that a replica that is evicted fits nowhere else': {
    before: [aClass('h100'), on('us', 2), model(2)],
    after: [aClass('h100'), on('us', 1), model(2)],
    want: 'victs 1 of 2 replicas of `ml/q`, which fits nowhere else, and declares 1 node instead of 2 in the node pool `us/h100`. ',
  },
  'says that no replica serves while one alone restarts': {
    before: [aClass('h100'), on('us', 2), serving('Qwen/Qwen3-8B')],
    after: [aClass('h100'), on('us', 2), serving('Qwen/Qwen3-0.6B')],
    want: 'estarts 1 replica of `ml/q` with **downtime of about 2 to 9 minutes** (model ',
  },
  'says that a cluster loses its last replica': {
    before: [aClass('h100'), on('eu', 1), on('us', 1), model(2)],
    after: [aClass('h100'), on('eu', 1), on('us', 1), model(1)],
    want: 'leaves `us` without replicas',
  },
  'says why replicas restart where one other declaration is the cause': {
    before: [aClass('h100'), on('us', 4), model(4)],
    after: [aClass('h100', { devices: [gpus(8, { deviceClassName: 'other.example.com' })] }), on('us', 4), model(4)],
    want: 'estarts 4 replicas of `ml/q` one replica at a time, because class `h100` changed (deviceClassName gpu.nvidia.com → other.example.com)',
  },
  'says that a cluster with a taint takes no new replicas': {
    before: [aClass('h100'), on('us', 1), model(1)],
    after: [
      aClass('h100'),
      aCluster('us', { pools: { h100: { nodeCount: 1 } }, taints: [{ key: 'power', effect: 'NoSchedule' }] }),
      model(1),
    ],
    want: 'akes no new replicas on `us` (taint power:NoSchedule)',
  },
  'says that the taint of a pool keeps off no replicas': {
    before: [aClass('h100'), on('us', 1), model(1)],
    after: [
      aClass('h100'),
      aCluster('us', { pools: { h100: { nodeCount: 1, taints: [{ key: 'power', effect: 'NoSchedule' }] } } }),
      model(1),
    ],
    want: 'eeps pods of other tools off the node pool `h100` of `us` (taint power:NoSchedule, which replicas tolerate)',
  },
  'says that a cluster is paused': {
    before: [aClass('h100'), on('us', 1), model(1)],
    after: [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 1 } }, paused: true }), model(1)],
    want: 'auses `us`. ',
  },
  'says in which order rollouts replace pods': {
    before: [aClass('h100'), on('us', 2), model(1)],
    after: [aClass('h100'), on('us', 2), aModel('ml/q', { replicas: 1, ...engine(8), rollout: { surge: 1 } })],
    want: 'ollouts of `ml/q` start the new pod first. The surge of `ml/q` reserves 8 GPUs of us/h100, idle between rollouts.',
  },
  'says that a deployment is placed before others': {
    before: [aClass('h100'), on('us', 2), model(1)],
    after: [aClass('h100'), on('us', 2), aModel('ml/q', { replicas: 1, ...engine(8), priority: 100 })],
    want: 'aises the priority of `ml/q` from 0 to 100. ',
  },
  'says that rollouts accept downtime from now on': {
    before: [aClass('h100'), on('us', 2), model(1)],
    after: [aClass('h100'), on('us', 2), aModel('ml/q', { replicas: 1, ...engine(8), rollout: 'Recreate' })],
    want: 'ollouts of `ml/q` stop all old pods first from now on, whose downtime the gate no longer refuses. ',
  },
  'says that rollouts accept downtime no longer': {
    before: [aClass('h100'), on('us', 2), aModel('ml/q', { replicas: 1, ...engine(8), rollout: 'Recreate' })],
    after: [aClass('h100'), on('us', 2), model(1)],
    want: 'ollouts of `ml/q` no longer stop all pods at once, and downtime is refused again. ',
  },
  'says that replicas on several clusters restart one after the other': {
    before: [aClass('h100'), on('eu', 1), on('us', 1), model(2)],
    after: [OTHER_H100, on('eu', 1), on('us', 1), model(2)],
    want: 'estarts 2 replicas of `ml/q` one replica after the other, cluster by cluster, because class `h100` changed',
  },
  'says that no replica serves where clusters with one replica each are applied independently': {
    before: [aClass('h100'), on('eu', 1), on('us', 1), model(2)],
    after: [OTHER_H100, on('eu', 1), on('us', 1), model(2)],
    want: '| Pulumi: ≥ 1 of 2<br>Argo CD, Flux, kubectl: 0 |',
  },
  'says how many replicas serve for each way to apply a change': {
    before: [aClass('h100'), on('eu', 2), on('us', 2), model(4)],
    after: [OTHER_H100, on('eu', 2), on('us', 2), model(4)],
    want: '| Pulumi: ≥ 3 of 4<br>Argo CD: ≥ 2 of 4<br>Flux, kubectl: 0 |',
  },
  'names an ingress gateway that a cluster loses': {
    before: [
      aClass('h100'),
      aSite('us', { pools: { h100: { nodeCount: 4 } } }),
      aSite('eu', { pools: { h100: { nodeCount: 4 } } }),
      aDoor(['us', 'eu']),
      stable,
      next,
      split(19, 1),
    ],
    after: [
      aClass('h100'),
      aSite('us', { pools: { h100: { nodeCount: 4 } } }),
      aSite('eu', { pools: { h100: { nodeCount: 4 } } }),
      aDoor(['us']),
      stable,
      next,
      split(19, 1),
    ],
    want: 'emoves the ingress gateway `default` on `eu`',
  },
  'names a queue that is deleted': {
    before: [sized, queued('inference'), model(2)],
    after: [sized, queued('training'), model(2)],
    want: 'eletes the ClusterQueue `inference` on `us`',
  },
  'names a cache of which the volume claim is no longer needed, because not every tool deletes it': {
    before: [aClass('h100'), shared, weights, aDeployment('ml/q', { cache: 'w' })],
    after: [aClass('h100'), shared, weights, aDeployment('ml/q')],
    want: 'o longer needs the volume claim of the cache `ml/w` on `us` (it is deleted with its files where manifests are pruned; Argo CD, Flux: `prune: true`)',
  },
  'shows shares of clusters as parts of the share of a target': {
    before: [...spread, stable, next, split(19, 1)],
    after: [...spread, stable, next, split(1, 1)],
    want: '| `ml/chat` | of which on `eu` (1 replica) | 47.5 % | 25.0 % |',
  },
  'says of a small shift that shares change by less than a percentage point': {
    before: [...spread, stable, next, split(199, 1)],
    after: [...spread, stable, next, split(198, 1)],
    want: 'but no replica and no share of requests by a percentage point or more. ',
  },
  'says with how many copies a replica has no place any more': {
    before: [aClass('h100'), aCluster('us', { pools: { h100: {} }, monitoring: {} }), scaled(8)],
    after: [aClass('h100'), aCluster('us', { pools: { h100: {} }, monitoring: {} }), scaled(9)],
    want: 'victs the only replica of `ml/q`, which fits nowhere with 1 to 9 copies instead of 1 to 8. ',
  },
  'says what objects change, where nothing else does': {
    before: [...base, model(1)],
    after: [
      ...base.filter(({ kind }) => kind !== 'InferenceCluster'),
      aSite('us', { pools: { h100: { nodeCount: 4 } }, monitoring: {} }),
      model(1),
    ],
    want: 'Creates 3 objects (2 PrometheusRule, 1 PodMonitor), but changes no replica and no share of requests. ',
  },
  'says that the cost stays': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base, stable, next, split(3, 1)],
    want: '. Cost unchanged.',
  },
};

describe('a comment', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(comment(before, after)).toContain(want);
  });

  test('says in its first sentence that Kueue rejects a change', () => {
    const { plan } = state('here', base).decision;
    const warnings = [warningAt('rejected-change', 'a.yaml:1:1', 'Kueue rejects another queue', 'Keep the queue')];
    const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
    expect(formatPullRequestComment(diff(base, base), { ...plan, warnings }, context)).toContain(
      'hanges workloads in a way that Kueue rejects while their pods are ready',
    );
  });

  test('says that nothing changes until an error is corrected, and what goes then', () => {
    const [before, after] = [[...base, aClass('l4')], base];
    const problems = [errorAt('contradiction', 'a.yaml:1:1', 'the limit is lower', 'Raise it')];
    const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [], problems };
    expect(formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context)).toContain(
      '\nChanges nothing that runs until the error is corrected, then removes `InferenceClass l4`. Cost unchanged.\n',
    );
  });

  test('counts no pool without a price that does not change, and names a lower bound once', () => {
    const text = comment(partlyPriced(1), partlyPriced(2));
    expect(text).toContain('Cost: **+$7,300 a month**.');
    expect(text).toContain('| **≥ $7,300** | **≥ $14,600** | **+$7,300** |');
  });
});
