import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import { createRendererSelector } from '../../../src/render/renderers';
import { renderCluster } from '../../../src/render/cluster';
import { aCluster, aDeployment, anEngine, type Doc } from '../../api/build';
import { aReplica, fleetOf, manifestsOf, ofKind, pick, renamed, withContainer } from '../build';
import { type Schema, violations } from '../openapi';
import {
  ALL,
  CACHED,
  GANG,
  GANGS,
  kserveCluster,
  ON,
  PAIR,
  PIPELINE,
  POD,
  RANKS,
  aGang,
  serviceOf,
  withArgs,
} from './build';
import { controllerPods, type MadePods } from './controller';

const objects: Record<string, { deployment: ModelDeployment; on?: InferenceCluster; name?: RegExp; want: Doc }> = {
  'a pod is a service without parallelism': {
    deployment: POD,
    name: /^qwen3-0-main-[0-9a-f]{5}$/,
    want: {
      model: { uri: 'hf://Qwen/Qwen3-8B', name: 'qwen3' },
      storageInitializer: { enabled: false },
      router: undefined,
      replicas: 1,
      parallelism: undefined,
      rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 },
      worker: undefined,
      prefill: undefined,
    },
  },
  'versions without a strategy for rollouts get none': {
    deployment: aDeployment('ml/qwen3', { rollout: { surge: 1 } }),
    on: kserveCluster('0.20'),
    want: { rolloutStrategy: undefined },
  },
  'Recreate stops all pods at once': {
    deployment: aDeployment('ml/qwen3', { rollout: 'Recreate' }),
    want: { rolloutStrategy: { maxSurge: 0, maxUnavailable: '100%' } },
  },
  'a gang over a pipeline has its size as the stages, and in its name': {
    deployment: GANG,
    name: /^gang-0-main-x2-[0-9a-f]{5}$/,
    want: { parallelism: { pipeline: 2 }, worker: expect.anything() },
  },
  'a gang of data ranks has the ranks, and those of a node': {
    deployment: RANKS,
    want: { parallelism: { data: 4, dataLocal: 2 } },
  },
  'a pair is one service, with prefill below decode': {
    deployment: PAIR,
    name: /^pair-0-pair-[0-9a-f]{5}$/,
    want: { prefill: expect.objectContaining({ replicas: 1 }), parallelism: undefined },
  },
  'the copies of an engine that scales are left to what scales it': {
    deployment: aDeployment('ml/qwen3', {
      engines: [anEngine('main', { copies: { min: 1, max: 3 }, scaling: { on: [{ queue: 5 }] } })],
    }),
    want: { replicas: undefined },
  },
  'a model in a cache is where its volume is': {
    deployment: CACHED,
    want: { model: { uri: expect.stringMatching(/^pvc:\/\/weights-[0-9a-f]{5}\//), name: 'qwen3' } },
  },
  'a model that no argument names is in the image': {
    deployment: withContainer({ image: 'registry.example.com/house:1', args: ['serve'] }, {}),
    want: { model: { uri: 'oci://registry.example.com/house:1', name: 'qwen3' } },
  },
};

test.each(Object.entries(objects))('the object of KServe: %s', (_, { deployment, on, name = /./, want }) => {
  const { metadata, spec } = serviceOf(deployment, on);
  expect(metadata.name).toMatch(name);
  expect(pick(spec as Doc, want)).toEqual(want);
});

const long = renamed(GANGS, `a${'-very-long-name'.repeat(4)}`);

test('names leave room for what the controllers append', () => {
  const queued = kserveCluster('0.21', { scheduler: { type: 'Kueue', queue: 'inference' } });
  expect(serviceOf(long).metadata.name.length).toBeLessThanOrEqual(32);
  expect(serviceOf(long, queued).metadata.name.length).toBeLessThanOrEqual(21);
});

test('a name changes with the size of a gang and with the role of an engine, which cannot change in place', () => {
  const three = aDeployment('ml/gang', { engines: [aGang('main', PIPELINE, { workers: 2 })] });
  const alone = aDeployment('ml/gang', { engines: [{ name: 'main', members: [withArgs(PIPELINE)] }] });
  const names = [GANG, three, alone].map((deployment) => serviceOf(deployment).metadata.name);
  expect(new Set(names).size).toBe(3);
});

const labelled = (deployment: ModelDeployment, team: string): ModelDeployment => ({
  ...deployment,
  spec: {
    ...deployment.spec,
    template: { ...deployment.spec.template, metadata: { labels: { team } } } as ModelDeployment['spec']['template'],
  },
});

const namedBy: Record<
  string,
  { before: ModelDeployment; after: ModelDeployment; cluster?: InferenceCluster; same: boolean }
> = {
  'labels of pods': { before: labelled(POD, 'a'), after: labelled(POD, 'b'), same: false },
  'labels of the pods of a pair': { before: PAIR, after: labelled(PAIR, 'b'), same: false },
  'labels of gangs, whose LeaderWorkerSet has a selector of its own': {
    before: labelled(GANG, 'a'),
    after: labelled(GANG, 'b'),
    same: true,
  },
  'the queue of Kueue, which is a label of pods': {
    before: POD,
    after: POD,
    cluster: kserveCluster('0.21', { scheduler: { type: 'Kueue', queue: 'b' } }),
    same: false,
  },
};

test.each(Object.entries(namedBy))('a name changes with the selector of a Deployment: %s', (_, row) => {
  const { before, after, cluster = ON, same } = row;
  expect(serviceOf(before).metadata.name === serviceOf(after, cluster).metadata.name).toBe(same);
});

test('the pods of KServe of a deployment under the alias group name their pool, so its name does', () => {
  const deployment = { ...POD, group: 'modelplane.ai' as const };
  const names = ['h100', 'h200'].map((pool) => {
    const cluster = aCluster('gke', { source: 'GKE', pools: { [pool]: 4 }, backend: { type: 'KServe' } });
    return serviceOf(deployment, cluster).metadata.name;
  });
  expect(new Set(names).size).toBe(2);
});

test('a brace of Go templates in an argument reaches the engine as it is written', () => {
  const args = ['Qwen/Qwen3-8B', '--chat-template={{ messages }}'];
  const [pod] = controllerPods(serviceOf(withContainer({ image: 'vllm/vllm-openai:v0.23.0', args })));
  expect(pod?.spec.containers[0]?.args).toEqual(args);
});

const presets: Record<string, { deployment: ModelDeployment; want: string[] }> = {
  'a pod': { deployment: POD, want: ['kserve-config-llm-template'] },
  'a gang over a pipeline, for which none is shipped': {
    deployment: GANG,
    want: ['kserve-config-llm-worker-pipeline-parallel'],
  },
  'a gang of data ranks': { deployment: RANKS, want: ['kserve-config-llm-worker-data-parallel'] },
  'a pair': { deployment: PAIR, want: ['kserve-config-llm-decode-template', 'kserve-config-llm-prefill-template'] },
  'a pair of gangs': {
    deployment: GANGS,
    want: ['kserve-config-llm-decode-worker-pipeline-parallel', 'kserve-config-llm-prefill-worker-pipeline-parallel'],
  },
};

test.each(Object.entries(presets))('an empty preset takes the place of each that applies to %s', (_, row) => {
  const found = ofKind(manifestsOf(row.deployment, { cluster: ON }), 'LLMInferenceServiceConfig');
  expect(found.map(({ metadata, spec }) => [metadata.namespace, metadata.name, spec])).toEqual(
    row.want.map((name) => ['ml', name, {}]),
  );
});

const scaled = (workers?: number) =>
  aDeployment('ml/qwen3', {
    engines: [
      anEngine('main', { ...(workers && { workers }), copies: { min: 1, max: 3 }, scaling: { on: [{ queue: 5 }] } }),
    ],
  });

test('what scales an engine scales the workload that the controller makes', () => {
  for (const [deployment, kind] of [
    [scaled(), 'Deployment'],
    [scaled(1), 'LeaderWorkerSet'],
  ] as const) {
    const [object] = ofKind(manifestsOf(deployment, { cluster: ON }), 'ScaledObject');
    const [{ workload }] = controllerPods(serviceOf(deployment)) as [MadePods];
    expect(object?.spec?.['scaleTargetRef']).toMatchObject({ kind, name: workload });
  }
});

test('a replica that its cluster ran before KServe stays with the native renderer', () => {
  const replica = aReplica(POD, { cluster: ON });
  const names = [replica, { ...replica, backend: 'Native' as const }].map(
    (one) => createRendererSelector([])(one).name,
  );
  expect(names).toEqual(['KServe', 'Native']);
});

test('while a replica of before stays, a cluster has the Service of the new ones and the pods of both', () => {
  const replicas = [
    { ...aReplica(GANG, { cluster: ON }), backend: 'Native' as const },
    aReplica(GANG, { cluster: ON, index: 1 }),
  ];
  const manifests = renderCluster(ON, replicas, { fleet: fleetOf() });
  expect(ofKind(manifests, 'Service')).toHaveLength(1);
  expect(ofKind(manifests, 'LeaderWorkerSet')).toHaveLength(1);
  expect(ofKind(manifests, 'LLMInferenceService')).toHaveLength(1);
});

const schemaOf = (plural: string): Schema => {
  const file = join(__dirname, `../../crds/${plural}.serving.kserve.io.yaml`);
  return parse(readFileSync(file, 'utf8')).spec.versions[0].schema.openAPIV3Schema;
};

describe('the schemas of the stored CustomResourceDefinitions accept', () => {
  const schemas: Record<string, Schema> = {
    LLMInferenceService: schemaOf('llminferenceservices'),
    LLMInferenceServiceConfig: schemaOf('llminferenceserviceconfigs'),
  };
  test.each(ALL.map((deployment) => [deployment.metadata.name, deployment] as const))('%s', (_, deployment) => {
    const found = manifestsOf(deployment, { cluster: ON }).filter(({ kind }) => kind in schemas);
    expect(found.length).toBeGreaterThan(1);
    expect(found.flatMap((one) => violations(one, schemas[one.kind]!))).toEqual([]);
  });
});
