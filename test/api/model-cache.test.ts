import { aCache } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, told } from './rows';

const bad: Record<string, BadRow> = {
  'a revision has a name': {
    change: { 'spec.huggingFace.revision': '' },
    want: ['spec.huggingFace.revision: an empty text is below the minimum of 1.'],
  },
  'a source is one that we know': {
    change: { 'spec.source': 'S3' },
    want: ["spec.source: expected 'HuggingFace', got 'S3'."],
  },
  'the block of the source is required': {
    change: { 'spec.huggingFace': undefined },
    want: ["spec.huggingFace: the field 'huggingFace' is missing. A cache with source HuggingFace needs it."],
  },
  'a repository has a name': {
    change: { 'spec.huggingFace.repo': '' },
    want: ['spec.huggingFace.repo: an empty text is below the minimum of 1.'],
  },
  'a cache has a size of at least 1 GiB': {
    change: { 'spec.sizeGiB': 0 },
    want: ['spec.sizeGiB: 0 is below the minimum of 1.'],
  },
  'a cache has a size of at most 100000 GiB': {
    change: { 'spec.sizeGiB': 100001 },
    want: ['spec.sizeGiB: 100001 is above the maximum of 100000.'],
  },
  "older spellings name today's place": {
    change: {
      spec: {
        source: 'HuggingFace',
        huggingFace: { repo: 'a/b', tokenSecretRef: {} },
        sizeGiB: 1,
        artifact: { kind: 'Weights' },
        storage: { backend: 'PVC' },
        replication: 'AllMatchingClusters',
      },
    },
    want: [
      "spec.huggingFace.tokenSecretRef: the field 'tokenSecretRef' has no place here. Write it as 'authSecret'.",
      "spec.artifact: the field 'artifact' has no place here. Write 'source: HuggingFace' and 'huggingFace' in spec; every file of a repository is staged, whatever its kind.",
      "spec.storage: the field 'storage' has no place here. Remove it; a cluster names its storage class at spec.storage.sharedFilesystem.storageClassName.",
      "spec.replication: the field 'replication' has no place here. Write the clusters at spec.clusterSelector.",
    ],
  },
  'clusters are selected by equality': {
    change: { 'spec.clusterSelector.matchExpressions': [] },
    want: ["spec.clusterSelector.matchExpressions: unknown field 'matchExpressions'. Use matchLabels."],
  },
  'a namespace is a DNS label': {
    change: { 'metadata.namespace': 'a.b' },
    want: [
      "metadata.namespace: 'a.b' is not a DNS label. Use lowercase letters, digits and '-', with a letter or digit at both ends.",
    ],
  },
};

describe('ModelCache', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(told(changed(fullDocument('ModelCache'), change))).toEqual(want);
  });

  test('a short document gets its defaults', () => {
    const huggingFace = { repo: 'a/b', authSecret: { name: 'token' } };
    expect(aCache('ml/qwen3', { huggingFace }).spec).toEqual({
      source: 'HuggingFace',
      huggingFace: { repo: 'a/b', authSecret: { name: 'token', key: 'HF_TOKEN' } },
      sizeGiB: 20,
      clusterSelector: { matchLabels: {} },
    });
  });
});
