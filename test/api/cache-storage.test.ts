import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const ALL_FILES = { 'spec.include': undefined, 'spec.exclude': undefined };
const NO_SIZE = { ...ALL_FILES, 'spec.sizeGiB': undefined };
const image = (more: Record<string, string> = {}) => ({
  ...NO_SIZE,
  'spec.source': 'OCI',
  'spec.oci': { image: 'registry.example.com/qwen:1', ...more },
});
const MOUNTED = {
  ...NO_SIZE,
  'spec.source': 'S3',
  'spec.s3': { uri: 's3://models/qwen' },
  'spec.storage': 'ObjectStorageMount',
};

function inline(files: Record<string, string>) {
  return { ...NO_SIZE, 'spec.source': 'Inline', 'spec.content': 'Bytes', 'spec.inline': { files } };
}

const ACCOUNT = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/acme';

function blob(more: Record<string, unknown>) {
  const azureBlob = { uri: 'https://acme.blob.core.windows.net/models/qwen', ...more };
  return { 'spec.source': 'AzureBlob', 'spec.azureBlob': azureBlob };
}

const bad: Record<string, BadRow> = {
  'a bucket is mounted without patterns, keys and accounts': {
    change: {
      ...MOUNTED,
      'spec.include': ['*.json'],
      'spec.s3': { uri: 's3://models/qwen', secretRef: { name: 'keys' }, serviceAccountName: 'reader' },
    },
    want: [
      "spec.include: storage ObjectStorageMount takes no field 'include'. Remove it, and set the address of the bucket to a folder that has only these files.",
      "spec.s3.secretRef: storage ObjectStorageMount takes no field 'secretRef'. Remove it, and allow the role of the CSI driver to read the bucket.",
      "spec.s3.serviceAccountName: storage ObjectStorageMount takes no field 'serviceAccountName'. Remove it, and allow the role of the CSI driver to read the bucket.",
    ],
  },
  'only buckets are mounted': {
    change: { ...ALL_FILES, 'spec.storage': 'ObjectStorageMount' },
    want: [
      'spec.storage: a cache with source HuggingFace cannot have storage ObjectStorageMount. Remove it. It is for source S3 or GCS.',
    ],
  },
  'an image is no disk': {
    change: { ...image(), 'spec.storage': 'BlockDevice' },
    want: [
      'spec.storage: a cache with source OCI cannot have storage BlockDevice. Remove it. It is for source HuggingFace or S3 or GCS or AzureBlob or HTTP.',
    ],
  },
  'an image has its own size': {
    change: { ...image(), 'spec.sizeGiB': 20 },
    want: [
      "spec.sizeGiB: a cache with source OCI takes no field 'sizeGiB'. Remove it. It is for source HuggingFace or S3 or GCS or AzureBlob or HTTP.",
    ],
  },
  'a snapshot is of a disk': {
    change: { 'spec.blockDevice': { snapshot: { name: 'weights' } } },
    want: [
      "spec.blockDevice: a cache with storage SharedFilesystem takes no field 'blockDevice'. Remove it, or write 'storage: BlockDevice'.",
    ],
  },
  'pods that fill their disks have the account of the engine': {
    change: {
      ...ALL_FILES,
      'spec.source': 'GCS',
      'spec.gcs': { uri: 'gs://models/qwen', serviceAccountName: 'reader' },
      'spec.storage': 'BlockDevice',
    },
    want: [
      'spec.gcs.serviceAccountName: the pods of engines stage the files on their own disks, so no other pod reads the bucket. Remove it, and set serviceAccountName in the template of the engine instead.',
    ],
  },
  'no identity is made for pods that fill their disks': {
    change: { ...ALL_FILES, ...blob({ storageAccountId: ACCOUNT }), 'spec.storage': 'BlockDevice' },
    want: [
      "spec.azureBlob.storageAccountId: storage BlockDevice takes no field 'storageAccountId': no Job reads the container. Remove it, and let the ServiceAccount of the engine read the container.",
    ],
  },
  'pods that read a container themselves have the account of the engine': {
    change: { ...ALL_FILES, ...blob({ serviceAccountName: 'reader' }), 'spec.storage': 'BlockDevice' },
    want: [
      'spec.azureBlob.serviceAccountName: the pods of engines stage the files on their own disks, so no other pod reads the bucket. Remove it, and set serviceAccountName in the template of the engine instead.',
    ],
  },
  'a container is not mounted': {
    change: { ...ALL_FILES, ...NO_SIZE, ...blob({}), 'spec.storage': 'ObjectStorageMount' },
    want: [
      'spec.storage: a cache with source AzureBlob cannot have storage ObjectStorageMount. Remove it. It is for source S3 or GCS.',
    ],
  },
  'an identity is made, or a key or an account is given': {
    change: {
      ...ALL_FILES,
      ...blob({ storageAccountId: ACCOUNT, secretRef: { name: 'acme' }, serviceAccountName: 'reader' }),
    },
    want: ['secretRef', 'serviceAccountName'].map(
      (field) =>
        `spec.azureBlob.${field}: an identity is made for the storage account, so no '${field}' is used. Remove it, or remove 'storageAccountId'.`,
    ),
  },
  'the storage account is that of the address': {
    change: { ...ALL_FILES, ...blob({ storageAccountId: ACCOUNT.replace(/acme$/, 'other') }) },
    want: [
      "spec.azureBlob.storageAccountId: 'other' is another storage account than 'acme' of the address. Use the resource ID of the account of the address.",
    ],
  },
  'an address has no signature': {
    change: { ...ALL_FILES, ...blob({ uri: 'https://acme.blob.core.windows.net/models?sig=x' }) },
    want: [
      "spec.azureBlob.uri: 'https://acme.blob.core.windows.net/models?sig=x' is not the address of a container in Azure Blob Storage. Use 'https://acme.blob.core.windows.net/models'.",
    ],
  },
  'an address is one of the web': {
    change: { ...ALL_FILES, ...blob({ uri: 'abfss://models@acme.dfs.core.windows.net/q' }) },
    want: [
      "spec.azureBlob.uri: 'abfss://models@acme.dfs.core.windows.net/q' is not the address of a container in Azure Blob Storage. Use 'https://acme.blob.core.windows.net/models/q'.",
    ],
  },
  'weights do not fit into a ConfigMap': {
    change: { ...NO_SIZE, 'spec.source': 'ConfigMap', 'spec.configMap': { name: 'files' } },
    want: [
      'spec.content: a cache with source ConfigMap cannot have content Model: a ConfigMap holds at most 1 MiB. Set it to LoRA or Tokenizer or Bytes, or use another source.',
    ],
  },
  'files in a manifest have at most 1 MiB in total': {
    change: inline({ a: 'x'.repeat(2 ** 19), b: 'é'.repeat(2 ** 18 + 1) }),
    want: [
      'spec.inline.files: a size of 1048578 bytes is greater than the maximum of 1048576. Use source OCI, S3, GCS, AzureBlob or HTTP: a ConfigMap cannot be larger.',
    ],
  },
  'a file in a manifest is in no folder': {
    change: inline({ 'a/b': 'x' }),
    want: [
      "spec.inline.files.a/b: 'a/b' is not the name of a file in a ConfigMap. Use at most 253 letters, digits, '-', '_' and '.': a ConfigMap has no folders.",
    ],
  },
  'a cache in a manifest has a file': {
    change: inline({}),
    want: ["spec.inline.files: no file is set. Add at least one, as in 'chat_template.jinja: ...'."],
  },
  'a folder of an image is in it': {
    change: image({ path: '../etc' }),
    want: ["spec.oci.path: '../etc' leads out of the volume. Use a path that does not begin with '/' and has no '..'."],
  },
};
test.each(Object.entries(bad))('%s', (_, { change, want }) => {
  expect(reported(changed(fullDocument('ModelCache'), change))).toEqual(want);
});

const good: Record<string, BadRow['change']> = {
  'an image': image({ path: 'models' }),
  'a container of Azure, with an identity': { ...ALL_FILES, ...blob({ storageAccountId: ACCOUNT }) },
  'a mounted bucket, of any size': MOUNTED,
  'files in a manifest': inline({ 'tokenizer.json': '{}', '.hidden': '' }),
  'a ConfigMap with a tokenizer': {
    ...NO_SIZE,
    'spec.source': 'ConfigMap',
    'spec.content': 'Tokenizer',
    'spec.configMap': { name: 'files', items: [{ key: 'a', path: 'b/c' }] },
  },
  'a disk': { 'spec.storage': 'BlockDevice' },
  'a snapshot': {
    'spec.storage': 'BlockDevice',
    'spec.blockDevice': { snapshot: { name: 'weights', path: 'qwen' } },
  },
};
test.each(Object.entries(good))('a cache is %s', (_, change) => {
  expect(reported(changed(fullDocument('ModelCache'), change))).toEqual([]);
});
