import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { mayHaveReferences } from '../../src/manifest/kubernetes/references';
import { decide } from '../../src/plan/decide';
import { findExternalReferences } from '../../src/render/external-references';
import { native } from '../../src/render/native';
import type { Renderer } from '../../src/render/renderer';
import { terminalLines } from '../../src/report/document/write-terminal';
import { formatRequiredObjects } from '../../src/report/plan/required-objects-text';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, aMember, anEngine, byPath, type Doc, MACHINES } from '../api/build';

const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE, ...MACHINES.EKS } });
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const cache = aCache('ml/weights', {
  huggingFace: { repo: 'a/b', revision: 'a'.repeat(40), authSecret: { name: 'hub' } },
  stage: 'Everywhere',
});
const container = {
  name: 'engine',
  image: 'vllm/vllm-openai:v0.23.0',
  args: ['a/b'],
  env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'engine' } } }],
};
const serve = (replicas: number, name = 'ml/qwen3'): Resource =>
  aDeployment(name, {
    replicas,
    engines: [
      {
        name: 'main',
        members: [aMember({ template: { spec: { containers: [container], imagePullSecrets: [{ name: 'pull' }] } } })],
      },
    ],
  });

/** What must exist, as people read it. */
function listed(...resources: Resource[]): string[] {
  const { plan } = decide(assemble([H100, ...resources]), byPath, EMPTY_LOCK);
  return terminalLines(formatRequiredObjects(plan.mustExist));
}

test('a plan lists what must exist by cluster, with what needs it, and says nothing where nothing is missing', () => {
  const gke = aCluster('gke', { source: 'GKE', pools: { h100: 1 } });
  const own = aCluster('own', { pools: { h100: 1 }, ...nfs });
  expect(listed(gke, own, cache, serve(2))).toEqual([
    'Must exist before manifests are applied:',
    '  gke',
    '    StorageClass fleetwright-shared (the stack of the cluster creates it), for ModelCache ml/weights',
    '    Secret ml/hub (HF_TOKEN), for ModelCache ml/weights',
    '    Secret ml/keys (engine), for ModelDeployment ml/qwen3',
    '    Secret ml/pull, for ModelDeployment ml/qwen3',
    '  own',
    '    Namespace ml, for ModelCache ml/weights, ModelDeployment ml/qwen3',
    '    StorageClass nfs, for ModelCache ml/weights',
    '    Secret ml/hub (HF_TOKEN), for ModelCache ml/weights',
    '    Secret ml/keys (engine), for ModelDeployment ml/qwen3',
    '    Secret ml/pull, for ModelDeployment ml/qwen3',
  ]);
  expect(listed(gke, own, aDeployment('default/a'))).toEqual([]);
});

test('clusters that lack the same stand together, the first of them by name', () => {
  const clusters = Array.from({ length: 10 }, (_, i) => aCluster(`c${i}`, { pools: { h100: 1 }, ...nfs }));
  expect(listed(...clusters, cache).slice(1)).toEqual([
    '  c0, c1, c2, c3, c4, c5, c6, c7, 2 more',
    '    Namespace ml, for ModelCache ml/weights',
    '    StorageClass nfs, for ModelCache ml/weights',
    '    Secret ml/hub (HF_TOKEN), for ModelCache ml/weights',
  ]);
});

test('all replicas of a deployment on a cluster need the same', () => {
  const own = aCluster('own', { pools: { h100: 4 }, ...nfs });
  expect(listed(own, serve(1))).toEqual(listed(own, serve(4)));
});

test('what stages a cache is made on each cluster, whatever its class of storage', () => {
  const [a, b] = ['nfs', 'ceph'].map((storageClassName) =>
    aCluster(storageClassName, { pools: { h100: 1 }, storage: { sharedFilesystem: { storageClassName } } }),
  );
  const mounting = aDeployment('ml/a', { replicas: 2, cache: 'weights' });
  const lines = listed(a!, b!, cache, mounting);
  expect(lines.filter((line) => /PersistentVolumeClaim/.test(line))).toEqual([]);
  expect(lines.filter((line) => /StorageClass/.test(line))).toEqual([
    '    StorageClass ceph, for ModelCache ml/weights',
    '    StorageClass nfs, for ModelCache ml/weights',
  ]);
});

test('a claim that is adopted must exist', () => {
  const adopted = aCache('ml/weights', {
    source: 'ExistingPVC',
    huggingFace: undefined,
    sizeGiB: undefined,
    existingPVC: { claimName: 'data' },
  });
  const own = aCluster('own', { pools: { h100: 1 } });
  expect(listed(own, adopted, aDeployment('ml/a', { cache: 'weights' }))).toContain(
    '    PersistentVolumeClaim ml/data, for ModelDeployment ml/a',
  );
});

