import { aDeployment, parsed } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const SPEC = 'spec.template.spec';
const EXPRESSIONS = `${SPEC}.clusterSelector.matchExpressions`;
const ENGINE = `${SPEC}.engines.0`;

const bad: Record<string, BadRow> = {
  'replicas are a number, and copies have bounds': {
    change: { 'spec.replicas': { min: 1, max: 3 } },
    want: [
      "spec.replicas: expected a number, got a map. Write a whole number. To scale by load, set 'copies: { min: 1, max: 3 }' of an engine.",
    ],
  },
  'variables are not expanded': {
    change: { 'spec.replicas': '${REPLICAS}' },
    want: [
      'spec.replicas: expected a number, got the text "${REPLICAS}". Variables are not expanded: write the value, or render the file first.',
    ],
  },
  'a name has at most 63 characters, since it is a label of workloads': {
    change: { 'metadata.name': 'a'.repeat(64) },
    want: [
      'metadata.name: a text of 64 characters is greater than the maximum of 63. Shorten it: it is the value of a label of workloads.',
    ],
  },
  'replicas are required': {
    change: { 'spec.replicas': undefined },
    want: ["spec.replicas: the field 'replicas' is missing. Add the number of replicas, each on one cluster."],
  },
  'replicas are not negative': {
    change: { 'spec.replicas': -1 },
    want: ['spec.replicas: -1 is less than the minimum of 0. Use at least 0.'],
  },
  'replicas are at most 1000': {
    change: { 'spec.replicas': 1001 },
    want: ['spec.replicas: 1001 is greater than the maximum of 1000. Use at most 1000.'],
  },
  'the number of replicas of a Helm chart is that of replicas': {
    change: { 'spec.replicas': undefined, 'spec.replicaCount': 1 },
    want: ["spec.replicaCount: the field 'replicaCount' is not allowed here. Use 'replicas'."],
  },
  'a namespace is not in the spec': {
    change: { 'spec.namespace': 'ml' },
    want: ["spec.namespace: the field 'namespace' is not allowed here. Move it into metadata."],
  },
  'a field of the spec is not next to it': {
    change: { priority: 1 },
    want: ["priority: the field 'priority' is not allowed here. Move it into spec."],
  },
  'nor next to it': {
    change: { labels: { app: 'chat' } },
    want: ["labels: the field 'labels' is not allowed here. Move it into metadata."],
  },
  'labels of replicas are in the metadata of their template': {
    change: { 'spec.template.labels': { app: 'chat' } },
    want: ["spec.template.labels: the field 'labels' is not allowed here. Move it to spec.template.metadata.labels."],
  },
  'a word in another case is the word that the field accepts in place of a map': {
    change: { 'spec.rollout': 'recreate' },
    want: ["spec.rollout: expected a map, got text. Use 'Recreate'."],
  },
  'an image is one text': {
    change: { [`${ENGINE}.members.0.template.spec.containers.0.image`]: { repository: 'vllm/vllm-openai', tag: 'v1' } },
    want: [
      `${ENGINE}.members.0.template.spec.containers.0.image: expected text, got a map. Write repository and tag as one text, as in 'vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'a typo in a required field names what was meant': {
    change: { 'spec.replicas': undefined, 'spec.replcas': 1 },
    want: ["spec.replcas: unknown field 'replcas'. Use 'replicas'."],
  },
  'a priority is at most a million': {
    change: { 'spec.priority': 1000001 },
    want: ['spec.priority: 1000001 is greater than the maximum of 1000000. Use at most 1000000.'],
  },
  'a priority is at least minus a million': {
    change: { 'spec.priority': -1000001 },
    want: ['spec.priority: -1000001 is less than the minimum of -1000000. Use at least -1000000.'],
  },
  'a rollout adds one pod at most': {
    change: { 'spec.rollout': { surge: 2 } },
    want: ['spec.rollout.surge: 2 is greater than the maximum of 1. Use at most 1.'],
  },
  'a rollout replaces at least one replica at a time': {
    change: { 'spec.rollout': { parallel: 0 } },
    want: ['spec.rollout.parallel: 0 is less than the minimum of 1. Use at least 1.'],
  },
  'what recreates everything has no pods next to the old ones, and no waves': {
    change: { 'spec.rollout': { strategy: 'Recreate', surge: 1, parallel: 2 } },
    want: [
      "spec.rollout.surge: strategy Recreate has no field 'surge': it replaces all pods at once. Remove it, or set 'strategy: Rolling'.",
      "spec.rollout.parallel: strategy Recreate has no field 'parallel': it replaces all pods at once. Remove it, or set 'strategy: Rolling'.",
    ],
  },
  'the usual rollout has no word': {
    change: { 'spec.rollout': 'RollingUpdate' },
    want: [
      "spec.rollout: expected a map, got text. Remove it: pods are replaced one after the other by default. To stop all of them first, write 'rollout: Recreate'.",
    ],
  },
  'a rollout is one word only for Recreate': {
    change: { 'spec.rollout': 'Replace' },
    want: [
      "spec.rollout: expected a map, got text. Write 'Recreate', or a map with the fields strategy, surge, parallel.",
    ],
  },
  'a field of a rollout that no one knows names the nearest': {
    change: { 'spec.rollout': { parralel: 2 } },
    want: ["spec.rollout.parralel: unknown field 'parralel'. Use 'parallel'."],
  },
  'allowPartial is true or false': {
    change: { 'spec.allowPartial': 'yes' },
    want: ['spec.allowPartial: expected true or false, got the text "yes". Write true.'],
  },
  'labels of replicas that we write are refused': {
    change: { 'spec.template.metadata.labels': { 'modelplane.ai/x': 'y', 'fleetwright.dev/x': 'y' } },
    want: [
      "spec.template.metadata.labels.modelplane.ai/x: Fleetwright sets the label 'modelplane.ai/x'. Use another prefix.",
      "spec.template.metadata.labels.fleetwright.dev/x: Fleetwright sets the label 'fleetwright.dev/x'. Use another prefix.",
    ],
  },
  'labels of replicas are at most 32': {
    change: {
      'spec.template.metadata.labels': Object.fromEntries(Array.from({ length: 33 }, (_, i) => ['a' + i, ''])),
    },
    want: [
      'spec.template.metadata.labels: a map of 33 entries is greater than the maximum of 32. Keep at most 32 entries.',
    ],
  },
  'an operator is one that Kubernetes has': {
    change: { [`${EXPRESSIONS}.0.operator`]: 'Exist' },
    want: [`${EXPRESSIONS}.0.operator: unknown value 'Exist': expected In, NotIn, Exists, DoesNotExist. Use 'Exists'.`],
  },
  'In needs values': {
    change: { [`${EXPRESSIONS}.0.values`]: [] },
    want: [`${EXPRESSIONS}.0.values: the operator In needs values. List at least one value.`],
  },
  'DoesNotExist takes no values': {
    change: { [`${EXPRESSIONS}.1.values`]: ['a'] },
    want: [
      `${EXPRESSIONS}.1.values: the operator DoesNotExist takes no values. Remove the values, or use In or NotIn.`,
    ],
  },
  'a reference to a cache has a name': {
    change: { [`${SPEC}.modelCacheRef`]: {} },
    want: [
      `${SPEC}.modelCacheRef.name: the field 'name' is missing. Add the name of a ModelCache in the same namespace.`,
    ],
  },
  'a mode is one that we know': {
    change: { [`${SPEC}.serving.mode`]: 'Disaggregated' },
    want: [`${SPEC}.serving.mode: unknown value 'Disaggregated'. Use one of Unified, PrefillDecode.`],
  },
  'Equal needs a key': {
    change: { [`${SPEC}.tolerations`]: [{ value: 'x' }] },
    want: [
      `${SPEC}.tolerations.0.key: a toleration with operator Equal needs a key. Set the key of the taint, or use operator Exists to tolerate all taints.`,
    ],
  },
  'Exists takes no value': {
    change: { [`${SPEC}.tolerations`]: [{ key: 'a', operator: 'Exists', value: 'x' }] },
    want: [
      `${SPEC}.tolerations.0.value: a toleration with operator Exists takes no value. Remove the value, or use operator Equal.`,
    ],
  },
  'a toleration is of a cluster taint': {
    change: { [`${SPEC}.tolerations`]: [{ key: 'a', effect: 'PreferNoSchedule' }] },
    want: [`${SPEC}.tolerations.0.effect: unknown value 'PreferNoSchedule'. Use one of NoSchedule, NoExecute.`],
  },
  "a toleration's key is a label key": {
    change: { [`${SPEC}.tolerations`]: [{ key: 'a b' }] },
    want: [
      `${SPEC}.tolerations.0.key: 'a b' is not a label key. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'.`,
    ],
  },
  'fields that stand a level too high name their place': {
    change: {
      'spec.clusterSelector': {},
      'spec.engines': [],
      'spec.template.engines': [],
      [`${ENGINE}.nodeSelector`]: {},
      [`${ENGINE}.workers`]: {},
      [`${SPEC}.replicas`]: 3,
    },
    want: [
      `${ENGINE}.nodeSelector: the field 'nodeSelector' is not allowed here. Move it to members[].nodeSelector of this engine.`,
      `${ENGINE}.workers: the field 'workers' is not allowed here. Use members[].worker.nodes and copies of this engine.`,
      `${SPEC}.replicas: the field 'replicas' is not allowed here. Move it to spec.replicas.`,
      "spec.template.engines: the field 'engines' is not allowed here. Move it into spec.template.spec.",
      "spec.clusterSelector: the field 'clusterSelector' is not allowed here. Move it to spec.template.spec.clusterSelector.",
      "spec.engines: the field 'engines' is not allowed here. Move it to spec.template.spec.engines.",
    ],
  },
  "older spellings in the spec name today's place": {
    change: {
      'spec.nodeSelector': {},
      'spec.workers': { count: 1 },
      'spec.caches': [],
      'spec.engine': {},
      'spec.prefill': {},
      'spec.decode': {},
    },
    want: [
      "spec.nodeSelector: the field 'nodeSelector' is not allowed here. Move it to spec.template.spec.engines[].members[].nodeSelector.",
      "spec.workers: the field 'workers' is not allowed here. Use spec.template.spec.engines[].members[].worker.nodes for the nodes of a gang and spec.template.spec.engines[].copies for the number of gangs.",
      "spec.caches: the field 'caches' is not allowed here. Set spec.template.spec.modelCacheRef to the name of one cache.",
      "spec.engine: the field 'engine' is not allowed here. Use 'engines', a list, at spec.template.spec. Move image, command and args of each to members[].template.spec.containers[0], and the name of a model to spec.model.",
      "spec.prefill: the field 'prefill' is not allowed here. Declare an engine with 'phase' at spec.template.spec.engines, and set 'spec.template.spec.serving.mode: PrefillDecode'.",
      "spec.decode: the field 'decode' is not allowed here. Declare an engine with 'phase' at spec.template.spec.engines, and set 'spec.template.spec.serving.mode: PrefillDecode'.",
    ],
  },
  "older spellings in the template name today's place": {
    change: { [`${SPEC}.nodeSelector`]: {}, [`${SPEC}.workers`]: {}, [`${SPEC}.caches`]: [] },
    want: [
      `${SPEC}.nodeSelector: the field 'nodeSelector' is not allowed here. Move it to spec.template.spec.engines[].members[].nodeSelector.`,
      `${SPEC}.workers: the field 'workers' is not allowed here. Use spec.template.spec.engines[].members[].worker.nodes for the nodes of a gang and spec.template.spec.engines[].copies for the number of gangs.`,
      `${SPEC}.caches: the field 'caches' is not allowed here. Set spec.template.spec.modelCacheRef to the name of one cache.`,
    ],
  },
};

