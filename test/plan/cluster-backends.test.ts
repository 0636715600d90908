import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatPlan } from '../../src/report/plan/plan-text';
import { EMPTY_LOCK, formatLock } from '../../src/scheduler/lock/lock';
import { parseLock } from '../../src/scheduler/lock/parse-lock';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc, MACHINES } from '../api/build';
import { aGang, aPair, kserveCluster, withArgs } from '../render/kserve/build';

const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE } });
const NATIVE = aCluster('gke', { source: 'GKE', pools: { h100: 4 } });
const POD = aDeployment('ml/qwen3', { engines: [anEngine('main')] });

const decideOn = (lock = EMPTY_LOCK, ...resources: Resource[]) => decide(assemble([H100, ...resources]), byPath, lock);

/** The reason against the only cluster, or undefined where the deployment has a place. */
function reasonAgainst(...resources: Resource[]): string | undefined {
  const text = formatPlan(decideOn(EMPTY_LOCK, ...resources).plan, 'fleet');
  return / {2}backend {3}(.*)/.exec(text)?.[1];
}

const PIPELINE = ['Qwen/Qwen3-235B', '--tensor-parallel-size=8', '--pipeline-parallel-size=2'];
const kueueless = (type: string): Doc => ({ scheduler: { type, queue: 'inference' } });

const reasons: Record<string, { on?: Resource; deployment: Resource; want: string | undefined }> = {
  'a pod runs where KServe can replace it as declared': { deployment: POD, want: undefined },
  'a pod without surge needs a later version': {
    on: kserveCluster('0.20'),
    deployment: POD,
    want: 'rollout.surge 0 of engine main needs KServe 0.21, and the cluster runs 0.20; rollout.surge 1 works with it',
  },
  'a pod with surge runs on earlier versions': {
    on: kserveCluster('0.17.1'),
    deployment: aDeployment('ml/qwen3', { rollout: { surge: 1 } }),
    want: undefined,
  },
  'four copies with surge need a later version: earlier ones also stop one of them': {
    on: kserveCluster('0.20'),
    deployment: aDeployment('ml/qwen3', { rollout: { surge: 1 }, engines: [anEngine('main', { copies: 4 })] }),
    want: 'rollout.surge 1 of engine main needs KServe 0.21, and the cluster runs 0.20',
  },
  'a gang without surge runs on earlier versions': {
    on: kserveCluster('0.20'),
    deployment: aDeployment('ml/qwen3', { engines: [aGang('main', PIPELINE)] }),
    want: undefined,
  },
  'a gang with surge needs a later version': {
    on: kserveCluster('v0.19.0'),
    deployment: aDeployment('ml/qwen3', { rollout: { surge: 1 }, engines: [aGang('main', PIPELINE)] }),
    want: 'rollout.surge 1 of engine main needs KServe 0.21, and the cluster runs v0.19.0; rollout.surge 0 works with it',
  },
  'a version of the future has everything': { on: kserveCluster('1.0'), deployment: POD, want: undefined },
  'two engines that are no pair have no form': {
    deployment: aDeployment('ml/two', { engines: [anEngine('chat'), anEngine('embed')] }),
    want: 'KServe runs one engine, or one pair of prefill and decode, as a service, not chat, embed',
  },
  'a pair of two gangs has a form': {
    deployment: aPair(aGang('prefill', PIPELINE), aGang('decode', PIPELINE)),
    want: undefined,
  },
  'tensor parallelism over nodes has none': {
    deployment: aDeployment('ml/wide', { engines: [aGang('main', ['Qwen/Qwen3-235B', '--tensor-parallel-size=16'])] }),
    want: 'engine main divides its model by tensor parallelism over 2 nodes, which KServe cannot without pipeline or data parallelism',
  },
  'fewer pipeline stages than nodes have none': {
    deployment: aDeployment('ml/wide', { engines: [aGang('main', PIPELINE, { workers: 3 })] }),
    want: 'engine main has 2 pipeline stages on 4 nodes, and KServe runs one on each node',
  },
  'data ranks that nodes cannot share evenly have none': {
    deployment: aDeployment('ml/wide', {
      engines: [aGang('main', ['Qwen/Qwen3-235B', '--tensor-parallel-size=8', '--data-parallel-size=3'])],
    }),
    want: 'engine main has 3 data ranks on 2 nodes, and KServe runs as many on each node',
  },
  'labels that KServe selects by are taken': {
    deployment: aDeployment('ml/qwen3', { replicaLabels: { 'app.kubernetes.io/part-of': 'search' } }),
    want: 'pods have the label app.kubernetes.io/part-of, by which KServe selects them',
  },
  'a leader and workers have the same annotations': {
    deployment: aDeployment('ml/qwen3', {
      engines: [
        {
          name: 'main',
          members: [
            withArgs(PIPELINE, { role: 'Leader', metadata: { annotations: { 'example.com/mesh': 'off' } } }),
            withArgs(PIPELINE, { role: 'Worker' }),
          ],
        },
      ],
    }),
    want: 'the leader and the workers of engine main have different annotations, and KServe gives both the same',
  },
  'KAI does not see the gangs of a service': {
    on: kserveCluster('0.21', kueueless('KAI')),
    deployment: aDeployment('ml/qwen3', { engines: [aGang('main', PIPELINE)] }),
    want: 'KAI does not recognize the gangs of engine main that KServe makes, so that they can start in part',
  },
  'Kueue does': {
    on: kserveCluster('0.21', kueueless('Kueue')),
    deployment: aDeployment('ml/qwen3', { engines: [aGang('main', PIPELINE)] }),
    want: undefined,
  },
  'a pod would change the presets of others in its namespace': {
    on: kserveCluster('0.21', { backend: { type: 'KServe', version: '0.21', sharedNamespaces: ['ml'] } }),
    deployment: POD,
    want: 'namespace ml has services of other teams, and the presets of KServe that an engine of one pod needs would apply to these too: use another namespace, or a gang',
  },
  'a gang over a pipeline needs no preset of others': {
    on: kserveCluster('0.21', { backend: { type: 'KServe', version: '0.21', sharedNamespaces: ['ml'] } }),
    deployment: aDeployment('ml/qwen3', { engines: [aGang('main', PIPELINE)] }),
    want: undefined,
  },
  'an engine that requires KServe does not run on Kubernetes alone': {
    on: NATIVE,
    deployment: aDeployment('ml/qwen3', { engines: [anEngine('main', { requires: { backend: 'KServe' } })] }),
    want: 'engine main requires KServe, and the cluster runs Native',
  },
  'an engine that requires Kubernetes alone does not run on KServe': {
    deployment: aDeployment('ml/qwen3', { engines: [anEngine('main', { requires: { backend: 'Native' } })] }),
    want: 'engine main requires Native, and the cluster runs KServe',
  },
};