test('a namespace that every cluster has needs no one', () => {
  expect(listed(aCluster('own', { pools: { h100: 1 } }), aDeployment('default/a'))).toEqual([]);
});

test('what a cluster needs and leaves to others to install must exist, whatever is placed there', () => {
  const servingStack = { leaderWorkerSet: { install: false }, clusterAutoscaler: { install: false } };
  expect(listed(aCluster('own', { pools: { h100: 1 }, servingStack }))).toEqual([
    'Must exist before manifests are applied:',
    '  own',
    '    Helm release lws, for InferenceCluster own',
  ]);
});

test('what the AI gateway extends must exist where others install it, also without gateways of ours', () => {
  const servingStack = { aiGateway: { install: true }, envoyGateway: { install: false } };
  expect(listed(aCluster('own', { servingStack }))).toEqual([
    'Must exist before manifests are applied:',
    '  own',
    '    Helm release envoy-gateway, for InferenceCluster own',
  ]);
});

test('deployments that say the same in two namespaces need the Secrets of their own', () => {
  const us = aCluster('us', { pools: { h100: 4 } });
  const secrets = listed(us, serve(1, 'a/qwen3'), serve(1, 'b/qwen3')).filter((line) => /Secret/.test(line));
  expect(secrets).toEqual([
    expect.stringMatching(/Secret a\/keys .*for ModelDeployment a\/qwen3$/),
    expect.stringMatching(/Secret a\/pull.*for ModelDeployment a\/qwen3$/),
    expect.stringMatching(/Secret b\/keys .*for ModelDeployment b\/qwen3$/),
    expect.stringMatching(/Secret b\/pull.*for ModelDeployment b\/qwen3$/),
  ]);
});

/** Deployments whose specs name nothing outside, each of which makes other objects. */
const plain: Record<string, Resource[]> = {
  'a pod': [aDeployment('ml/a')],
  'a gang that rolls with a surge': [
    aDeployment('ml/a', { engines: [anEngine('main', { gpus: 8, workers: 1 })], rollout: { surge: 1 } }),
  ],
  'engines side by side, in copies': [
    aDeployment('ml/a', { engines: [anEngine('prefill', { copies: 2 }), anEngine('decode', { gpus: 2 })] }),
  ],
};

test.each(Object.entries(plain))('what is made of %s refers to nothing but what is made with it', (_, all) => {
  const own = aCluster('own', { pools: { h100: 8 } });
  const { replicas } = decide(assemble([H100, own, ...all]), byPath, EMPTY_LOCK);
  expect(replicas).toHaveLength(1);
  for (const replica of replicas) {
    expect(mayHaveReferences(JSON.stringify(replica.deployment.spec))).toBe(false);
    expect(findExternalReferences(native.render(replica))).toEqual([]);
  }
});

test('of a renderer of others what it makes counts, and not what the spec says', () => {
  const account = { apiVersion: 'v1', kind: 'Pod', spec: { serviceAccountName: 'theirs' } };
  const other: Renderer = {
    ...native,
    name: 'other',
    reject: () => undefined,
    render: ({ deployment: { metadata } }) => [{ ...account, metadata: { ...metadata, labels: {} } }],
  };
  const own = aCluster('own', { pools: { h100: 1 } });
  const remarks = { notes: [], warnings: [], renderers: [other] };
  const { plan } = decide(assemble([H100, own, aDeployment('ml/a')]), byPath, EMPTY_LOCK, remarks);
  expect(terminalLines(formatRequiredObjects(plan.mustExist))).toContain(
    '    ServiceAccount ml/theirs, for ModelDeployment ml/a',
  );
});

/** What must exist on a cluster without deployments. */
function found(spec: Doc): string[] {
  return listed(aCluster('own', { pools: { h100: 1 }, ...spec })).slice(2);
}

test('Prometheus must exist on a monitored cluster, unless a program installs it', () => {
  const installed = { prometheus: { install: true } };
  expect(found({ monitoring: {} })).toEqual(['    Helm release prometheus, for InferenceCluster own']);
  expect(found({ monitoring: {}, servingStack: installed })).toEqual([]);
  expect(found({ monitoring: { podMonitors: false, rules: false } })).toEqual([]);
  expect(found({})).toEqual([]);
});

test('a plan for its places alone names no objects, and has the places of any other plan', () => {
  const fleet = assemble([H100, aCluster('us', nfs), cache, serve(1)]);
  const [whole, places] = [false, true].map(
    (placesOnly) => decide(fleet, byPath, EMPTY_LOCK, { notes: [], warnings: [], placesOnly }).plan,
  );
  expect(whole?.mustExist).not.toEqual([]);
  expect(places).toEqual({ ...whole, warnings: [], mustExist: [], mustExistNew: [] });
});
