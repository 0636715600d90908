import type { Resource } from '../../src/api/kinds';
import { PROVIDER_LABEL } from '../../src/api/labels';
import { errorAt, formatDiagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { renderFleet } from '../../src/render/fleet';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, aMember, anEngine, byPath, type Doc, MACHINES } from '../api/build';

const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE, ...MACHINES.EKS } });
const COMMIT = 'a'.repeat(40);
const PINNED = { huggingFace: { repo: 'a/b', revision: COMMIT } };
const BUCKET = { huggingFace: undefined, source: 'S3', s3: { uri: 's3://models' } };
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };

/** A cluster of one pool with these labels. */
const on = (name: string, more: Parameters<typeof aCluster>[1] = {}) => aCluster(name, { pools: { h100: 1 }, ...more });
const eks = on('eks', {
  source: 'EKS',
  pools: { h100: { nodeCount: 1, zones: ['us-east-1a', 'us-east-1b'] } },
});
const gke = on('gke', { source: 'GKE' });
const ON_GKE = { [PROVIDER_LABEL]: 'GKE' };
const own = on('own', { ...nfs, labels: { tier: 'prod' } });
const serve = (replicas: number, more: Doc = {}) =>
  aDeployment('ml/qwen3', { replicas, cache: 'weights', clusterSelector: { matchLabels: {} }, ...more });

/** A deployment with an adapter, whose engine a script starts. */
function scripted(script: string): Resource {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', command: ['sh', '-c', script] };
  return aDeployment('ml/qwen3', {
    loraAdapters: [{ name: 'sql', modelCacheRef: { name: 'sql' } }],
    engines: [{ name: 'main', members: [aMember({ template: { spec: { containers: [container] } } })] }],
  });
}

function decided(resources: Resource[], lock: Lock = EMPTY_LOCK): Decision {
  return decide(assemble([H100, ...resources]), byPath, lock);
}

describe('the plan says where caches are staged', () => {
  const cases: Record<string, { resources: Resource[]; want: string[] }> = {
    'on clusters with a replica, and what the file system makes of the size': {
      resources: [eks, gke, own, aCache('ml/weights', PINNED), serve(3)],
      want: [
        'ModelCache ml/weights is staged on eks, gke, own, 20 GiB each. On eks, EFS grows with its files. On gke, Filestore (enterprise) makes 1,024 GiB of it.',
      ],
    },
    'nothing of a file system that makes what is asked for': {
      resources: [gke, aCache('ml/weights', { ...PINNED, sizeGiB: 1024 }), serve(1)],
      want: ['ModelCache ml/weights is staged on gke, 1,024 GiB.'],
    },
    'only where replicas are': {
      resources: [
        own,
        gke,
        aCache('ml/weights', PINNED),
        serve(1, { clusterSelector: { matchLabels: { tier: 'prod' } } }),
      ],
      want: ['ModelCache ml/weights is staged on own, 20 GiB.'],
    },
    'everywhere, where it says so, but for clusters without its storage': {
      resources: [own, gke, on('bare'), aCache('ml/weights', { ...PINNED, stage: 'Everywhere' })],
      want: [
        'ModelCache ml/weights is staged on gke, own, 20 GiB each. On gke, Filestore (enterprise) makes 1,024 GiB of it.',
      ],
    },
    'everywhere under the alias group, within its selector': {
      resources: [
        own,
        gke,
        aCache('ml/weights', {
          ...PINNED,
          group: 'modelplane.ai',
          clusterSelector: { matchLabels: { tier: 'prod' } },
        }),
      ],
      want: ['ModelCache ml/weights is staged on own, 20 GiB.'],
    },
    'that no one uses it': {
      resources: [own, aCache('ml/weights', PINNED), aCache('web/weights', PINNED), serve(1)],
      want: [
        'ModelCache ml/weights is staged on own, 20 GiB.',
        'ModelCache web/weights is not staged, because no replica mounts it.',
      ],
    },
    'that a claim is there already': {
      resources: [
        on('bare'),
        aCache('ml/weights', {
          source: 'ExistingPVC',
          huggingFace: undefined,
          sizeGiB: undefined,
          existingPVC: { claimName: 'data' },
        }),
        serve(1),
      ],
      want: ['ModelCache ml/weights is PersistentVolumeClaim data on bare: nothing is staged.'],
    },
    'who reads a bucket, where the cache names no account': {
      resources: [own, aCache('ml/weights', BUCKET), serve(1)],
      want: [
        'ModelCache ml/weights is staged on own, 20 GiB. The Job reads s3://models as ServiceAccount default of ml: give it a cloud identity that may read the bucket, or set s3.serviceAccountName or s3.secretRef.',
      ],
    },
    'nothing of an account that the cache names': {
      resources: [
        own,
        aCache('ml/weights', { ...BUCKET, s3: { uri: 's3://models', serviceAccountName: 'reader' } }),
        serve(1),
      ],
      want: ['ModelCache ml/weights is staged on own, 20 GiB.'],
    },
    'nothing of a Secret with keys': {
      resources: [
        own,
        aCache('ml/weights', {
          ...BUCKET,
          source: 'GCS',
          s3: undefined,
          gcs: { uri: 'gs://models', secretRef: { name: 'keys', key: 'json' } },
        }),
        serve(1),
      ],
      want: ['ModelCache ml/weights is staged on own, 20 GiB.'],
    },
    'for adapters too': {
      resources: [
        own,
        aCache('ml/sql', { ...PINNED, content: 'LoRA' }),
        aDeployment('ml/qwen3', { loraAdapters: [{ name: 'sql', modelCacheRef: { name: 'sql' } }] }),
      ],
      want: ['ModelCache ml/sql is staged on own, 20 GiB.'],
    },
    'the first of many clusters': {
      resources: [
        ...Array.from({ length: 10 }, (_, i) => on(`c${i}`, nfs)),
        aCache('ml/weights', { ...PINNED, stage: 'Everywhere' }),
      ],
      want: ['ModelCache ml/weights is staged on c0, c1, c2, c3, c4, c5, c6, c7, 2 more, 20 GiB each.'],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { resources, want }) => {
    expect(decided(resources).plan.notes).toEqual(want);
    expect(decided(resources.toReversed()).plan.notes).toEqual(want);
  });
});

