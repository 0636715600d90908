import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatPlan } from '../../src/report/plan/plan-text';
import { createRendererSelector } from '../../src/render/renderers';
import { EMPTY_LOCK, formatLock } from '../../src/scheduler/lock/lock';
import { parseLock } from '../../src/scheduler/lock/parse-lock';
import { aClass, aCluster, aDeployment, byPath, MACHINES } from '../api/build';
import { aGang, aGraph, aWorker, aWorkerMember, dynamoCluster, GRAPH } from '../render/dynamo/build';
import { kserveCluster } from '../render/kserve/build';

const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE } });
const NATIVE = aCluster('gke', { source: 'GKE', pools: { h100: 4 } });

const decideOn = (lock = EMPTY_LOCK, ...resources: Resource[]) => decide(assemble([H100, ...resources]), byPath, lock);

/** The reason against the only cluster, or undefined where the deployment has a place. */
function reasonAgainst(...resources: Resource[]): string | undefined {
  const text = formatPlan(decideOn(EMPTY_LOCK, ...resources).plan, 'fleet');
  return / {2}backend {3}(.*)/.exec(text)?.[1];
}

const queued = (type: string) => dynamoCluster('1.6', { scheduler: { type, queue: 'inference' } });
const KAI = queued('KAI');
const sglang = [aWorkerMember(['--model-path=a/b'], { container: { command: ['python3', '-m', 'dynamo.sglang'] } })];

const reasons: Record<string, { on?: Resource; deployment: Resource; want: string | undefined }> = {
  'a graph runs on Dynamo': { deployment: GRAPH, want: undefined },
  'a graph does not run on Kubernetes alone': {
    on: NATIVE,
    deployment: GRAPH,
    want: 'engine worker requires Dynamo, and the cluster runs Native',
  },
  'a graph does not run on KServe': {
    on: kserveCluster(),
    deployment: GRAPH,
    want: 'engine worker requires Dynamo, and the cluster runs KServe',
  },
  'a plain engine is not converted': {
    deployment: aDeployment('ml/plain'),
    want: 'Dynamo runs its own workers only, and main does not have runtime Dynamo',
  },
  'a gang runs on Dynamo': { deployment: aGraph([aGang()]), want: undefined },
  'a gang with claims needs an operator that counts their devices': {
    on: dynamoCluster('1.5'),
    deployment: aGraph([aGang()]),
    want: 'the gang of engine worker with resource claims needs Dynamo 1.6, and the cluster runs 1.5',
  },
  'a single pod with claims does not': { on: dynamoCluster('1.3'), deployment: GRAPH, want: undefined },
  'a version of the future has everything': {
    on: dynamoCluster('2.0'),
    deployment: aGraph([aGang()]),
    want: undefined,
  },
  'leader and workers have one template': {
    deployment: aGraph([aGang('worker', { worker: { env: [{ name: 'A', value: 'b' }] } })]),
    want: 'the leader and the workers of engine worker have different variables, and Dynamo has one template for both',
  },
  'workers have one framework': {
    deployment: aGraph([
      aWorker('prefill', { phase: 'Prefill' }),
      aWorker('decode', { phase: 'Decode', members: sglang }),
    ]),
    want: 'workers run sglang, vllm, and a graph has one framework',
  },
  'copies are a number': {
    on: dynamoCluster('1.6', { monitoring: {} }),
    deployment: aGraph([aWorker('worker', { copies: { min: 1, max: 2 }, scaling: { on: [{ queue: 4 }] } })]),
    want: 'the copies of engine worker have bounds, and Dynamo scales its components itself',
  },
  'labels of the operator are its own': {
    deployment: aGraph([aWorker()], { replicaLabels: { 'nvidia.com/dynamo-namespace': 'a' } }),
    want: 'pods have nvidia.com/dynamo-namespace, which Dynamo sets',
  },
  'Grove does not surge': {
    deployment: aGraph([aGang()], { rollout: { surge: 1 } }),
    want: 'rollout.surge 1 is not available with Grove, which removes one pod before it adds one',
  },
  'Deployments do, unless KAI needs Grove': {
    on: KAI,
    deployment: aGraph([aWorker()], { rollout: { surge: 1 } }),
    want: 'rollout.surge 1 is not available with Grove, which removes one pod before it adds one',
  },
  'Deployments of one pod are recreated in their way': {
    deployment: aGraph([aWorker()], { rollout: 'Recreate' }),
    want: undefined,
  },
  'KAI has queues for graphs': { on: KAI, deployment: GRAPH, want: undefined },
  'Kueue has none': {
    on: queued('Kueue'),
    deployment: GRAPH,
    want: 'workloads that Dynamo makes are not in a queue of Kueue',
  },
  'names of engines leave room for that of the graph': {
    deployment: aGraph([aGang('worker-of-a-large-model')]),
    want: 'names of engines are too long for Dynamo, which joins them with the name of the graph',
  },
};

test.each(Object.entries(reasons))('a plan says why a cluster cannot run a graph: %s', (_, row) => {
  expect(reasonAgainst(row.on ?? dynamoCluster(), row.deployment)).toBe(row.want);
});

test('the frontend is charged CPU and memory on the pool that it selects', () => {
  const { replicas, lock } = decideOn(EMPTY_LOCK, dynamoCluster(), GRAPH);
  expect(lock.placements[0]!.pools).toEqual({ frontend: 'h100', worker: 'h100' });
  const frontend = replicas[0]!.engines.find(({ engine }) => engine.phase === 'Frontend')!;
  expect(frontend.members.map(({ claims, requests }) => [claims, requests])).toEqual([
    [[], { cpu: '1', memory: '2Gi' }],
  ]);
});

test('a lock records that Dynamo runs a replica, and is read as it was written', () => {
  const { lock } = decideOn(EMPTY_LOCK, dynamoCluster(), GRAPH);
  const text = formatLock(lock);
  expect(text).toContain('backend: Dynamo}');
  expect(parseLock(text, 'fleet.lock.yaml').placements).toEqual(lock.placements);
  expect(decideOn(lock, dynamoCluster('1.7'), GRAPH).lock).toEqual(lock);
});

test('a cluster and a deployment that change to Dynamo together get new replicas before the old ones leave', () => {
  const plain = aDeployment('ml/qwen3');
  const { lock } = decideOn(EMPTY_LOCK, NATIVE, plain);
  const former = [{ deployment: 'ml/qwen3', shape: lock.placements[0]!.shape, declared: plain, text: '{}' }];
  const fleet = assemble([H100, dynamoCluster(), GRAPH]);
  const { lock: next, replicas } = decide(fleet, byPath, lock, { notes: [], warnings: [], former });
  expect(next.placements.map(({ index, backend, draining }) => [index, backend, draining])).toEqual([
    [0, undefined, true],
    [1, 'Dynamo', undefined],
  ]);
  expect(replicas.map((replica) => createRendererSelector([])(replica).name)).toEqual(['Native', 'Dynamo']);
});
