import { aCache, aCluster, type Doc } from '../api/build';
import { manifestsOf, pods, withContainer } from '../render/build';

const OWN = aCluster('own', {
  pools: { h100: 2 },
  storage: {
    sharedFilesystem: { storageClassName: 'nfs' },
    blockDevice: { storageClassName: 'disks', manyReaders: true },
    objectStorageMount: { sources: ['S3', 'GCS'] },
  },
});
const MIRRORED = aCluster('own', {
  pools: { h100: 2 },
  storage: { blockDevice: { storageClassName: 'disks' } },
  mirror: { images: 'mirror.example.com', huggingFace: 'https://hub.example.com' },
});
const NO_HUB = { huggingFace: undefined, sizeGiB: undefined };
const S3 = { ...NO_HUB, source: 'S3', storage: 'ObjectStorageMount' };
const IMAGE = { ...NO_HUB, source: 'OCI', oci: { image: 'models/qwen@sha256:ab', path: 'models' } };
const DISK = { storage: 'BlockDevice', huggingFace: { repo: 'a/b', authSecret: { name: 'hub' } } };

interface Volumes {
  readonly volume: Doc;
  readonly mount: Doc;
}

/** A pod that mounts a cache with this spec. */
function podWith(spec: Doc, { cluster = OWN, ...options }: Doc & { cluster?: typeof OWN } = {}) {
  const deployment = withContainer({ image: 'vllm/vllm-openai:v0.23.0' }, { cache: 'weights', ...options });
  const caches = [aCache('ml/weights', spec)];
  return pods(deployment, { cluster, caches })['Standalone']!;
}

const isCache = ({ name }: Doc): boolean => name === 'model-cache';

function volumeOf(spec: Doc): Volumes {
  const { spec: pod } = podWith(spec);
  const volume = (pod['volumes'] as Doc[]).find(isCache) ?? {};
  const mount = (pod.containers[0]['volumeMounts'] as Doc[]).find(isCache) ?? {};
  return { volume, mount };
}

const volumes: Record<string, { spec: Doc; volume: Doc; mount?: Doc }> = {
  'an image, and a folder of it': {
    spec: { ...IMAGE, oci: { ...IMAGE.oci, pullPolicy: 'Always' } },
    volume: { image: { reference: 'models/qwen@sha256:ab', pullPolicy: 'Always' } },
    mount: { subPath: 'models', readOnly: true },
  },
  'a ConfigMap that exists': {
    spec: {
      ...NO_HUB,
      source: 'ConfigMap',
      content: 'Bytes',
      configMap: { name: 'files', items: [{ key: 'a', path: 'b/c' }] },
    },
    volume: { configMap: { name: 'files', items: [{ key: 'a', path: 'b/c' }] } },
    mount: { readOnly: true },
  },
  'a ConfigMap of the files in the manifest': {
    spec: { ...NO_HUB, source: 'Inline', content: 'Bytes', inline: { files: { a: 'x' } } },
    volume: { configMap: { name: expect.stringMatching(/^weights-mount-[0-9a-f]{5}-[0-9a-f]{8}$/) } },
    mount: { readOnly: true },
  },
  'a bucket of Cloud Storage': {
    spec: { ...S3, source: 'GCS', gcs: { uri: 'gs://models' } },
    volume: {
      csi: {
        driver: 'gcsfuse.csi.storage.gke.io',
        readOnly: true,
        volumeAttributes: { bucketName: 'models', mountOptions: 'implicit-dirs' },
      },
    },
    mount: { readOnly: true },
  },
  'a folder of a bucket of Cloud Storage': {
    spec: { ...S3, source: 'GCS', gcs: { uri: 'gs://models/qwen/8b/' } },
    volume: {
      csi: expect.objectContaining({
        volumeAttributes: { bucketName: 'models', mountOptions: 'implicit-dirs,only-dir=qwen/8b' },
      }),
    },
    mount: { readOnly: true },
  },
  'the claim of a bucket of S3': {
    spec: { ...S3, s3: { uri: 's3://models/qwen' } },
    volume: { persistentVolumeClaim: { claimName: expect.stringContaining('weights-mount-'), readOnly: true } },
    mount: { readOnly: true },
  },
  'the claim of a snapshot, which many nodes read': {
    spec: { storage: 'BlockDevice', blockDevice: { snapshot: { name: 'weights', path: 'qwen' } } },
    volume: { persistentVolumeClaim: { claimName: expect.stringContaining('weights-mount-'), readOnly: true } },
    mount: { subPath: 'qwen', readOnly: true },
  },
  'a disk of its own': {
    spec: DISK,
    volume: {
      ephemeral: {
        volumeClaimTemplate: {
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'disks',
            resources: { requests: { storage: '20Gi' } },
          },
        },
      },
    },
    mount: { subPath: expect.stringMatching(/^[0-9a-f]{10}$/) },
  },
};
test.each(Object.entries(volumes))('a pod mounts %s', (_, { spec, volume, mount = {} }) => {
  expect(volumeOf(spec)).toEqual({
    volume: { name: 'model-cache', ...volume },
    mount: { name: 'model-cache', mountPath: '/mnt/models', ...mount },
  });
});