test.each(Object.entries(reasons))('a plan says why a cluster cannot run engines: %s', (_, row) => {
  expect(reasonAgainst(row.on ?? kserveCluster(), row.deployment)).toBe(row.want);
});

const before = (...resources: Resource[]) => decideOn(EMPTY_LOCK, ...resources).lock;

describe('a cluster that changes to KServe', () => {
  test('gets new replicas before the old ones leave, which stay as they are', () => {
    const { lock, replicas, plan } = decideOn(before(NATIVE, POD), kserveCluster(), POD);
    expect(lock.placements.map(({ index, backend, draining }) => [index, backend, draining])).toEqual([
      [0, undefined, true],
      [1, 'KServe', undefined],
    ]);
    expect(replicas.map(({ index, backend }) => [index, backend])).toEqual([
      [0, 'Native'],
      [1, undefined],
    ]);
    const text = formatPlan(plan, 'fleet');
    expect(text).toContain('from gke/0, serving until it is finalized: the cluster changes from Native to KServe');
  });

  test('replaces replicas with downtime where both have no room', () => {
    const full = aDeployment('ml/qwen3', { engines: [anEngine('main', { gpus: 8, copies: 4 })] });
    const { lock, plan } = decideOn(before(NATIVE, full), kserveCluster(), full);
    expect(lock.placements.map(({ index, backend, draining }) => [index, backend, draining])).toEqual([
      [0, 'KServe', undefined],
    ]);
    expect(formatPlan(plan, 'fleet')).toContain('the cluster changes from Native to KServe, and there is no room');
  });

  test('keeps its replicas while it is paused', () => {
    const { lock } = decideOn(before(NATIVE, POD), kserveCluster('0.21', { paused: true }), POD);
    expect(lock.placements.map(({ backend, draining }) => [backend, draining])).toEqual([[undefined, undefined]]);
  });

  test('does not move replicas when its version changes', () => {
    const lock = before(kserveCluster('0.21'), POD);
    expect(decideOn(lock, kserveCluster('0.22'), POD).lock).toEqual(lock);
  });

  test('is read from a lock as it was written', () => {
    const { lock } = decideOn(before(NATIVE, POD), kserveCluster(), POD);
    const text = formatLock(lock);
    expect(text).toContain('backend: KServe}');
    expect(parseLock(text, 'fleet.lock.yaml').placements).toEqual(lock.placements);
  });
});
