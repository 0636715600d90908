import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { aCache, aClass, aCluster, aDeployment, aMember, anEngine, type Doc, gpus, parsed } from '../api/build';
import { diff } from './build';

const H100 = aClass('h100');
/** There is no room for two replicas. */
const us = aCluster('us', { pools: { h100: 1 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } });

/** A deployment of a prefill and a decode engine, each of which takes 2 GPUs a copy. */
function pair(more: { copies?: number; decode?: Doc; args?: string[]; env?: object[] } & Doc = {}): Resource {
  const { copies = 1, decode = {}, args = ['Qwen/Qwen3-8B'], env = [], ...spec } = more;
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args, env };
  const members = [aMember({ gpus: 2, template: { spec: { containers: [container] } } })];
  const engines = [anEngine('prefill', { copies, members }), anEngine('decode', { members, ...decode })];
  return aDeployment('ml/q', { engines, ...spec });
}

const adapter = (name: string): Resource => weights({ content: 'LoRA', sizeGiB: 1 }, name);

/** A deployment whose engine loads adapters from caches. */
function withAdapters(...caches: string[]): Resource {
  const loraAdapters = caches.map((name) => ({ name, modelCacheRef: { name } }));
  return pair({ args: ['Qwen/Qwen3-8B', '--enable-lora'], loraAdapters });
}

function weights(more: Doc, name = 'w'): Resource {
  return aCache(`ml/${name}`, { huggingFace: { repo: 'Qwen/Qwen3-8B' }, sizeGiB: 20, ...more });
}

/** The fields that a change of the only replica comes from. */
function causesOf(before: readonly Resource[], after: readonly Resource[]): string[] {
  const [change] = diff(before, after).deployments.flatMap(({ changes }) => changes);
  return (change?.causes ?? []).map(({ id, field }) => `${id.split(' ')[0]} ${field?.field.split('.').at(-1)}`);
}

describe('the edits that a replica is placed or restarts for', () => {
  const SLOW = { drain: { grace: '15m' } };
  const FAST = { drain: { grace: '5m' } };
  const FLEET = [H100, us];
  const [A, B] = ['A', 'B'].map((name) => ({ name, value: '1' })) as [object, object];
  const cases: Record<string, { before: readonly Resource[]; after: readonly Resource[]; want: string[] }> = {
    'are not copies next to another grace': {
      before: [...FLEET, pair({ decode: SLOW })],
      after: [...FLEET, pair({ decode: FAST, copies: 2 })],
      want: ['ModelDeployment grace'],
    },
    'are all that change pods': {
      before: [...FLEET, pair({ decode: SLOW })],
      after: [...FLEET, pair({ decode: FAST, args: ['Qwen/Qwen3-14B'] })],
      want: ['ModelDeployment args', 'ModelDeployment grace', 'ModelDeployment args'],
    },
    'are not copies next to a variable that is gone': {
      before: [...FLEET, pair({ env: [A, B] })],
      after: [...FLEET, pair({ env: [B], copies: 2 })],
      want: ['ModelDeployment env[A]', 'ModelDeployment env[A]'],
    },
    'are the size of a cache and not its second part': {
      before: [...FLEET, weights({ sizeGiB: 20 }), pair({ cache: 'w' })],
      after: [...FLEET, weights({ sizeGiB: 40, labels: { team: 'a' } }), pair({ cache: 'w' })],
      want: ['ModelCache sizeGiB'],
    },
    'are another cache, which is new': {
      before: [...FLEET, weights({}), pair({ cache: 'w' })],
      after: [...FLEET, weights({}), weights({}, 'x'), pair({ cache: 'x', copies: 2 })],
      want: ['ModelDeployment name', 'ModelCache undefined'],
    },
    'are an adapter, and the cache of it that is new': {
      before: [...FLEET, adapter('w'), withAdapters('w')],
      after: [...FLEET, adapter('w'), adapter('x'), withAdapters('w', 'x')],
      want: ['ModelDeployment loraAdapters[x]', 'ModelCache undefined'],
    },
    'are not the size of a pool that it does not use': {
      before: [
        H100,
        aCluster('us', { pools: { h100: 2, other: { className: 'h100', nodeCount: 1 } } }),
        pair({ replicas: 0 }),
      ],
      after: [H100, aCluster('us', { pools: { h100: 3, other: { className: 'h100', nodeCount: 2 } } }), pair()],
      want: ['ModelDeployment replicas', 'InferenceCluster nodeCount'],
    },
    'are not a pool of a new class': {
      before: [H100, aCluster('us', { pools: { h100: 1 } }), pair()],
      after: [
        H100,
        aClass('l4'),
        aCluster('us', { pools: { h100: 1, l4: { className: 'l4', nodeCount: 1 } } }),
        pair({ args: ['Qwen/Qwen3-14B'] }),
      ],
      want: ['ModelDeployment args', 'ModelDeployment args'],
    },
    'are the copies alone where the new shape has room next to the old one': {
      before: [H100, aCluster('us', { pools: { h100: 4 } }), pair({ decode: SLOW })],
      after: [H100, aCluster('us', { pools: { h100: 4 } }), pair({ decode: FAST, copies: 2 })],
      want: ['ModelDeployment copies'],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(causesOf(before, after)).toEqual(want);
  });
});