test('a pod that mounts an image pulls it with the Secret of the cache, and with its own', () => {
  const { spec } = podWith({ ...IMAGE, oci: { ...IMAGE.oci, pullSecretRef: { name: 'models' } } });
  expect(spec['imagePullSecrets']).toEqual([{ name: 'models' }]);
});

test('a pod with a bucket of Cloud Storage has the annotation of its driver, and waits for nothing', () => {
  const { metadata, spec } = podWith({ ...S3, source: 'GCS', gcs: { uri: 'gs://models' } });
  expect(metadata['annotations']).toEqual({ 'gke-gcsfuse/volumes': 'true' });
  expect(spec).not.toHaveProperty('initContainers');
});

test('a pod gets a token of Azure to fill its disk from a container, unless it has a key', () => {
  const blob = { ...DISK, huggingFace: undefined, source: 'AzureBlob' };
  const uri = 'https://acme.blob.core.windows.net/models';
  const labelOf = (azureBlob: Doc) =>
    (podWith({ ...blob, azureBlob }).metadata['labels'] as Doc)['azure.workload.identity/use'];
  expect(labelOf({ uri })).toBe('true');
  expect(labelOf({ uri, secretRef: { name: 'acme' } })).toBeUndefined();
});

test('a pod with a disk fills it before its engine starts, as strictly as a Job', () => {
  const { spec } = podWith(DISK);
  const [stage, ...others] = spec['initContainers'] as Doc[];
  expect(others).toEqual([]);
  expect(stage).toMatchObject({
    name: 'stage-model-cache',
    image: 'kserve/storage-initializer:v0.20.0',
    env: expect.arrayContaining([{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hub', key: 'HF_TOKEN' } } }]),
    securityContext: { runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    volumeMounts: [
      { name: 'model-cache', mountPath: '/cache' },
      { name: 'cache-scratch', mountPath: '/tmp' },
    ],
  });
  expect(spec['securityContext']).toMatchObject({ fsGroup: 1000, supplementalGroups: [1000] });
});

const HTTPS = { ports: [{ protocol: 'TCP', port: 443 }] };
const METADATA = [
  { to: [{ ipBlock: { cidr: '169.254.169.254/32' } }], ports: [{ protocol: 'TCP', port: 80 }] },
  { to: [{ ipBlock: { cidr: '169.254.169.252/32' } }], ports: [{ protocol: 'TCP', port: 988 }] },
];
const egress: Record<string, { spec: Doc; want: Doc[] }> = {
  'the hub, for the disk of a pod': { spec: DISK, want: [HTTPS] },
  'the port of a server, for the disk of a pod': {
    spec: { ...DISK, huggingFace: undefined, source: 'HTTP', http: { url: 'http://files.example.com:8080/a' } },
    want: [{ ports: [{ protocol: 'TCP', port: 8080 }] }],
  },
  'Azure and its tokens, for the disk of a pod': {
    spec: {
      ...DISK,
      huggingFace: undefined,
      source: 'AzureBlob',
      azureBlob: { uri: 'https://acme.blob.core.windows.net/models' },
    },
    want: [HTTPS],
  },
  'the identity of the pod and Cloud Storage, for a mount of it': {
    spec: { ...S3, source: 'GCS', gcs: { uri: 'gs://models' } },
    want: [...METADATA, HTTPS],
  },
  'nothing for a bucket that the node mounts': { spec: { ...S3, s3: { uri: 's3://models/qwen' } }, want: [] },
  'nothing for an image, which the node pulls': { spec: IMAGE, want: [] },
  'nothing for files that a Job stages': { spec: {}, want: [] },
};
test.each(Object.entries(egress))('a pod without egress reaches %s', (_, { spec, want }) => {
  const deployment = withContainer({}, { cache: 'weights', networkPolicy: { to: [] } });
  const manifests = manifestsOf(deployment, { cluster: OWN, caches: [aCache('ml/weights', spec)] });
  const [, , ...others] = manifests.find(({ kind }) => kind === 'NetworkPolicy')!.spec!['egress'] as Doc[];
  expect(others).toEqual(want);
});

const imagesOf = (spec: Doc) =>
  JSON.stringify(
    manifestsOf(withContainer({}, { cache: 'weights' }), { cluster: MIRRORED, caches: [aCache('ml/weights', spec)] }),
  );

test('images of volumes and of what fills disks come from the mirror of the cluster', () => {
  expect(imagesOf(IMAGE)).toContain('"reference":"mirror.example.com/models/qwen@sha256:ab"');
  expect(imagesOf(DISK)).toContain('"image":"mirror.example.com/kserve/storage-initializer:v0.20.0"');
  expect(imagesOf(DISK)).toContain('"value":"https://hub.example.com"');
});
