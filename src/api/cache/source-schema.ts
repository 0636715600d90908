import { shortenText } from '../../base/describe-value';
import { errorAt } from '../../base/diagnostic';
import { IN_BUCKET } from '../kubernetes-spellings';
import { fields, sameHint } from '../schema/fields';
import { integer } from '../schema/quantity';
import { rules, type SchemaRule } from '../schema/rules';
import { secretKeyReference } from '../schema/secret-reference';
import { hubRepository, nonEmptyText, referencedName, stringFormat, webAddress } from '../schema/string-formats';
import { configMap, folderInVolume, inline, oci } from './mounted-source-schema';
import { CACHE_SOURCE_BLOCK, type CopiedSource, fileNameOf, isFileName, splitBlobAddress } from './source';

/** The size of a volume, in GiB. */
export const cacheSize = integer(1, 100_000);

const huggingFace = fields(
  {
    repo: hubRepository.describe('The repository: Qwen/Qwen3-8B.'),
    revision: nonEmptyText(512)
      .optional()
      .describe(
        'A commit of 40 digits, which never changes, or a branch or tag, which can. Default: the default branch of the repository.',
      ),
    authSecret: secretKeyReference('HF_TOKEN')
      .optional()
      .describe(
        'The Secret with the token for a gated repository, in the namespace of the cache. Default key: HF_TOKEN.',
      ),
    sizeGiB: cacheSize
      .optional()
      .describe('The same as spec.sizeGiB, at the place that modelplane.ai uses. If both are set, they must be equal.'),
  },
  {
    tokenSecretRef: "Use 'authSecret' instead",
    ...sameHint(
      ['token', 'hfToken', 'secretRef', 'tokenSecret'],
      "Put the token into a Secret, and use 'authSecret', as in 'authSecret: { name: NAME }'",
    ),
  },
);

/** How tools write the addresses of buckets of a store. */
interface BucketForms {
  readonly schemes: RegExp;

  /** The first label of the host of the store. Labels before it are the bucket; without any, the path begins with it. */
  readonly storeLabel: RegExp;

  /** What hosts of the store end with. */
  readonly domain: RegExp;
}

const BUCKET_FORMS: Readonly<Record<'s3' | 'gs', BucketForms>> = {
  s3: { schemes: /^s3[an]?:$/, storeLabel: /^s3(?:-|$)/, domain: /\.amazonaws\.com(?:\.cn)?$/ },
  gs: { schemes: /^(?:gs|gcs):$/, storeLabel: /^storage$/, domain: /\.(?:googleapis|cloud\.google)\.com$/ },
};

/** Writes the address of a bucket that a user copied from a browser or another tool. Others stay as they are. */
function toBucketAddress(value: string, scheme: 's3' | 'gs'): string {
  if (!URL.canParse(value)) return value;
  const { schemes, storeLabel, domain } = BUCKET_FORMS[scheme];
  const { protocol, hostname, pathname } = new URL(value);
  if (schemes.test(protocol)) return `${scheme}://${hostname}${pathname}`;
  if (!/^https?:$/.test(protocol) || !domain.test(hostname)) return value;
  const labels = hostname.split('.');
  const at = labels.findLastIndex((label) => storeLabel.test(label));
  if (at === -1) return value;
  const bucketPath = labels.slice(0, at).join('.') + pathname;
  return `${scheme}:/${at === 0 ? '' : '/'}${bucketPath}`;
}

interface AddressedSource {
  readonly source: CopiedSource;
  readonly address: RegExp;
}