describe('ModelDeployment', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelDeployment'), change))).toEqual(want);
  });

  test('a short document gets its defaults', () => {
    const template = { spec: { containers: [{ name: 'engine', image: 'x' }] } };
    const devices = [{ name: 'gpu', selectors: [{ cel: 'true' }] }];
    const engines = [{ name: 'main', members: [{ nodeSelector: { devices }, template }] }];
    const { spec } = parsed('ModelDeployment', 'qwen3', { replicas: 0, template: { spec: { engines } } });
    expect(spec).toEqual({
      replicas: 0,
      priority: 0,
      allowPartial: false,
      paused: false,
      rollout: { strategy: 'Rolling', surge: 0, parallel: 1 },
      placement: { policy: 'Spread', preferred: [] },
      externalEndpoints: 'Allowed',
      template: {
        metadata: { labels: {} },
        spec: {
          clusterSelector: { matchLabels: {}, matchExpressions: [] },
          loraAdapters: [],
          networkPolicy: { enabled: true, from: [] },
          serving: { mode: 'Unified' },
          tolerations: [],
          healthCheck: {},
          engines: [
            {
              name: 'main',
              copies: 1,
              bootstrap: 'None',
              startup: {},
              drain: {},
              requires: {},
              members: [
                {
                  role: 'Standalone',
                  nodeSelector: {
                    devices: [
                      {
                        name: 'gpu',
                        count: 1,
                        selectors: [{ cel: 'true' }],
                        firstAvailable: [],
                        tolerations: [],
                        config: [],
                      },
                    ],
                    constraints: [],
                  },
                  template: {
                    metadata: { labels: {}, annotations: {} },
                    spec: {
                      containers: [{ name: 'engine', image: 'x', env: [], resources: { requests: {}, limits: {} } }],
                      imagePullSecrets: [],
                    },
                  },
                },
              ],
            },
          ],
        },
      },
    });
  });

  test('one word stands for the strategy Recreate', () => {
    const want = { strategy: 'Recreate', surge: 0, parallel: 1 };
    expect(aDeployment('qwen3', { rollout: 'Recreate' }).spec.rollout).toEqual(want);
  });

  test('a toleration compares by default', () => {
    const { tolerations } = aDeployment('qwen3', { tolerations: [{ key: 'a' }] }).spec.template.spec;
    expect(tolerations).toEqual([{ key: 'a', operator: 'Equal' }]);
  });
});
