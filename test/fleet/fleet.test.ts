import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { checkFleet } from '../../src/plan/check-fleet';
import {
  aCache,
  aClass,
  aCluster,
  aDeployment,
  aGateway,
  aGrant,
  anEndpoint,
  aMember,
  anEngine,
  aService,
  byPath,
  type Doc,
  MACHINES,
  settings,
} from '../api/build';
import { checkRow, type FleetRow } from '../api/rows';

/** A member whose engine has these arguments. */
function serving(...args: string[]): Doc {
  const engine = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  return aMember({ template: { spec: { containers: [engine] } } });
}

describe('assemble', () => {
  test('sorts each list by namespace, then by name, whatever the order of the input', () => {
    const resources = ['b/x', 'a-b/x', 'a/z', 'a/y'].map((name) => aDeployment(name));
    expect(namesOf(resources)).toEqual(['a/y', 'a/z', 'a-b/x', 'b/x']);
    expect(namesOf(resources.toReversed())).toEqual(['a/y', 'a/z', 'a-b/x', 'b/x']);
  });

  test('puts every kind into its list', () => {
    const fleet = assemble([
      settings('main', {}),
      aClass('h200'),
      aCluster('us'),
      aGateway('default'),
      aDeployment('ml/qwen3'),
      aCache('ml/qwen3'),
      aService('ml/chat', {}),
      anEndpoint('ml/saas'),
      aGrant('ml/web', 'web', { kind: 'ModelEndpoint' }),
    ]);
    const {
      settings: found,
      hardware: _,
      hardwareFaults: __,
      hardwareWarnings: ___,
      models: ____,
      expansions: _____,
      ...lists
    } = fleet;
    expect(found?.metadata.name).toBe('main');
    expect(Object.values(lists).map((list) => list.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('adds the defaults of the fleet to deployments, whose own labels win', () => {
    const tolerations = [{ key: 'a', operator: 'Exists' }];
    const fleet = assemble([
      settings('main', { labels: { team: 'ml', tier: 'prod' }, tolerations }),
      aDeployment('one', { replicaLabels: { tier: 'test' }, tolerations: [...tolerations, { key: 'b' }] }),
      aDeployment('two'),
    ]);
    expect(fleet.deployments.map(({ spec }) => spec.template.metadata.labels)).toEqual([
      { team: 'ml', tier: 'test' },
      { team: 'ml', tier: 'prod' },
    ]);
    expect(fleet.deployments.map(({ spec }) => spec.template.spec.tolerations)).toEqual([
      [...tolerations, { key: 'b', operator: 'Equal' }],
      tolerations,
    ]);
  });
});

const onGke = { source: 'GKE', pools: { h100: 1 } };

const cases: Record<string, FleetRow> = {
  'a fleet whose references hold has no problems': {
    resources: [
      settings('main', {}),
      aClass('h100', { provisioning: MACHINES.GKE }),
      aCluster('us', onGke),
      aCache('ml/qwen3'),
      aDeployment('ml/qwen3', { cache: 'qwen3' }),
      aGateway('default', 'us'),
    ],
    want: [],
  },
  'a label does not move a cluster to another region': {
    resources: [
      aClass('h100', { provisioning: MACHINES.GKE }),
      aCluster('us', { ...onGke, labels: { 'topology.kubernetes.io/region': 'europe-west4' } }),
    ],
    want: [
      "InferenceCluster us metadata.labels.topology.kubernetes.io/region: the label names the region 'europe-west4', and spec.cluster is in 'us-central1'. Remove the label, or correct the region.",
    ],
  },
  'a label may repeat the region': {
    resources: [
      aClass('h100', { provisioning: MACHINES.GKE }),
      aCluster('us', { ...onGke, labels: { 'topology.kubernetes.io/region': 'us-central1' } }),
    ],
    want: [],
  },
  'a second Fleet is refused': {
    resources: [settings('main', {}), settings('other', {})],
    want: ["Fleet other metadata.name: Fleet other is a second Fleet, in addition to 'main'. Merge the two."],
  },
  'a pool names a class that exists, and the nearest is suggested': {
    resources: [aClass('h100'), aCluster('us', { pools: { h1000: 1, l4: 1 } })],
    want: [
      "InferenceCluster us spec.nodePools.0.className: there is no InferenceClass 'h1000'. Use 'h100'.",
      "InferenceCluster us spec.nodePools.1.className: there is no InferenceClass 'l4'. Declare it, or use one of h100.",
    ],
  },
  'a class says how the cloud of the cluster makes its nodes': {
    resources: [aClass('h100'), aCluster('us', onGke)],
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'h100' has no provisioning for GKE. Use a class for GKE, or add spec.provisioning.gke to this one.",
    ],
  },
  'a class is for the cloud of the cluster': {
    resources: [aClass('h100', { provisioning: MACHINES.EKS }), aCluster('us', onGke)],
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'h100' is for EKS, and the cluster is on GKE. Use a class for GKE, or add spec.provisioning.gke to this one.",
    ],
  },
  'a class with a block for the cloud is for that cloud too': {
    resources: [aClass('h100', { provisioning: { ...MACHINES.GKE, ...MACHINES.EKS } }), aCluster('us', onGke)],
    want: [],
  },
  'nodes of an existing cluster are there, whatever makes them elsewhere': {
    resources: [aClass('h100', { provisioning: MACHINES.EKS }), aCluster('lab', { pools: { h100: 1 } })],
    want: [],
  },
  'a cache is in the namespace of the deployment': {
    resources: [aCache('other/qwen3'), aDeployment('ml/qwen3', { cache: 'qwen3' })],
    want: [
      "ModelDeployment ml/qwen3 spec.template.spec.modelCacheRef.name: there is no ModelCache 'qwen3' in namespace 'ml', and a deployment mounts only caches of its own. Move ModelCache other/qwen3 there, or this deployment to namespace 'other'.",
    ],
  },
  'a model is not the cache of an adapter, nor the other way round': {
    resources: [
      aCache('ml/model'),
      aCache('ml/sql', { content: 'LoRA' }),
      aDeployment('ml/qwen3', {
        cache: 'sql',
        loraAdapters: [{ name: 'sql', modelCacheRef: { name: 'model' } }],
      }),
    ],
    want: [
      "ModelDeployment ml/qwen3 spec.template.spec.modelCacheRef.name: ModelCache 'sql' has content LoRA. Move the adapter to spec.template.spec.loraAdapters, and set this field to the cache of its base model.",
      "ModelDeployment ml/qwen3 spec.template.spec.loraAdapters.0.modelCacheRef.name: ModelCache 'model' has content Model. Use a ModelCache with 'content: LoRA'.",
    ],
  },
  'the cache of an adapter exists': {
    resources: [
      aCache('ml/sql', { content: 'LoRA' }),
      aDeployment('ml/qwen3', { loraAdapters: [{ name: 'sql', modelCacheRef: { name: 'sq' } }] }),
    ],
    want: [
      "ModelDeployment ml/qwen3 spec.template.spec.loraAdapters.0.modelCacheRef.name: there is no ModelCache 'sq'. Use 'sql'.",
    ],
  },
  'adapters are for engines that take them': {
    resources: [
      aCache('ml/sql', { content: 'LoRA' }),
      aDeployment('ml/qwen3', {
        loraAdapters: [{ name: 'sql', modelCacheRef: { name: 'sql' } }],
        engines: [anEngine('a'), anEngine('b', { runtime: 'Ollama' })],
      }),
    ],
    want: [
      "ModelDeployment ml/qwen3 spec.template.spec.engines.1: engine 'b' runs Ollama, which does not support adapters. Remove loraAdapters, or use a runtime that does: vLLM, SGLang, TGI, NIM, LlamaCpp or LMDeploy.",
    ],
  },
  'an adapter has another name than the model that it adapts': {
    resources: [
      aCache('ml/chat', { content: 'LoRA' }),
      aDeployment('ml/qwen3', {
        loraAdapters: [{ name: 'chat', modelCacheRef: { name: 'chat' } }],
        engines: [{ name: 'a', members: [serving('m', '--served-model-name=chat')] }],
      }),
    ],
    want: [
      "ModelDeployment ml/qwen3 spec.template.spec.loraAdapters.0.name: engine 'a' serves its model as 'chat', so that requests for 'chat' never get the adapter. Give the adapter another name.",
    ],
  },
  'a gateway is on clusters that exist': {
    resources: [aCluster('us-east'), aGateway('default', 'us-eats')],
    want: ["InferenceGateway default spec.clusters.0: there is no InferenceCluster 'us-eats'. Use 'us-east'."],
  },
  'a gateway does not get a cluster twice, by the name of one that it has already': {
    resources: [aCluster('us-west'), aGateway('default', 'us-east', 'us-west')],
    want: [
      "InferenceGateway default spec.clusters.0: there is no InferenceCluster 'us-east'. Remove it from the list, which has 'us-west' already, or declare it.",
    ],
  },
  'a near miss of a cluster that the gateway already has is removed': {
    resources: [aCluster('us-east'), aGateway('default', 'us-eats', 'us-east')],
    want: [
      "InferenceGateway default spec.clusters.0: there is no InferenceCluster 'us-eats'. Remove it from the list, which has 'us-east' already, or declare it.",
    ],
  },
  'a grant covers something in its namespace': {
    resources: [anEndpoint('other/saas'), aGrant('ml/web', 'web', { kind: 'ModelEndpoint' })],
    want: [
      "Grant ml/web spec.to.0: the grant matches no ModelEndpoint in namespace 'ml'. Move it to the namespace of a ModelEndpoint.",
    ],
  },
  'a grant covers something with its labels': {
    resources: [
      anEndpoint('ml/saas', { labels: { tier: 'prod' } }),
      aGrant('ml/web', 'web', { kind: 'ModelEndpoint', matchLabels: { tier: 'test' } }),
    ],
    want: ["Grant ml/web spec.to.0: the grant matches no ModelEndpoint in namespace 'ml'. Correct its labels."],
  },
  'a grant covers deployments by their own labels and by those of their replicas': {
    resources: [
      aDeployment('ml/qwen3', { labels: { tier: 'prod' }, replicaLabels: { model: 'qwen3' } }),
      aGrant('ml/one', 'web', { kind: 'ModelDeployment', matchLabels: { tier: 'prod' } }),
      aGrant('ml/two', 'web', { kind: 'ModelDeployment', matchLabels: { model: 'qwen3' } }),
    ],
    want: [],
  },
  'a grant covers endpoints by a label of the alias group, under either key': {
    resources: [
      anEndpoint('ml/copy', { labels: { 'modelplane.ai/cluster': 'us' } }),
      aGrant('ml/one', 'web', { kind: 'ModelEndpoint', matchLabels: { 'modelplane.ai/cluster': 'us' } }),
      aGrant('ml/two', 'web', { kind: 'ModelEndpoint', matchLabels: { 'fleetwright.dev/cluster': 'us' } }),
    ],
    want: [],
  },
};

describe('checkFleet', () => {
  test.each(Object.entries(cases))('%s', (_, row) => checkRow(row));

  test('a long list of names is not shown', () => {
    const classes = Array.from({ length: 9 }, (_, index) => aClass(`class-${index}`));
    const [problem] = checkFleet(assemble([...classes, aCluster('us', { pools: { gpu: 1 } })]), byPath);
    expect(problem?.hint).toBe('Declare it');
  });
});

function namesOf(resources: Resource[]): string[] {
  return assemble(resources).deployments.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}