/** What the addresses of sources look like, as tools write them. */
const ADDRESSED_SOURCES: readonly AddressedSource[] = [
  { source: 'S3', address: /^s3[an]?:\/\/|^https:\/\/[^/]*\.amazonaws\.com(\.cn)?(\/|$)/ },
  { source: 'GCS', address: /^gc?s:\/\/|^gcs:\/\/|^https:\/\/storage\.(googleapis|cloud\.google)\.com(\/|$)/ },
  { source: 'AzureBlob', address: /^(abfss?|wasbs?):\/\/|^https:\/\/[^/]*\.(blob|dfs)\.core\.windows\.net(\/|$)/ },
  { source: 'HuggingFace', address: /^hf:\/\/|^https:\/\/huggingface\.co\// },
];

/** Returns what to do with an address that is not one of a source: use the source that it is of, or write it otherwise. */
function hintAtAddress(own: CopiedSource, otherwise: string): (value: string) => string {
  return (value) => {
    const source = ADDRESSED_SOURCES.find(({ address }) => address.test(value))?.source;
    if (source === undefined || source === own) return otherwise;
    return `It is of source ${source}: write 'source: ${source}', and '${CACHE_SOURCE_BLOCK[source]}' in place of '${CACHE_SOURCE_BLOCK[own]}'`;
  };
}

function bucket(scheme: 's3' | 'gs') {
  const example = `${scheme}://models/qwen3-8b`;
  return stringFormat({
    noun: `the address of ${scheme === 's3' ? 'an S3' : 'a Cloud Storage'} bucket`,
    code: 'bad-address',
    pattern: new RegExp(`^${scheme}://[a-z0-9][a-z0-9._-]+(/.*)?$`, 's'),
    max: 2048,
    hint: hintAtAddress(scheme === 's3' ? 'S3' : 'GCS', `Write it as '${example}'`),
    correct: (value) => toBucketAddress(value, scheme),
  }).describe(`A bucket and a folder in it, or one object: ${example}.`);
}

const serviceAccountName = referencedName
  .optional()
  .describe(
    'The ServiceAccount whose cloud identity may read the bucket, in the namespace of the cache. Default: default.',
  );

const s3 = fields(
  {
    uri: bucket('s3'),
    region: nonEmptyText(63).optional().describe('The region of the bucket: us-east-1.'),
    endpoint: webAddress
      .optional()
      .describe(
        'The address of an S3-compatible store, inside or outside the cluster: https://minio.example.com. Default: AWS.',
      ),
    secretRef: fields({ name: referencedName.describe('The name of the Secret.') })
      .optional()
      .describe(
        'The Secret with the keys access_key and secret_key, in the namespace of the cache. Default: the cloud identity of the pod.',
      ),
    serviceAccountName,
  },
  IN_BUCKET,
);

const gcs = fields(
  {
    uri: bucket('gs'),
    secretRef: secretKeyReference('key.json')
      .optional()
      .describe(
        'The Secret with the key of a Google service account, in the namespace of the cache. Default: the cloud identity of the pod.',
      ),
    serviceAccountName,
  },
  IN_BUCKET,
);

/** The web address of a container that a tool names by its own scheme: `abfss://models@account.dfs.core.windows.net/q`. */
function toBlobAddress(value: string): string {
  const [, container, account, path = ''] = CONTAINER_ADDRESS.exec(value) ?? [];
  const address = container === undefined ? value : `https://${account}.blob.core.windows.net/${container}${path}`;
  // What follows is a signature, which would be in manifests.
  return address
    .replace(/^http:/, 'https:')
    .replace(/\.dfs\.core\./, '.blob.core.')
    .replace(/[?#].*$/s, '');
}

const CONTAINER_ADDRESS = /^(?:abfss?|wasbs?):\/\/([a-z0-9-]+)@([a-z0-9]+)\.(?:dfs|blob)\.core\.windows\.net(\/.*)?$/s;

const blobAddress = stringFormat({
  noun: 'the address of a container in Azure Blob Storage',
  code: 'bad-address',
  // No query: a signature would be in manifests. Other clouds of Azure have other host names.
  pattern: /^https:\/\/[a-z0-9]{3,24}\.blob\.core\.windows\.net\/[a-z0-9](-?[a-z0-9]){2,62}(\/[^?#%]*)?$/s,
  max: 2048,
  hint: hintAtAddress('AzureBlob', "Write it as 'https://ACCOUNT.blob.core.windows.net/models/qwen3-8b'"),
  correct: toBlobAddress,
});

const storageAccountId = stringFormat({
  noun: 'a storage account',
  code: 'bad-name',
  pattern:
    /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Storage\/storageAccounts\/[a-z0-9]{3,24}$/,
  max: 512,
  hint: "Use its resource ID: '/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Storage/storageAccounts/NAME'",
});

interface BlobFields {
  readonly uri: string;
  readonly storageAccountId?: string | undefined;
  readonly secretRef?: unknown;
  readonly serviceAccountName?: string | undefined;
}

/** An identity is made for the staging Job alone, so nothing else may decide what the Job reads as. */
const blobHasOneReader: SchemaRule<BlobFields> = function* (blob) {
  if (blob.storageAccountId === undefined) return;
  for (const field of ['secretRef', 'serviceAccountName'] as const) {
    if (blob[field] === undefined) continue;
    const what = `an identity is made for the storage account, so no '${field}' is used`;
    yield errorAt('contradiction', [field], what, "Remove it, or remove 'storageAccountId'");
  }
};

const blobNamesOneAccount: SchemaRule<BlobFields> = function* ({ uri, storageAccountId: id }) {
  const { account } = splitBlobAddress(uri);
  const name = id?.split('/').at(-1);
  if (name === undefined || name === account) return;
  const what = `'${shortenText(name)}' is another storage account than '${account}' of the address`;
  yield errorAt('contradiction', ['storageAccountId'], what, 'Use the resource ID of the account of the address');
};

const azureBlob = fields({
  uri: blobAddress.describe(
    'A container and a folder in it, or one blob: https://ACCOUNT.blob.core.windows.net/models/qwen3-8b.',
  ),
  storageAccountId: storageAccountId
    .optional()
    .describe(
      'The resource ID of the storage account. A stack that creates a cluster on AKS then creates an identity that may read the container, and a ServiceAccount for it. Default: no identity is created.',
    ),
  secretRef: secretKeyReference('azurestorageaccountkey')
    .optional()
    .describe(
      'The Secret with a key of the storage account, in the namespace of the cache. Default key: azurestorageaccountkey. Default: the workload identity of the pod.',
    ),
  serviceAccountName: referencedName
    .optional()
    .describe(
      'The ServiceAccount whose workload identity may read the container, in the namespace of the cache. Default: default.',
    ),
}).check(rules(blobHasOneReader, blobNamesOneAccount));

const goodFileName: SchemaRule<string> = function* (name) {
  if (isFileName(name)) return;
  yield errorAt('bad-name', [], `'${shortenText(name)}' is not the name of a file`, 'Use a name without a slash');
};

const namedFile: SchemaRule<{ url: string; fileName?: string | undefined }> = function* ({ url, fileName }) {
  if (fileName !== undefined || !URL.canParse(url) || fileNameOf(url) !== undefined) return;
  const what = 'the address does not end with a file name';
  yield errorAt('missing-field', ['fileName'], what, "Set 'fileName'");
};

const http = fields({
  url: webAddress.describe('The address of one file: https://example.com/adapter.safetensors.'),
  fileName: nonEmptyText(255)
    .check(rules(goodFileName))
    .optional()
    .describe('The name of the file in the cache. Default: the last part of the path of the address.'),
  secretRef: secretKeyReference('Authorization')
    .optional()
    .describe(
      'The Secret with the value of the header Authorization, in the namespace of the cache. Default key: Authorization.',
    ),
}).check(rules(namedFile));

const existingPVC = fields({
  claimName: referencedName.describe('The PersistentVolumeClaim, in the namespace of the cache, on each cluster.'),
  path: folderInVolume
    .optional()
    .describe('The folder of the volume that is mounted: models/qwen3-8b. Default: all of it.'),
});

export const sourceBlocks = {
  huggingFace: huggingFace.optional().describe('For source HuggingFace.'),
  s3: s3.optional().describe('For source S3.'),
  gcs: gcs.optional().describe('For source GCS.'),
  azureBlob: azureBlob.optional().describe('For source AzureBlob.'),
  http: http.optional().describe('For source HTTP.'),
  existingPVC: existingPVC.optional().describe('For source ExistingPVC: files that exist already. Nothing is staged.'),
  oci: oci
    .optional()
    .describe('For source OCI: an image that pods mount as a volume. Needs Kubernetes 1.35. Nothing is staged.'),
  configMap: configMap.optional().describe('For source ConfigMap: a ConfigMap that exists already.'),
  inline: inline.optional().describe('For source Inline: small files, written in the manifest.'),
};
