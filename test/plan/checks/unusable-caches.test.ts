import type { Resource } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { FleetwrightError } from '../../../src/base/errors';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, aMember, anEngine, byPath, type Doc, MACHINES } from '../../api/build';

const AKS = { aks: { vmSize: 'Standard_ND96isr_H100_v5', accelerator: { type: 'nvidia-h100', count: 8 } } };
const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE, ...MACHINES.EKS, ...AKS } });
const HUB = { huggingFace: 'https://hub.example.com' };
const IMAGES = { images: 'mirror.example.com' };

/** A cluster without the internet, unless the row says that it has no mirror. */
function apart(mirror: Doc, source = 'Existing'): Resource {
  const storage = source === 'Existing' ? { sharedFilesystem: { storageClassName: 'nfs' } } : {};
  return aCluster('apart', { source, pools: { h100: 1 }, storage, mirror });
}

/** What a plan says of these, or of why there is none. */
function reported(resources: Resource[]): string[] {
  try {
    return decide(assemble([H100, ...resources]), byPath, EMPTY_LOCK).plan.warnings.map(formatDiagnostic);
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    return error.diagnostics.map(formatDiagnostic);
  }
}

const refused = (host: string, hint: string) => [
  `ModelCache ml/weights spec.source: it reads from ${host}, and InferenceCluster apart uses a mirror instead of the internet. ${hint}, or exclude the cluster with clusterSelector.`,
];

const container = (image: string, more: Doc): Doc => ({ name: 'engine', image, ...more });

const warned = (at: string, repository: string) => [
  `ModelDeployment ml/qwen3 spec.template.spec.engines.0.members.0.template.spec.containers.0.${at}: engine 'main' fetches ${repository} from huggingface.co, which InferenceCluster apart does not reach. Stage it with modelCacheRef, or set spec.mirror.huggingFace of the cluster to a server with the same API.`,
];

describe('a cache on a cluster that has a mirror in place of the internet', () => {
  const none = { huggingFace: undefined };
  const from = {
    hub: { huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) } },
    s3: { ...none, source: 'S3', s3: { uri: 's3://models' } },
    minio: {
      ...none,
      source: 'S3',
      s3: { uri: 's3://models', endpoint: 'https://minio.example.com', secretRef: { name: 'minio' } },
    },
    gcs: { ...none, source: 'GCS', gcs: { uri: 'gs://models' } },
    blob: { ...none, source: 'AzureBlob', azureBlob: { uri: 'https://acme.blob.core.windows.net/models' } },
    http: (url: string): Doc => ({
      ...none,
      source: 'HTTP',
      http: { url },
      verify: { sha256: 'a'.repeat(64) },
    }),
    claim: {
      ...none,
      source: 'ExistingPVC',
      sizeGiB: undefined,
      stage: undefined,
      existingPVC: { claimName: 'data' },
    },
  };
  const another = 'Use a copy that the cluster reaches';
  const cases: Record<string, { cache: Doc; on: Resource; want: string[] }> = {
    'is not read from Hugging Face': {
      cache: from.hub,
      on: apart(IMAGES),
      want: refused('huggingface.co', 'Set spec.mirror.huggingFace of the cluster to a server with the same API'),
    },
    'is read from what answers like it': { cache: from.hub, on: apart(HUB), want: [] },
    'is not read from the buckets of AWS': {
      cache: from.s3,
      on: apart(HUB),
      want: refused('amazonaws.com', 'Set s3.endpoint to a store that the cluster reaches'),
    },
    'is read from them where AWS has a way of its own': { cache: from.s3, on: apart(HUB, 'EKS'), want: [] },
    'is not read from them on another cloud': {
      cache: from.s3,
      on: apart(HUB, 'GKE'),
      want: refused('amazonaws.com', 'Set s3.endpoint to a store that the cluster reaches'),
    },
    'is read from a store of its own': { cache: from.minio, on: apart(HUB), want: [] },
    'is not read from the buckets of Google': {
      cache: from.gcs,
      on: apart(HUB),
      want: refused(
        'storage.googleapis.com',
        "Move the files to a store that the cluster reaches, for example with 'source: S3' and s3.endpoint",
      ),
    },
    'is read from them where Google has a way of its own': {
      cache: from.gcs,
      on: apart(HUB, 'GKE'),
      want: [],
    },
    'is not read from the containers of Azure': {
      cache: from.blob,
      on: apart(HUB, 'GKE'),
      want: refused(
        'blob.core.windows.net',
        "Move the files to a store that the cluster reaches, for example with 'source: S3' and s3.endpoint",
      ),
    },
    'is read from them where Azure has a way of its own': { cache: from.blob, on: apart(HUB, 'AKS'), want: [] },
    'is not read from a public host': {
      cache: from.http('https://github.com/a/b/releases/download/v1/x.gguf'),
      on: apart(HUB),
      want: refused('github.com', another),
    },
    'is not read from a host below one': {
      cache: from.http('https://raw.githubusercontent.com/a/b/main/x'),
      on: apart(HUB),
      want: refused('raw.githubusercontent.com', another),
    },
    'is read from a host of which no one knows': {
      cache: from.http('https://files.notgithub.com/x'),
      on: apart(HUB),
      want: [],
    },
    'is there already': { cache: from.claim, on: apart(HUB), want: [] },
    'is read from everywhere where there is none': { cache: from.hub, on: apart({}), want: [] },
  };
  test.each(Object.entries(cases))('%s', (_, { cache, on, want }) => {
    const weights = aCache('ml/weights', cache);
    expect(reported([on, weights, aDeployment('ml/qwen3', { cache: 'weights' })])).toEqual(want);
  });

  test('keeps new replicas off the cluster where another can run them', () => {
    const near = aCluster('near', { pools: { h100: 1 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } });
    const deployment = aDeployment('ml/qwen3', { cache: 'weights' });
    const resources = [H100, apart(IMAGES), near, aCache('ml/weights', from.hub), deployment];
    const { schedule } = decide(assemble(resources), byPath, EMPTY_LOCK);
    expect(schedule.placements.map(({ cluster }) => cluster)).toEqual(['near']);
  });

  test('is refused where it is staged already', () => {
    const near = aCluster('near', { pools: { h100: 1 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } });
    const deployment = aDeployment('ml/qwen3', { cache: 'weights' });
    const fleet = (mirror: Doc): Resource[] => [H100, apart(mirror), near, aCache('ml/weights', from.hub), deployment];
    const { lock } = decide(assemble(fleet({})), byPath, EMPTY_LOCK);
    expect(() => decide(assemble(fleet(IMAGES)), byPath, lock)).toThrow(
      'it reads from huggingface.co, and InferenceCluster apart uses a mirror instead of the internet',
    );
  });

  test('may be read from anywhere where it is not staged', () => {
    expect(reported([apart(IMAGES), aCache('ml/weights', from.hub)])).toEqual([]);
  });
});