describe('the edits that a replica leaves its cluster for', () => {
  const ROOM = { pools: { h100: { nodeCount: 2 } } };
  const LOST = [{ key: 'lost', effect: 'NoExecute' }];
  const DRAINED = [{ key: 'maintenance', effect: 'NoExecute' }];
  const [tolerated, other] = ['maintenance', 'other'].map((key) => ({ tolerations: [{ key, operator: 'Exists' }] }));
  const inEu = { clusterSelector: { matchLabels: { region: 'eu' } } };
  const inUs = { clusterSelector: { matchLabels: { region: 'us' } } };
  const cluster = (more: Doc = {}): Resource => aCluster('us', { ...ROOM, ...more });
  const placed = (placement: Doc): Resource => {
    const { spec } = pair() as ModelDeployment;
    return parsed('ModelDeployment', 'ml/q', { ...spec, placement });
  };
  const eu = aCluster('eu', { ...ROOM, labels: { region: 'eu' } });
  const cases: Record<string, { before: readonly Resource[]; after: readonly Resource[]; want: string[] }> = {
    'are the loss of the cluster, and not a looser rule of placement': {
      before: [H100, cluster(), placed({ spreadBy: 'cluster', minDomains: 1 })],
      after: [H100, cluster({ taints: LOST }), placed({ spreadBy: 'cluster' })],
      want: ['InferenceCluster taints[0]'],
    },
    'are the loss of the cluster, and not a toleration, which does not cover it': {
      before: [H100, cluster(), pair()],
      after: [H100, cluster({ taints: LOST }), pair({ tolerations: [{ key: 'lost', operator: 'Exists' }] })],
      want: ['InferenceCluster taints[0]'],
    },
    'are the taint that drains it, and not the toleration of another one': {
      before: [H100, cluster(), pair()],
      after: [H100, cluster({ taints: DRAINED }), pair(other)],
      want: ['InferenceCluster taints[0]'],
    },
    'are a toleration that is gone, and not what else changes on the cluster': {
      before: [H100, cluster({ taints: DRAINED }), pair(tolerated)],
      after: [H100, cluster({ taints: DRAINED, labels: { region: 'us' } }), pair()],
      want: ['ModelDeployment tolerations[0]'],
    },
    'are the taint that drains it, and not what would move it for another reason': {
      before: [H100, cluster(), aCluster('west', ROOM), pair()],
      after: [H100, cluster({ taints: DRAINED }), aCluster('west', ROOM), pair({ copies: 2 })],
      want: ['InferenceCluster taints[0]'],
    },
    'are devices that no longer match, and not a priority': {
      before: [H100, cluster(), pair()],
      after: [aClass('h100', { devices: [gpus(1)] }), cluster(), pair({ priority: 1 })],
      want: ['InferenceClass count'],
    },
    'are a selector alone, next to a taint that it tolerates': {
      before: [H100, eu, cluster({ labels: { region: 'us' } }), pair({ ...inUs, ...tolerated })],
      after: [H100, eu, cluster({ labels: { region: 'us' }, taints: DRAINED }), pair({ ...inEu, ...tolerated })],
      want: ['ModelDeployment region'],
    },
    'are all where none alone does it': {
      before: [H100, cluster(), pair(tolerated)],
      after: [H100, cluster({ taints: DRAINED }), pair()],
      want: ['ModelDeployment tolerations[0]', 'InferenceCluster taints[0]'],
    },
    'are each that alone does it': {
      before: [H100, eu, cluster({ labels: { region: 'us' } }), pair(inUs)],
      after: [H100, eu, cluster({ labels: { region: 'asia' } }), pair(inEu)],
      want: ['ModelDeployment region', 'InferenceCluster region'],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(causesOf(before, after)).toEqual(want);
  });
});
