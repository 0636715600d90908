import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { native } from '../../src/render/native';
import type { Renderer } from '../../src/render/renderer';
import { rendererContract } from '../../src/render/renderer-contract';
import type { ComputedReplica } from '../../src/replicas/replica';
import { aDeployment, anEngine } from '../api/build';
import { aReplica, gangWith, renamed, withContainer } from './build';

const cached = withContainer({}, { cache: 'weights' });
const several = aDeployment('web/qwen3', { engines: [anEngine('a', { copies: 3 }), anEngine('b')] });
const REPLICAS = [
  aReplica(cached),
  aReplica(cached, { index: 1 }),
  aReplica(renamed(gangWith({}), 'gang')),
  aReplica(several),
];

describe('ours', () => {
  test.each(rendererContract(native, REPLICAS))('$name', (rule) => {
    expect(rule.violations()).toEqual([]);
  });
});

/** Ours, but for what a row breaks. */
function broken(change: Partial<Renderer>): Renderer {
  return { ...native, ...change };
}

/** Ours, with each object changed. */
function changing(change: (manifest: Manifest, replica: ComputedReplica) => unknown): Renderer {
  return broken({
    render: (replica) => native.render(replica).map((one) => change(one, replica) as Manifest),
  });
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
