import { STAGE_SCRIPT } from '../../../src/render/cache/staging-scripts';
import type { Doc } from '../../api/build';
import { cacheOf, environmentOf, jobOf, QWEN } from './build';
import { expand } from './expand';

const S3 = { source: 'S3', s3: { uri: 's3://models/qwen', region: 'eu-west-1' } };
const GCS = { source: 'GCS', gcs: { uri: 'gs://models/qwen' } };
const BLOB = { uri: 'https://acme.blob.core.windows.net/models/qwen' };
const STORAGE_ACCOUNT = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/acme';
const HTTP = { source: 'HTTP', http: { url: 'https://example.com/a%20b.bin?x=1' } };
const rclone = (...rest: string[]): string[] => [
  ...'rclone copy --config=/dev/null --inplace --transfers=8 --stats=1m --stats-one-line --verbose'.split(' '),
  ...rest,
  '.',
];
const cases: Record<string, { spec: Doc; image: string; program: string[]; env: Record<string, string> }> = {
  'Hugging Face, with the token only from a Secret': {
    spec: {
      huggingFace: { repo: 'a/b', revision: 'v1', authSecret: { name: 'hub' } },
      include: ['*.json'],
      exclude: ['x'],
    },
    image: 'kserve/storage-initializer:v0.20.0',
    program: ['python3', '-c'],
    env: {
      REPO: 'a/b',
      REVISION: 'v1',
      INCLUDE: '["*.json"]',
      EXCLUDE: '["x"]',
      HF_TOKEN: 'hub/HF_TOKEN',
      HF_HOME: '/tmp/huggingface',
      HF_HUB_DISABLE_PROGRESS_BARS: '1',
      HF_HUB_DISABLE_TELEMETRY: '1',
    },
  },
  'a bucket of AWS, as whoever the pod is': {
    spec: S3,
    image: 'rclone/rclone:1.75.1',
    program: rclone(':s3:models/qwen'),
    env: { RCLONE_S3_PROVIDER: 'AWS', RCLONE_S3_ENV_AUTH: 'true', RCLONE_S3_REGION: 'eu-west-1' },
  },
  'a bucket elsewhere, with keys': {
    spec: {
      source: 'S3',
      s3: { uri: 's3://models', endpoint: 'https://minio.example.com', secretRef: { name: 'keys' } },
    },
    image: 'rclone/rclone:1.75.1',
    program: rclone(':s3:models'),
    env: {
      RCLONE_S3_PROVIDER: 'Other',
      RCLONE_S3_ENV_AUTH: 'true',
      RCLONE_S3_ENDPOINT: 'https://minio.example.com',
      AWS_ACCESS_KEY_ID: 'keys/access_key',
      AWS_SECRET_ACCESS_KEY: 'keys/secret_key',
    },
  },
  'some objects, by paths from the root, with braces that are only braces': {
    spec: { ...S3, include: ['*.safetensors', 'a{b}'], exclude: ['original/*'] },
    image: 'rclone/rclone:1.75.1',
    program: rclone(
      '--filter=- /original/**',
      '--filter=+ /**.safetensors',
      '--filter=+ /a\\{b\\}',
      '--filter=- **',
      ':s3:models/qwen',
    ),
    env: { RCLONE_S3_PROVIDER: 'AWS', RCLONE_S3_ENV_AUTH: 'true', RCLONE_S3_REGION: 'eu-west-1' },
  },
  'all objects but some': {
    spec: { ...GCS, exclude: ['*.md'] },
    image: 'rclone/rclone:1.75.1',
    program: rclone('--filter=- /**.md', ':gcs:models/qwen'),
    env: { RCLONE_GCS_ENV_AUTH: 'true' },
  },
  'a bucket of Google, with a key': {
    spec: { source: 'GCS', gcs: { uri: 'gs://models', secretRef: { name: 'robot', key: 'k' } } },
    image: 'rclone/rclone:1.75.1',
    program: rclone(':gcs:models'),
    env: { RCLONE_GCS_SERVICE_ACCOUNT_CREDENTIALS: 'robot/k' },
  },
  'a container of Azure, with the identity of the pod': {
    spec: { source: 'AzureBlob', azureBlob: BLOB, exclude: ['*.md'] },
    image: 'rclone/rclone:1.75.1',
    program: rclone('--filter=- /**.md', ':azureblob:models/qwen'),
    env: { RCLONE_AZUREBLOB_ACCOUNT: 'acme', RCLONE_AZUREBLOB_ENV_AUTH: 'true' },
  },
  'a whole container of Azure, with a key': {
    spec: {
      source: 'AzureBlob',
      azureBlob: { uri: 'https://acme.blob.core.windows.net/models/', secretRef: { name: 'acme' } },
    },
    image: 'rclone/rclone:1.75.1',
    program: rclone(':azureblob:models'),
    env: { RCLONE_AZUREBLOB_ACCOUNT: 'acme', RCLONE_AZUREBLOB_KEY: 'acme/azurestorageaccountkey' },
  },
  'a file, under the name that its address ends in': {
    spec: HTTP,
    image: 'curlimages/curl:8.16.0',
    program: ['sh', '-c'],
    env: { URL: 'https://example.com/a%20b.bin?x=1', FILE: 'a b.bin' },
  },
  'a file with a name, a checksum and a header': {
    spec: {
      source: 'HTTP',
      http: { url: 'https://example.com/', fileName: 'f', secretRef: { name: 's', key: 'k' } },
      verify: { sha256: 'a'.repeat(64) },
    },
    image: 'curlimages/curl:8.16.0',
    program: ['sh', '-c'],
    env: { URL: 'https://example.com/', FILE: 'f', SHA256: 'a'.repeat(64), AUTHORIZATION: 's/k' },
  },
};
describe('what a source is fetched with', () => {
  test.each(Object.entries(cases))('%s', (_, { spec, image, program, env }) => {
    const { container } = jobOf(cacheOf(spec));
    expect(container.image).toBe(image);
    expect(container.args.slice(0, program.length)).toEqual(program);
    const { FOLDER, ...rest } = environmentOf(container);
    expect(FOLDER).toMatch(/^\/cache\/[0-9a-f]{10}$/);
    expect(rest).toEqual(env);
  });
});

