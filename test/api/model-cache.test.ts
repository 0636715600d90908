import { aCache } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const ALL_FILES = { 'spec.include': undefined, 'spec.exclude': undefined };
const NO_SIZE = { 'spec.sizeGiB': undefined };
const FILE = { ...ALL_FILES, 'spec.source': 'HTTP', 'spec.http': { url: 'https://example.com/a' } };
const ADOPTED = {
  ...ALL_FILES,
  'spec.source': 'ExistingPVC',
  'spec.existingPVC': { claimName: 'data' },
  'spec.sizeGiB': undefined,
};
const SECRET =
  'spec.http.url: the address contains a password or a signature, which manifests would show. Put the value of the header Authorization into a Secret, and set secretRef to its name.';

function notAbsolute(path: string): string {
  return `spec.mountPath: '${path}' is not an absolute path. Begin it with '/', do not end it with '/', and do not use '..' or ':'.`;
}

const bad: Record<string, BadRow> = {
  'a revision has a name': {
    change: { 'spec.huggingFace.revision': '' },
    want: [
      'spec.huggingFace.revision: an empty text is less than the minimum of 1. Write a text, or remove the field.',
    ],
  },
  'a source is one that we know': {
    change: { 'spec.source': 'S4' },
    want: [
      "spec.source: unknown value 'S4'. Use one of HuggingFace, S3, GCS, AzureBlob, HTTP, ExistingPVC, OCI, ConfigMap, Inline.",
    ],
  },
  'the block of the source is required': {
    change: { 'spec.huggingFace': undefined },
    want: ["spec.huggingFace: the field 'huggingFace' is missing. A cache with source HuggingFace needs it."],
  },
  'a block of another name is that of the source': {
    change: { 'spec.source': 'S3', 'spec.huggingFace': undefined, 'spec.bucket': { uri: 's3://models/q' } },
    want: ["spec.bucket: unknown field 'bucket'. Use 's3'."],
  },
  'the block of another source is one problem, whatever it contains': {
    change: { 'spec.source': 'S3', 'spec.huggingFace': undefined, 'spec.gcs': { uri: 's3://models/q' } },
    want: ["spec.gcs: 'gcs' is for source GCS, and the source is S3. Write 's3', or 'source: GCS'."],
  },
  'fields that depend on the source are no second problem next to the block of another one': {
    change: { ...NO_SIZE, 'spec.huggingFace': undefined, 'spec.inline': { files: { a: 'b' } } },
    want: [
      "spec.inline: 'inline' is for source Inline, and the source is HuggingFace. Write 'huggingFace', or 'source: Inline'.",
    ],
  },
  'a repository has a name': {
    change: { 'spec.huggingFace.repo': '' },
    want: ['spec.huggingFace.repo: an empty text is less than the minimum of 1. Write a text, or remove the field.'],
  },
  'a repository is not a web address': {
    change: { 'spec.huggingFace.repo': 'https://huggingface.co/Qwen/Qwen3-8B/tree/main' },
    want: [
      "spec.huggingFace.repo: 'https://huggingface.co/Qwen/Qwen3-8B/tree/main' is not a repository of Hugging Face. Use 'Qwen/Qwen3-8B'.",
    ],
  },
  'a repository is one of an owner': {
    change: { 'spec.huggingFace.repo': 'models/Qwen/Qwen3-8B/' },
    want: [
      "spec.huggingFace.repo: 'models/Qwen/Qwen3-8B/' is not a repository of Hugging Face. Use OWNER/NAME without an address, as in 'Qwen/Qwen3-8B'.",
    ],
  },
  'a cache has a size of at least 1 GiB': {
    change: { 'spec.sizeGiB': 0 },
    want: ['spec.sizeGiB: 0 is less than the minimum of 1. Use at least 1.'],
  },
  'a cache has a size of at most 100000 GiB': {
    change: { 'spec.sizeGiB': 100001 },
    want: ['spec.sizeGiB: 100001 is greater than the maximum of 100000. Use at most 100000.'],
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
      "spec.huggingFace.tokenSecretRef: the field 'tokenSecretRef' is not allowed here. Use 'authSecret' instead.",
      'spec.storage: unknown value: a map. Use one of SharedFilesystem, BlockDevice, ObjectStorageMount.',
      "spec.artifact: the field 'artifact' is not allowed here. Move the source to spec, and set 'content' to artifact.kind.",
      "spec.replication: the field 'replication' is not allowed here. Use spec.clusterSelector for the clusters, with 'stage: Everywhere' for all of them.",
    ],
  },
  'what is staged has a size': {
    change: { 'spec.sizeGiB': undefined },
    want: ["spec.sizeGiB: the field 'sizeGiB' is missing. A cache with source HuggingFace needs it."],
  },
  'a size that two fields state is the same in both': {
    change: { 'spec.huggingFace.sizeGiB': 30 },
    want: ['spec.huggingFace.sizeGiB: the size is 30 GiB here and 20 GiB at spec.sizeGiB. Remove one of the two.'],
  },
  'a claim that exists has its own size': {
    change: { ...ADOPTED, 'spec.sizeGiB': 20 },
    want: [
      "spec.sizeGiB: a cache with source ExistingPVC takes no field 'sizeGiB'. Remove it. It is for source HuggingFace or S3 or GCS or AzureBlob or HTTP.",
    ],
  },
  'patterns choose from several files, and a checksum is of one': {
    change: {
      'spec.source': 'HTTP',
      'spec.http': { url: 'https://example.com/a' },
      'spec.include': ['*.json'],
      'spec.exclude': ['*.md'],
    },
    want: [
      "spec.include: a cache with source HTTP takes no field 'include'. Remove it. It is for source HuggingFace or S3 or GCS or AzureBlob.",
      "spec.exclude: a cache with source HTTP takes no field 'exclude'. Remove it. It is for source HuggingFace or S3 or GCS or AzureBlob.",
    ],
  },
  'a checksum is of a file': {
    change: { 'spec.verify': { sha256: 'a'.repeat(64) } },
    want: ["spec.verify: a cache with source HuggingFace takes no field 'verify'. Remove it. It is for source HTTP."],
  },
  'a checksum is one': {
    change: { ...FILE, 'spec.verify': { sha256: 'A'.repeat(64) } },
    want: [
      `spec.verify.sha256: '${'A'.repeat(60)}...' is not a SHA-256 checksum. Use its 64 lowercase hexadecimal digits.`,
    ],
  },
  'adapters are mounted side by side': {
    change: { 'spec.content': 'LoRA', 'spec.mountPath': '/models' },
    want: [
      "spec.mountPath: a cache with content LoRA takes no field 'mountPath'. Remove it. Adapters are mounted at /mnt/adapters/NAME, by their name in the deployment.",
    ],
  },
  'a mount path is absolute': { change: { 'spec.mountPath': 'models' }, want: [notAbsolute('models')] },
  'a mount path does not climb': { change: { 'spec.mountPath': '/a/../b' }, want: [notAbsolute('/a/../b')] },
  'a mount path is not the root': { change: { 'spec.mountPath': '/' }, want: [notAbsolute('/')] },
  'a bucket has an address': {
    change: { 'spec.source': 'S3', 'spec.s3': { uri: 'https://bucket/x' } },
    want: ["spec.s3.uri: 'https://bucket/x' is not the address of an S3 bucket. Write it as 's3://models/qwen3-8b'."],
  },
  ...Object.fromEntries(
    Object.entries({
      'https://bk.s3.eu-central-1.amazonaws.com/x/y': 's3://bk/x/y',
      'https://my.bk.s3.amazonaws.com/x': 's3://my.bk/x',
      'https://s3.us-east-1.amazonaws.com/bk/x': 's3://bk/x',
      's3a://bk/x': 's3://bk/x',
    }).map(([uri, meant]) => [
      `a bucket is not written as ${uri}`,
      {
        change: { 'spec.source': 'S3', 'spec.s3': { uri } },
        want: [`spec.s3.uri: '${uri}' is not the address of an S3 bucket. Use '${meant}'.`],
      },
    ]),
  ),
  'a bucket of Google is not written as in the console': {
    change: { 'spec.source': 'GCS', 'spec.gcs': { uri: 'https://storage.cloud.google.com/bk/x' } },
    want: [
      "spec.gcs.uri: 'https://storage.cloud.google.com/bk/x' is not the address of a Cloud Storage bucket. Use 'gs://bk/x'.",
    ],
  },
  'a bucket of Google has another': {
    change: { 'spec.source': 'GCS', 'spec.gcs': { uri: 'bucket/x' } },
    want: [
      "spec.gcs.uri: 'bucket/x' is not the address of a Cloud Storage bucket. Write it as 'gs://models/qwen3-8b'.",
    ],
  },
  ...Object.fromEntries(
    (
      [
        ['GCS', 'gcs', 's3://bk/x', 'S3', 's3'],
        ['GCS', 'gcs', 'https://bk.s3.amazonaws.com/x', 'S3', 's3'],
        ['S3', 's3', 'gs://bk/x', 'GCS', 'gcs'],
        ['S3', 's3', 'https://storage.googleapis.com/bk/x', 'GCS', 'gcs'],
        ['S3', 's3', 'https://acme.blob.core.windows.net/bk/x', 'AzureBlob', 'azureBlob'],
        ['S3', 's3', 'abfss://bk@acme.dfs.core.windows.net/x', 'AzureBlob', 'azureBlob'],
        ['S3', 's3', 'hf://Qwen/Qwen3-8B', 'HuggingFace', 'huggingFace'],
        ['AzureBlob', 'azureBlob', 's3://bk/x', 'S3', 's3'],
      ] as const
    ).map(([source, block, uri, other, otherBlock]) => [
      `${uri} is not of source ${source}`,
      {
        change: { 'spec.source': source, [`spec.${block}`]: { uri } },
        want: [
          expect.stringContaining(
            `It is of source ${other}: write 'source: ${other}', and '${otherBlock}' in place of '${block}'.`,
          ) as string,
        ],
      },
    ]),
  ),
  'a file has an address of the web, which is not shown': {
    change: { ...FILE, 'spec.http.url': 'ftp://me:secret@example.com/a' },
    want: ["spec.http.url: this is not an HTTPS address. Begin it with https://, and write spaces as '%20'."],
  },
  'an address has no password': {
    change: { ...FILE, 'spec.http.url': 'https://me:secret@example.com/a' },
    want: [SECRET],
  },
  'an address has no password without a user either': {
    change: { ...FILE, 'spec.http.url': 'https://:secret@example.com/a' },
    want: [SECRET],
  },
  'an address has no user': {
    change: { ...FILE, 'spec.http.url': 'https://token@example.com/a' },
    want: [SECRET],
  },
  'an address is not signed for AWS': {
    change: { ...FILE, 'spec.http.url': 'https://b.example.com/a?x=1&X-Amz-Signature=abc' },
    want: [SECRET],
  },
  'an address is not signed for Azure': {
    change: { ...FILE, 'spec.http.url': 'https://b.example.com/a?sig=abc' },
    want: [SECRET],
  },
  'a file has a name': {
    change: { ...FILE, 'spec.http.url': 'https://example.com/folder/' },
    want: ["spec.http.fileName: the address does not end with a file name. Set 'fileName'."],
  },
  'the name of a file has no slash, not even an encoded one': {
    change: { ...FILE, 'spec.http.url': 'https://example.com/..%2Fa' },
    want: ["spec.http.fileName: the address does not end with a file name. Set 'fileName'."],
  },
  'the name of a file is no folder': {
    change: { ...FILE, 'spec.http.fileName': '..' },
    want: ["spec.http.fileName: '..' is not the name of a file. Use a name without a slash."],
  },
  'a folder of a volume is in it': {
    change: { ...ADOPTED, 'spec.existingPVC.path': 'a/../../b' },
    want: [
      "spec.existingPVC.path: 'a/../../b' leads out of the volume. Use a path that does not begin with '/' and has no '..'.",
    ],
  },
  'a folder of a volume is relative': {
    change: { ...ADOPTED, 'spec.existingPVC.path': '/a' },
    want: [
      "spec.existingPVC.path: '/a' leads out of the volume. Use a path that does not begin with '/' and has no '..'.",
    ],
  },
  'clusters are selected by equality': {
    change: { 'spec.clusterSelector.matchExpressions': [] },
    want: [
      "spec.clusterSelector.matchExpressions: the field 'matchExpressions' is not allowed here. Use 'matchLabels'.",
    ],
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
    expect(reported(changed(fullDocument('ModelCache'), change))).toEqual(want);
  });

  test('a short document gets its defaults', () => {
    const huggingFace = { repo: 'a/b', authSecret: { name: 'token' } };
    expect(aCache('ml/qwen3', { huggingFace }).spec).toEqual({
      source: 'HuggingFace',
      huggingFace: { repo: 'a/b', authSecret: { name: 'token', key: 'HF_TOKEN' } },
      content: 'Model',
      storage: 'SharedFilesystem',
      sizeGiB: 20,
      stage: 'WherePlaced',
      clusterSelector: { matchLabels: {} },
      include: [],
      exclude: [],
    });
  });

  test.each([
    ['huggingFace.sizeGiB', { sizeGiB: undefined, huggingFace: { repo: 'a/b', sizeGiB: 20 } }],
    ['both fields', { huggingFace: { repo: 'a/b', sizeGiB: 20 } }],
  ])('takes its size from %s, and keeps it at spec.sizeGiB', (_, spec) => {
    expect(aCache('ml/a', { group: 'modelplane.ai', ...spec }).spec).toEqual(
      aCache('ml/a', { group: 'modelplane.ai', huggingFace: { repo: 'a/b' } }).spec,
    );
  });

  test('is staged everywhere under the alias group, unless it says otherwise', () => {
    expect(aCache('ml/a', { group: 'modelplane.ai' }).spec.stage).toBe('Everywhere');
    expect(aCache('ml/a', { group: 'modelplane.ai', stage: 'WherePlaced' }).spec.stage).toBe('WherePlaced');
  });

  test.each([
    ['a prefix', { source: 'S3', s3: { uri: 's3://b.u-cket/a b/"c"' } }],
    ['a whole bucket', { source: 'GCS', gcs: { uri: 'gs://bucket' } }],
    ['an address whose last part is a name', { source: 'HTTP', http: { url: 'http://10.0.0.1:8080/a?b=c/' } }],
    ['a claim', { source: 'ExistingPVC', sizeGiB: undefined, existingPVC: { claimName: 'a', path: 'b..c/d' } }],
    ['a mount path', { mountPath: '/a/..b/c.d' }],
  ])('may be %s', (_, spec) => {
    expect(() => aCache('ml/a', { huggingFace: { repo: 'a/b' }, ...spec })).not.toThrow();
  });
});
