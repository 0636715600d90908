import { formatDiagnostic } from '../../src/base/diagnostic';
import { loadManifests } from '../../src/manifest/load-manifests';

interface Case {
  text: string;
  want: string[];
}

const SPEC = 'spec.template.spec';
const MEMBERS = `${SPEC}.engines[].members[]`;
const PHASES = `Declare an engine with 'phase' at ${SPEC}.engines, and set '${SPEC}.serving.mode: PrefillDecode'`;

/** A template as it is written today. */
const TODAY = `  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector: { devices: [{ name: gpu, selectors: [{ cel: device.driver == "gpu.nvidia.com" }] }] }
              template: { spec: { containers: [{ name: engine, image: vllm/vllm-openai:v0.23.0 }] } }
`;

const deployment = (spec: string) => `apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: { name: qwen3-8b, namespace: ml-team }
spec:
  replicas: 1
${spec}`;

const cases: Record<string, Case> = {
  'devices of the whole deployment': {
    text: deployment(`  nodeSelector:
    devices: [{ name: gpu, count: 8 }]
${TODAY}`),
    want: [`f.yaml:6:3: the field 'nodeSelector' is not allowed here. Move it to ${MEMBERS}.nodeSelector.`],
  },
  'devices of the whole template': {
    text: deployment(TODAY.replace('      engines', '      nodeSelector: {}\n      engines')),
    want: [`f.yaml:8:7: the field 'nodeSelector' is not allowed here. Move it to ${MEMBERS}.nodeSelector.`],
  },
  'workers with a topology': {
    text: deployment(`  workers:
    count: 2
    topology: { tensor: 8, pipeline: 2 }
${TODAY}`),
    want: [
      `f.yaml:6:3: the field 'workers' is not allowed here. Use ${MEMBERS}.worker.nodes for the nodes of a gang and ${SPEC}.engines[].copies for the number of gangs.`,
    ],
  },
  'a topology without workers': {
    text: deployment(TODAY.replace('      engines', '      topology: { tensor: 8 }\n      engines')),
    want: [
      `f.yaml:8:7: the field 'topology' is not allowed here. Use ${MEMBERS}.worker.nodes, and set the parallelism in the args of the engine.`,
    ],
  },
  'a list of caches': {
    text: deployment(`  caches:
    - name: qwen3-8b
${TODAY}`),
    want: [`f.yaml:6:3: the field 'caches' is not allowed here. Set ${SPEC}.modelCacheRef to the name of one cache.`],
  },
  'blocks for prefill and decode': {
    text: deployment(`  prefill:
    workers: { count: 3 }
  decode:
    workers: { count: 2 }
${TODAY}`),
    want: [
      `f.yaml:6:3: the field 'prefill' is not allowed here. ${PHASES}.`,
      `f.yaml:8:3: the field 'decode' is not allowed here. ${PHASES}.`,
    ],
  },
  'an artifact with a kind': {
    text: `apiVersion: modelplane.ai/v1alpha1
kind: ModelCache
metadata: { name: qwen3-8b, namespace: ml-team }
spec:
  artifact:
    kind: Weights
    source: { huggingFace: { repo: Qwen/Qwen3-8B } }
  source: HuggingFace
  huggingFace:
    repo: Qwen/Qwen3-8B
    tokenSecretRef: { name: hugging-face }
  sizeGiB: 40
  storage: { backend: PVC }
  replication: AllMatchingClusters
`,
    want: [
      "f.yaml:11:5: the field 'tokenSecretRef' is not allowed here. Use 'authSecret' instead.",
      'f.yaml:13:3: unknown value: a map. Use one of SharedFilesystem, BlockDevice, ObjectStorageMount.',
      "f.yaml:5:3: the field 'artifact' is not allowed here. Move the source to spec, and set 'content' to artifact.kind.",
      "f.yaml:14:3: the field 'replication' is not allowed here. Use spec.clusterSelector for the clusters, with 'stage: Everywhere' for all of them.",
    ],
  },
  'storage of a cluster': {
    text: `apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: { name: rack }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: rack } } }
  storage:
    storageClassName: nfs-rwx
    csiDrivers: [SharedFilesystem]
`,
    want: [
      "f.yaml:7:5: the field 'storageClassName' is not allowed here. Move it to spec.storage.sharedFilesystem.storageClassName.",
      "f.yaml:8:5: the field 'csiDrivers' is not allowed here. Remove it, and declare the storage itself: spec.storage.sharedFilesystem, blockDevice or objectStorageMount.",
    ],
  },
};

describe('an older spelling of the alias group is reported where it belongs today:', () => {
  test.each(Object.entries(cases))('%s', (_, { text, want }) => {
    expect(loadManifests([{ path: 'f.yaml', text }]).problems.map(formatDiagnostic)).toEqual(want);
  });
});

test('the template of today has no problem', () => {
  expect(loadManifests([{ path: 'f.yaml', text: deployment(TODAY) }]).problems).toEqual([]);
});
