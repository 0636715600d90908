import { cacheFolderOf } from '../../../src/replicas/staged-caches';
import { aCluster, type Doc } from '../../api/build';
import { GKE, ofKind } from '../build';
import { cacheOf, environmentOf, jobOf, OWN, QWEN, staged } from './build';

test('a cache on a cluster is a claim, a Job and what looks after them', () => {
  const objects = staged(QWEN).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
  expect(objects).toEqual([
    'PersistentVolumeClaim ml/weights-6bc06',
    expect.stringMatching(/^Job ml\/weights-stage-4d7ca-[0-9a-f]{8}$/),
    'CronJob ml/weights-sweep-7b190',
  ]);
  for (const { metadata } of staged(QWEN)) {
    expect(metadata.labels).toMatchObject({
      'app.kubernetes.io/name': 'weights',
      'app.kubernetes.io/managed-by': 'fleetwright',
      'fleetwright.dev/cache': 'weights',
      'fleetwright.dev/cluster': 'own',
    });
    expect(metadata.annotations).toEqual({ 'argocd.argoproj.io/sync-wave': '-1' });
  }
});

test('labels of the fleet are on all of it', () => {
  const [claim] = staged(QWEN, { defaults: { labels: { team: 'ml' } } });
  expect(claim!.metadata.labels).toMatchObject({ team: 'ml', 'fleetwright.dev/cache': 'weights' });
});

test.each<[string, typeof GKE, string]>([
  ['of the cluster', OWN, 'nfs'],
  ['that comes with the cluster', GKE, 'fleetwright-shared'],
])('the claim is for many nodes, of the class %s', (_, cluster, storageClassName) => {
  expect(ofKind(staged(QWEN, { cluster }), 'PersistentVolumeClaim')[0]!.spec).toEqual({
    accessModes: ['ReadWriteMany'],
    storageClassName,
    resources: { requests: { storage: '20Gi' } },
  });
});

test.each<[string, Doc, string]>([
  [
    'the registry of the fleet',
    { imageRegistry: 'mirror.example.com' },
    'mirror.example.com/kserve/storage-initializer:v0.20.0',
  ],
  ['an image of the fleet', { cacheImages: { huggingFace: 'ours/hub:1' } }, 'ours/hub:1'],
  [
    'both',
    { cacheImages: { huggingFace: 'ours/hub:1', s3: 'x' }, imageRegistry: 'mirror.example.com' },
    'mirror.example.com/ours/hub:1',
  ],
])('images can be those of %s', (_, defaults, want) => {
  expect(jobOf(QWEN, { defaults }).container.image).toBe(want);
});

test('the pod passes the strictest Pod Security level, and runs where there is room', () => {
  const { job, pod, container } = jobOf(QWEN);
  expect(pod).toMatchObject({
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { preference: { matchExpressions: [{ key: 'fleetwright.dev/pool', operator: 'DoesNotExist' }] } },
        ],
      },
    },
    tolerations: [
      { key: 'spot', operator: 'Exists', effect: 'NoExecute' },
      { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
      { key: 'team', operator: 'Equal', value: 'ml', effect: 'NoSchedule' },
    ],
  });
  expect(container['securityContext']).toEqual({
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(container['resources']).toMatchObject({ requests: { cpu: '1', memory: '2Gi' } });
  const mounts = container['volumeMounts'] as { mountPath: string }[];
  expect(mounts.map(({ mountPath }) => mountPath)).toEqual(['/cache', '/tmp']);
  expect(job.spec).toMatchObject({ backoffLimit: 6 });
  expect(job.spec).not.toHaveProperty('ttlSecondsAfterFinished');
});

test('a wrong checksum ends the Job at once, and a drained node costs no attempt', () => {
  const { job, container } = jobOf(QWEN);
  expect(job.spec).toHaveProperty('podFailurePolicy.rules', [
    {
      action: 'FailJob',
      onExitCodes: { containerName: container['name'], operator: 'In', values: [65] },
    },
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
  ]);
});

test('what looks after the volume lets go of it when it is done', () => {
  const [{ spec = {} } = {}] = ofKind(staged(QWEN), 'CronJob');
  expect(spec['schedule']).toMatch(/^\d+ \d+ \* \* \*$/);
  expect(spec).toMatchObject({
    concurrencyPolicy: 'Forbid',
    jobTemplate: { spec: { ttlSecondsAfterFinished: 600 } },
  });
  expect(JSON.stringify(spec)).not.toContain('secretKeyRef');
});

/** The names of what stages a cache. */
function at(spec: Doc) {
  const { job, container } = jobOf(cacheOf(spec));
  return { job: job.metadata.name, folder: environmentOf(container)['FOLDER'] };
}

describe('the folder and the Job of a cache', () => {
  const base = { huggingFace: { repo: 'a/b', revision: 'main' } };
  const before = at(base);
  const others: Record<string, Doc> = {
    'another revision': { huggingFace: { repo: 'a/b', revision: 'v2' } },
    'another repository': { huggingFace: { repo: 'a/c', revision: 'main' } },
    'other patterns': { ...base, include: ['*.json'] },
    'patterns that leave other files out': { ...base, exclude: ['*.json'] },
  };
  test.each(Object.entries(others))('are others with %s', (_, spec) => {
    const after = at(spec);
    expect(after.folder).not.toBe(before.folder);
    expect(after.job).not.toBe(before.job);
  });

  test('are others with another checksum', () => {
    const file = { source: 'HTTP', http: { url: 'https://example.com/a' } };
    expect(at({ ...file, verify: { sha256: 'a'.repeat(64) } }).folder).not.toBe(at(file).folder);
  });

  test('differ in the Job alone with another Secret', () => {
    const after = at({ huggingFace: { ...base.huggingFace, authSecret: { name: 'token' } } });
    expect(after.folder).toBe(before.folder);
    expect(after.job).not.toBe(before.job);
  });

  test.each<[string, Doc]>([
    ['size', { sizeGiB: 40 }],
    ['mount path', { mountPath: '/models' }],
    ['content', { content: 'Bytes' }],
  ])('stay with another %s', (_, spec) => {
    expect(at({ ...base, ...spec })).toEqual(before);
  });

  test('do not depend on the order of fields', () => {
    const { spec, ...cache } = cacheOf(base);
    const { repo = '', ...rest } = spec.huggingFace ?? {};
    const turned = { ...cache, spec: { ...spec, huggingFace: { ...rest, repo } } };
    expect(cacheFolderOf(turned)).toBe(cacheFolderOf(cacheOf(base)));
  });

  test('differ in the Job alone with another account', () => {
    const bucket = { source: 'S3', s3: { uri: 's3://models' } };
    const [own, other] = [at(bucket), at({ ...bucket, s3: { ...bucket.s3, serviceAccountName: 'reader' } })];
    expect(other.folder).toBe(own.folder);
    expect(other.job).not.toBe(own.job);
  });
});

test('a claim of another class is another claim', () => {
  const other = aCluster('own', {
    pools: { h100: 2 },
    storage: { sharedFilesystem: { storageClassName: 'ceph' } },
  });
  const names = [OWN, other].map((cluster) => staged(QWEN, { cluster })[0]!.metadata.name);
  expect(new Set(names).size).toBe(2);
});

test('a claim that exists is not staged', () => {
  const adopted = cacheOf({ source: 'ExistingPVC', existingPVC: { claimName: 'data' }, sizeGiB: undefined });
  expect(staged(adopted)).toEqual([]);
});