const classes: Record<string, { resources: Resource[]; want: string[] }> = {
  'what a class of Google makes on a cluster that exists': {
    resources: [
      on('gke', { storage: { sharedFilesystem: { storageClassName: 'premium-rwx' } } }),
      aCache('ml/weights', PINNED),
      serve(1),
    ],
    want: ['ModelCache ml/weights is staged on gke, 20 GiB. On gke, Filestore (basic SSD) makes 2,560 GiB of it.'],
  },
  'what the tier of its class makes on a cluster of GKE that exists': {
    resources: [
      on('gke', { storage: { sharedFilesystem: { storageClassName: 'ours', tier: 'BasicSSD' } }, labels: ON_GKE }),
      aCache('ml/weights', PINNED),
      serve(1),
    ],
    want: ['ModelCache ml/weights is staged on gke, 20 GiB. On gke, Filestore (basic SSD) makes 2,560 GiB of it.'],
  },
  'that the tier of a class on GKE is not known': {
    resources: [
      on('gke', { storage: { sharedFilesystem: { storageClassName: 'ours' } }, labels: ON_GKE }),
      aCache('ml/weights', PINNED),
      serve(1),
    ],
    want: [
      'ModelCache ml/weights is staged on gke, 20 GiB. If the storage class of gke is one of Filestore, set sharedFilesystem.tier there: its volumes have at least 1,024 GiB.',
    ],
  },
  'what a class of Azure makes on a cluster that exists': {
    resources: [
      on('aks', { storage: { sharedFilesystem: { storageClassName: 'azurefile-csi-premium' } } }),
      aCache('ml/weights', PINNED),
      serve(1),
    ],
    want: ['ModelCache ml/weights is staged on aks, 20 GiB. On aks, Azure Files (premium) makes 100 GiB of it.'],
  },
};

test.each(Object.entries(classes))(
  'of a storage class of a cluster that exists, the plan says %s',
  (_, { resources, want }) => {
    expect(decided(resources).plan.notes).toEqual(want);
  },
);