describe('an engine on such a cluster', () => {
  const vllm = (...args: string[]): Doc => container('vllm/vllm-openai:v0.23.0', { args });
  const llama = (...args: string[]): Doc => container('ghcr.io/ggml-org/llama.cpp:server', { args });
  const cases: Record<string, { engine: Doc; on?: Resource; want: string[] }> = {
    'does not reach a repository': { engine: vllm('Qwen/Qwen3-8B'), want: warned('args.0', 'Qwen/Qwen3-8B') },
    'does not reach one that a flag names': {
      engine: vllm('--port=8000', '--model=Qwen/Qwen3-8B'),
      want: warned('args.1', 'Qwen/Qwen3-8B'),
    },
    'does not reach one that a script names': {
      engine: container('house:1', { command: ['sh', '-c', 'exec vllm serve Qwen/Qwen3-8B'] }),
      want: warned('command.2', 'Qwen/Qwen3-8B'),
    },
    'reads from a directory': { engine: vllm('/models/qwen3'), want: [] },
    'reads from a directory that is not at the root': { engine: vllm('./models/qwen3'), want: [] },
    'reads from what answers like it': { engine: vllm('Qwen/Qwen3-8B'), on: apart(HUB), want: [] },
    'reads from where its user says': {
      engine: { ...vllm('Qwen/Qwen3-8B'), env: [{ name: 'HF_ENDPOINT', value: 'https://hub.example.com' }] },
      want: [],
    },
    'reads from everywhere where there is no mirror': {
      engine: vllm('Qwen/Qwen3-8B'),
      on: apart({}),
      want: [],
    },
    'does not reach the repository of a file': {
      engine: llama('-hf', 'Qwen/Qwen3-8B-GGUF:Q4_K_M'),
      want: warned('args.1', 'Qwen/Qwen3-8B-GGUF:Q4_K_M'),
    },
    'reads a file': { engine: llama('--model', 'models/qwen3.gguf'), want: [] },
  };
  test.each(Object.entries(cases))('%s', (_, { engine, on = apart(IMAGES), want }) => {
    const members = [aMember({ template: { spec: { containers: [engine] } } })];
    expect(reported([on, aDeployment('ml/qwen3', { engines: [anEngine('main', { members })] })])).toEqual(want);
  });

  test('is reported of where it is placed alone', () => {
    const elsewhere = aCluster('elsewhere', { pools: { h100: 1 } });
    const selector = { clusterSelector: { matchLabels: { tier: 'prod' } } };
    const labelled = aCluster('near', { pools: { h100: 1 }, labels: { tier: 'prod' } });
    expect(reported([apart(IMAGES), elsewhere, labelled, aDeployment('ml/qwen3', selector)])).toEqual([]);
  });
});
