import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { native } from '../../src/render/native';
import type { Renderer } from '../../src/render/renderer';
import { rendererContract } from '../../src/render/renderer-contract';
import { BUILT_IN_RENDERERS, createRendererSelector } from '../../src/render/renderers';
import type { ComputedReplica } from '../../src/replicas/replica';
import { aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { aReplica, gangWith, renamed, withContainer } from './build';
import { GRAPHS } from './dynamo/build';
import { ALL } from './kserve/build';

const cached = withContainer({}, { cache: 'weights' });
const several = aDeployment('web/qwen3', { engines: [anEngine('a', { copies: 3 }), anEngine('b')] });
const scaled = aDeployment('ml/scaled', {
  engines: [anEngine('main', { copies: { min: 1, max: 3 }, scaling: { on: [{ queue: 5 }] } })],
});

/** One set of deployments for all renderers: pods, gangs, pairs and graphs, with caches, adapters and copies that scale. */
const DEPLOYMENTS = [cached, renamed(gangWith({}), 'gang'), several, scaled, ...ALL, ...GRAPHS].map((one, i) =>
  renamed(one, `${one.metadata.name}-${i}`),
);

/** Two replicas of each deployment on a cluster. */
function replicasOn(cluster: InferenceCluster): ComputedReplica[] {
  return DEPLOYMENTS.flatMap((deployment) =>
    [0, 1].map((index) => aReplica(deployment, { cluster, index, here: 2, small: true })),
  );
}

const clusterWith = (more: Doc): InferenceCluster => {
  const existing = { secretRef: { name: 'kubeconfig' }, kubernetesVersion: '1.36.3' };
  return aCluster('eu', { cluster: { source: 'Existing', existing }, pools: { h100: 4 }, ...more });
};

const queued = (type: string): Doc => ({ scheduler: { type, queue: 'inference' } });
const LEVELS = { h100: { nodeCount: 4, topology: { levels: ['example.com/rack'] } } };

/** Clusters, and the renderer that takes replicas there. The first that does is the one that renders. */
const CLUSTERS: Record<string, { cluster: InferenceCluster; renderer: string }> = {
  'Kubernetes alone': { cluster: clusterWith({}), renderer: 'Native' },
  'a cluster without claims': { cluster: clusterWith({ dra: false }), renderer: 'Native' },
  'gangs of kube-scheduler': { cluster: clusterWith({ scheduler: { gangs: true } }), renderer: 'Native' },
  KAI: { cluster: clusterWith({ ...queued('KAI'), pools: LEVELS }), renderer: 'Native' },
  Kueue: { cluster: clusterWith(queued('Kueue')), renderer: 'Native' },
  Volcano: { cluster: clusterWith(queued('Volcano')), renderer: 'Native' },
  KServe: { cluster: clusterWith({ backend: { type: 'KServe', version: '0.21' } }), renderer: 'KServe' },
  'KServe before strategies for rollouts': {
    cluster: clusterWith({ backend: { type: 'KServe', version: '0.20' } }),
    renderer: 'KServe',
  },
  'KServe with Kueue': {
    cluster: clusterWith({ backend: { type: 'KServe', version: '0.21' }, ...queued('Kueue') }),
    renderer: 'KServe',
  },
  Dynamo: { cluster: clusterWith({ backend: { type: 'Dynamo', version: '1.6' } }), renderer: 'Dynamo' },
  'Dynamo with KAI': {
    cluster: clusterWith({ backend: { type: 'Dynamo', version: '1.6' }, ...queued('KAI') }),
    renderer: 'Dynamo',
  },
};

function rendererOf(name: string): Renderer {
  return BUILT_IN_RENDERERS.find((one) => one.name === name)!;
}

test('the table has each renderer of Fleetwright', () => {
  const named = new Set(Object.values(CLUSTERS).map(({ renderer }) => renderer));
  expect([...named].sort()).toEqual(BUILT_IN_RENDERERS.map(({ name }) => name).sort());
});

describe.each(Object.entries(CLUSTERS))('%s', (_, { cluster, renderer }) => {
  const replicas = replicasOn(cluster);

  test.each(rendererContract(rendererOf(renderer), replicas))('$name', (rule) => {
    expect(rule.violations()).toEqual([]);
  });

  test('pods of its objects that go anywhere are caught', () => {
    const loose = changing((one) => withoutSelectors(one), rendererOf(renderer));
    const rule = rendererContract(loose, replicas).find(({ name }) => name.startsWith('keeps every pod'));
    const taken = replicas.filter((replica) => loose.reject(replica) === undefined);
    expect(new Set(rule!.violations().map((violation) => violation.split(':')[0])).size).toBe(taken.length);
  });

  test('its renderer is the first of ours that takes a replica, and a house renderer comes before it', () => {
    const taken = replicas.filter((replica) => rendererOf(renderer).reject(replica) === undefined);
    const house = { ...native, name: 'house' };
    const chosen = taken.map((replica) => [[house], []].map((given) => createRendererSelector(given)(replica).name));
    expect(new Set(chosen.map((names) => names.join()))).toEqual(new Set([`house,${renderer}`]));
  });
});

const REPLICAS = [
  aReplica(cached),
  aReplica(cached, { index: 1 }),
  aReplica(renamed(gangWith({}), 'gang')),
  aReplica(several),
];

/** Ours, but for what a row breaks. */
function broken(change: Partial<Renderer>): Renderer {
  return { ...native, ...change };
}

/** One of ours, with each object changed. */
function changing(change: (manifest: Manifest, replica: ComputedReplica) => unknown, renderer = native): Renderer {
  return {
    ...renderer,
    render: (replica) => renderer.render(replica).map((one) => change(one, replica) as Manifest),
  };
}

/** An object without the node selectors of its pods. */
function withoutSelectors(manifest: Manifest): unknown {
  return JSON.parse(JSON.stringify(manifest, (key, value) => (key === 'nodeSelector' ? undefined : value)));
}

function withMeta(manifest: Manifest, metadata: object): unknown {
  return { ...manifest, metadata: { ...manifest.metadata, ...metadata } };
}

describe('a renderer is caught that', () => {
  let calls = 0;
  const cases: Record<string, { renderer: Renderer; rule: string; want: string }> = {
    'takes nothing': {
      renderer: broken({ reject: () => 'it is not for us' }),
      rule: 'takes at least one',
      want: 'Native takes none of 4',
    },
    'gives a sentence as its reason': {
      renderer: broken({ reject: () => 'It is not for us.' }),
      rule: 'says why',
      want: "ml/qwen3 gke/0: 'It is not for us.'",
    },
    'gives nothing': {
      renderer: broken({ render: () => [] }),
      rule: 'gives at least one object',
      want: 'ml/qwen3 gke/0: no object',
    },
    'remembers earlier calls': {
      renderer: changing((one) => withMeta(one, { name: `a${calls++}` })),
      rule: 'gives the same objects',
      want: 'ml/qwen3 gke/0: a second time it gives other objects',
    },
    'changes what it reads': {
      renderer: broken({
        render: (replica) => {
          (replica as { index: number }).index++;
          return [];
        },
      }),
      rule: 'leaves the replica',
      want: 'ml/qwen3 gke/1: it changes',
    },
    'leaves values absent': {
      renderer: changing((one) => ({ ...one, spec: { a: undefined } })),
      rule: 'gives plain data',
      want: 'ml/qwen3 gke/0: Service.spec.a is not plain data',
    },
    'computes no number': {
      renderer: changing((one) => ({ ...one, spec: { a: Number.NaN } })),
      rule: 'gives plain data',
      want: 'ml/qwen3 gke/0: Service.spec.a is NaN',
    },
    'gives a class of its own': {
      renderer: changing((one) => ({ ...one, spec: new Map() })),
      rule: 'gives plain data',
      want: 'ml/qwen3 gke/0: Service.spec is not plain data',
    },
    'names objects as Kubernetes does not': {
      renderer: changing((one) => withMeta(one, { name: 'My_Model' })),
      rule: 'gives every object an apiVersion',
      want: "ml/qwen3 gke/0: v1 Service 'My_Model'",
    },
    'forgets the kind': {
      renderer: changing((one) => ({ ...one, kind: '' })),
      rule: 'gives every object an apiVersion',
      want: "ml/qwen3 gke/0: v1  'qwen3-28b66b'",
    },
    'writes to another namespace': {
      renderer: changing((one) => withMeta(one, { namespace: 'default' })),
      rule: 'puts every object',
      want: "ml/qwen3 gke/0: Service qwen3-28b66b is in 'default'",
    },
    'forgets whose the objects are': {
      renderer: changing((one) => withMeta(one, { labels: {} })),
      rule: 'labels every object',
      want: 'ml/qwen3 gke/0: Service qwen3-28b66b has no label app.kubernetes.io/managed-by: fleetwright',
    },
    'names objects by their deployment alone': {
      renderer: changing((one, { index }) => ({
        ...(withMeta(one, { name: 'a' }) as Manifest),
        spec: { index },
      })),
      rule: 'never gives two different objects one name',
      want: "two different objects of kind Service would have the name 'a'",
    },
    'lets pods go anywhere': {
      renderer: changing((one) => ({ ...one, spec: { template: { spec: { containers: [] } } } })),
      rule: 'keeps every pod',
      want: "ml/qwen3 gke/0: a pod selects the pool ''",
    },
    'forgets the claim templates': {
      renderer: broken({
        render: (replica) => native.render(replica).filter(({ kind }) => kind !== 'ResourceClaimTemplate'),
      }),
      rule: 'brings every claim template',
      want: 'ml/qwen3 gke/0: there is no ResourceClaimTemplate qwen3-main-standalone-',
    },
    'writes secrets': {
      renderer: changing((one) => ({ ...one, kind: 'Secret' })),
      rule: 'writes no Secret',
      want: 'ml/qwen3 gke/0: qwen3-28b66b',
    },
  };
  test.each(Object.entries(cases))('%s', (_, { renderer, rule, want }) => {
    const found = rendererContract(renderer, structuredClone(REPLICAS)).find(({ name }) => name.startsWith(rule));
    expect(found!.violations()[0]).toContain(want);
  });
});