describe('the plan warns', () => {
  const http = { source: 'HTTP', huggingFace: undefined, http: { url: 'https://example.com/a' } };
  const place = 'ModelCache ml/weights spec';
  const MOVES = 'can change, so clusters may serve different weights. Use a commit, with all 40 digits.';
  const cases: Record<string, { resources: Resource[]; want: string[] }> = {
    'of a branch': {
      resources: [own, aCache('ml/weights', { huggingFace: { repo: 'a/b', revision: 'main' } }), serve(1)],
      want: [`${place}.huggingFace.revision: revision 'main' ${MOVES}`],
    },
    'of no revision': {
      resources: [own, aCache('ml/weights', { huggingFace: { repo: 'a/b' } }), serve(1)],
      want: [`${place}.huggingFace: the default branch ${MOVES}`],
    },
    'not of a commit': { resources: [own, aCache('ml/weights', PINNED), serve(1)], want: [] },
    'of a commit that is cut short': {
      resources: [own, aCache('ml/weights', { huggingFace: { repo: 'a/b', revision: 'abc1234' } }), serve(1)],
      want: [`${place}.huggingFace.revision: revision 'abc1234' ${MOVES}`],
    },
    'of a file without a checksum': {
      resources: [own, aCache('ml/weights', http), serve(1)],
      want: [
        `${place}.http.url: the file has no checksum, so clusters may serve different files. Set spec.verify.sha256.`,
      ],
    },
    'not of a file with one': {
      resources: [own, aCache('ml/weights', { ...http, verify: { sha256: COMMIT + 'a'.repeat(24) } }), serve(1)],
      want: [],
    },
    'not of what no one stages': { resources: [own, aCache('ml/weights')], want: [] },
    'of adapters that a script would have to pass': {
      resources: [own, aCache('ml/sql', { ...PINNED, content: 'LoRA' }), scripted('vllm serve a/b')],
      want: [
        "ModelDeployment ml/qwen3 spec.template.spec.engines.0: a script starts engine 'main', so its adapters are not passed to it. Pass their folders below /mnt/adapters in the script, with --lora-modules.",
      ],
    },
    'not of an engine without adapters, whatever starts it': {
      resources: [own, aDeployment('ml/qwen3', { engines: [anEngine('main', { runtime: 'Ollama' })] })],
      want: [],
    },
    'not of adapters that a script passes': {
      resources: [
        own,
        aCache('ml/sql', { ...PINNED, content: 'LoRA' }),
        scripted('vllm serve a/b --enable-lora --lora-modules sql=/mnt/adapters/sql'),
      ],
      want: [],
    },
    'of a cache that no cluster can hold, for want of storage': {
      resources: [on('bare'), aCache('ml/weights', PINNED), serve(1)],
      want: [
        'ModelCache ml/weights metadata.name: no cluster can have ModelCache ml/weights: the cluster that it selects declares no shared file system. Set spec.storage.sharedFilesystem.storageClassName of a cluster.',
      ],
    },
    'of a cache that no cluster can mount, though one has a shared file system': {
      resources: [
        on('bare'),
        own,
        aCache('ml/weights', { ...BUCKET, storage: 'ObjectStorageMount', sizeGiB: undefined }),
        serve(1),
      ],
      want: [
        "ModelCache ml/weights metadata.name: no cluster can have ModelCache ml/weights: each of the 2 clusters that it selects declares no driver that mounts S3 buckets. Remove 'storage: ObjectStorageMount' from the cache, and set 'sizeGiB', because own has a shared file system. Or install s3.csi.aws.com, and set spec.storage.objectStorageMount to 'sources: [S3]' of a cluster.",
      ],
    },
    'of a cache whose disks no cluster has, though one has a shared file system': {
      resources: [own, aCache('ml/weights', { ...PINNED, storage: 'BlockDevice', blockDevice: {} }), serve(1)],
      want: [
        "ModelCache ml/weights metadata.name: no cluster can have ModelCache ml/weights: the cluster that it selects declares no storage class for disks. Remove 'storage: BlockDevice' and 'blockDevice' from the cache, because own has a shared file system. Or set spec.storage.blockDevice.storageClassName of a cluster.",
      ],
    },
    'of a cache that no cluster can hold, for want of labels': {
      resources: [own, aCache('ml/weights', { ...PINNED, clusterSelector: { matchLabels: { tier: 'x' } } }), serve(1)],
      want: [
        `${place}.clusterSelector: no cluster can have ModelCache ml/weights: its clusterSelector matches no cluster. Correct spec.clusterSelector, or label a cluster.`,
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { resources, want }) => {
    expect(decided(resources).plan.warnings.map(formatDiagnostic)).toEqual(want);
  });
});

test('a replica whose cluster lost its storage stops the plan: its pods would wait for ever', () => {
  const cache = aCache('ml/weights', PINNED);
  const { lock } = decided([own, cache, serve(1)]);
  expect(() => decided([on('own', { labels: { tier: 'prod' } }), cache, serve(1)], lock)).toThrow(
    new FleetwrightError([
      errorAt(
        'cache-without-storage',
        'InferenceCluster own spec.storage',
        'replicas on InferenceCluster own mount ModelCache ml/weights, and the cluster declares no shared file system',
        "Set spec.storage.sharedFilesystem.storageClassName, or first move the replicas off the cluster with clusterSelector and 'lock --finalize', in a change of its own",
      ),
    ]),
  );
});

test('a cache is a file of its own, before those of deployments', () => {
  const { fleet, replicas } = decided([gke, aCache('ml/weights', PINNED), serve(1)]);
  expect([...renderFleet(fleet, replicas).keys()]).toEqual([
    'gke/00-namespaces.yaml',
    'gke/01_cache.ml.weights.yaml',
    'gke/ml.qwen3.yaml',
  ]);
});

test('the namespace of a cache is made where no deployment is', () => {
  const { fleet, replicas } = decided([gke, aCache('ml/weights', { ...PINNED, stage: 'Everywhere' })]);
  expect(renderFleet(fleet, replicas).get('gke/00-namespaces.yaml')).toContain('name: ml\n');
});