describe('what users write', () => {
  test.each(['$(REVISION)', '$$(REVISION)', '$REVISION', '$$', '$(', 'a$', `'"\n\``])(
    'a name that has %j in it reaches the program as it is',
    (name) => {
      const repo = jobOf(cacheOf({ huggingFace: { repo: 'a/b', revision: name } })).container;
      expect(environmentOf(repo)['REVISION']).toBe(name);
      const bucket = jobOf(cacheOf({ source: 'S3', s3: { uri: `s3://b1/${name}` }, include: [name] })).container;
      const [include, remote] = [bucket.args.at(-4), bucket.args.at(-2)];
      expect([include, remote].map((arg) => expand(arg!, { REVISION: 'x' }))).toEqual([
        `--filter=+ /${name}`,
        `:s3:b1/${name}`,
      ]);
    },
  );

  test('the scripts reach their shells as they are', () => {
    for (const cache of [QWEN, cacheOf(HTTP), cacheOf(S3)]) {
      const { container } = jobOf(cache);
      const variables = Object.fromEntries(container.env.map(({ name }) => [name, 'expanded']));
      for (const part of [...container.command, ...container.args.slice(0, 3)]) {
        expect(expand(part, variables)).toBe(part);
      }
      expect(container.command).toEqual(['sh', '-c', STAGE_SCRIPT, 'stage']);
    }
  });

  test.each([
    ['S3', { source: 'S3', s3: { uri: 's3://models', serviceAccountName: 'reader' } }],
    ['GCS', { source: 'GCS', gcs: { uri: 'gs://models', serviceAccountName: 'reader' } }],
    ['Azure', { source: 'AzureBlob', azureBlob: { ...BLOB, serviceAccountName: 'reader' } }],
  ])('a bucket of %s can be read by an account', (_, spec) => {
    expect(jobOf(cacheOf(spec)).pod['serviceAccountName']).toBe('reader');
    expect(jobOf(QWEN).pod).not.toHaveProperty('serviceAccountName');
  });

  test('the account for which an identity is made is named after the cache', () => {
    const azureBlob = { ...BLOB, storageAccountId: STORAGE_ACCOUNT };
    const account = jobOf(cacheOf({ source: 'AzureBlob', azureBlob })).pod['serviceAccountName'];
    expect(account).toMatch(/^weights-reader-[0-9a-f]{5}$/);
  });

  test.each([
    ['gets a token of Azure without a key', { azureBlob: BLOB }, 'true'],
    ['gets no token of Azure with a key', { azureBlob: { ...BLOB, secretRef: { name: 'acme' } } }, undefined],
  ])('a Job %s', (_, blob, want) => {
    const job = jobOf(cacheOf({ source: 'AzureBlob', ...blob }));
    expect(job.labels['azure.workload.identity/use']).toBe(want);
    expect(jobOf(QWEN).labels).not.toHaveProperty('azure.workload.identity/use');
  });
});
