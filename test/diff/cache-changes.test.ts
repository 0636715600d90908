import type { Resource } from '../../src/api/kinds';
import { formatCacheChange } from '../../src/report/diff/change-sentences';
import { aCache, aClass, aCluster, aDeployment, anEngine, parsed } from '../api/build';
import { diff } from './build';

const H100 = aClass('h100');
const mounted = aDeployment('ml/q', { cache: 'w', engines: [anEngine('main')] });
const unmounted = aDeployment('ml/q');

const STORAGE = { sharedFilesystem: { storageClassName: 'nfs' } };
const nfs = (labels: Record<string, string> = {}, nodes = 4): Resource =>
  aCluster('us', { labels, pools: { h100: nodes }, storage: STORAGE });

const P5 = parsed('InferenceClass', 'h100', { from: 'aws/p5.48xlarge' });
const inRegion = (region: string): Resource =>
  aCluster('us', {
    source: 'EKS',
    cluster: { source: 'EKS', eks: { region } },
    pools: { h100: { nodeCount: 4, zones: [`${region}a`] } },
    storage: STORAGE,
  });

/** A cache of one revision. */
function weights(revision: string): Resource {
  return aCache('ml/w', { huggingFace: { repo: 'a/b', revision: revision.repeat(40) } });
}

describe('caches are staged where they are needed, each with what it comes from', () => {
  const two = aDeployment('ml/q', { cache: 'w', replicas: 2 });
  const everywhere = aCache('ml/w', {
    huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) },
    stage: 'Everywhere',
    clusterSelector: { matchLabels: { gpu: 'h100' } },
  });
  const field =
    'ModelDeployment ml/q modelCacheRef: {"name":"w"}, %s (ModelDeployment ml/q spec.template.spec.modelCacheRef)';
  const cases: Record<string, { before: Resource[]; after: Resource[]; want: string }> = {
    'staged where a replica comes to mount it': {
      before: [H100, nfs(), weights('a'), unmounted],
      after: [H100, nfs({}, 5), weights('a'), mounted],
      want: `staged (volume of 20 GiB); because ${field.replace('%s', 'new')}`,
    },
    'staged where it is new': {
      before: [H100, nfs({ gpu: 'h100' }), unmounted],
      after: [H100, nfs({ gpu: 'h100' }), everywhere, unmounted],
      want: `staged from a/b at ${'a'.repeat(40)} (volume of 20 GiB); because ModelCache ml/w is new (ModelCache ml/w )`,
    },
    'staged where its cluster is selected now': {
      before: [H100, nfs(), everywhere, unmounted],
      after: [H100, nfs({ gpu: 'h100' }), everywhere, unmounted],
      want: 'staged (volume of 20 GiB); because InferenceCluster us labels.gpu: h100, new (InferenceCluster us metadata.labels.gpu)',
    },
    'staged again, next to the existing files, where its files are others': {
      before: [H100, nfs(), weights('a'), mounted],
      after: [H100, nfs(), weights('b'), mounted],
      want: `staged again, next to the existing files (volume of 20 GiB); because ModelCache ml/w huggingFace.revision: aaaaaaaa -> bbbbbbbb (ModelCache ml/w spec.huggingFace.revision)`,
    },
    'staged again, into a new volume, where the storage class of its cluster is another one': {
      before: [H100, nfs(), weights('a'), mounted],
      after: [
        H100,
        aCluster('us', { pools: { h100: 4 }, storage: { sharedFilesystem: { storageClassName: 'lustre' } } }),
        weights('a'),
        mounted,
      ],
      want: `staged again, into a new volume of the new storage class; the old volume is deleted where manifests are pruned (Argo CD, Flux: 'prune: true'); otherwise it stays until you delete it (volume of 20 GiB); because InferenceCluster us storage.sharedFilesystem.storageClassName: nfs -> lustre (InferenceCluster us spec.storage.sharedFilesystem.storageClassName)`,
    },
    'not needed any more where no one mounts it': {
      before: [H100, nfs(), weights('a'), mounted],
      after: [H100, nfs(), weights('a'), unmounted],
      want: `no longer needed; its volume is deleted where manifests are pruned (Argo CD, Flux: 'prune: true'); otherwise it stays until you delete it; because ${field.replace('{', 'was {').replace('%s', 'removed')}`,
    },
    'not needed any more where only clusters with replicas stage it now, whatever its files are': {
      before: [H100, nfs({ gpu: 'h100' }), everywhere, unmounted],
      after: [H100, nfs({ gpu: 'h100' }), weights('b'), unmounted],
      want: `no longer needed; its volume is deleted where manifests are pruned (Argo CD, Flux: 'prune: true'); otherwise it stays until you delete it; because ModelCache ml/w clusterSelector.matchLabels.gpu: was h100, removed (ModelCache ml/w spec.clusterSelector.matchLabels.gpu); ModelCache ml/w spec.stage: Everywhere -> WherePlaced (ModelCache ml/w spec.stage)`,
    },
    'staged again because of its files, and not because of where it is staged': {
      before: [H100, nfs(), weights('a'), mounted],
      after: [
        H100,
        nfs(),
        aCache('ml/w', { huggingFace: { repo: 'a/b', revision: 'b'.repeat(40) }, stage: 'Everywhere' }),
        mounted,
      ],
      want: `staged again, next to the existing files (volume of 20 GiB); because ModelCache ml/w huggingFace.revision: aaaaaaaa -> bbbbbbbb (ModelCache ml/w spec.huggingFace.revision)`,
    },
    'deleted first where its cluster goes, because its driver goes too': {
      before: [H100, nfs(), aCluster('eu', { pools: { h100: 4 } }), weights('a'), mounted],
      after: [H100, aCluster('eu', { pools: { h100: 4 } }), weights('a'), aDeployment('ml/q')],
      want: 'no longer needed; delete its volume claim before the cluster, because the cloud may keep and bill the volume otherwise; because InferenceCluster us is gone (InferenceCluster us )',
    },
    'staged again where its cluster is replaced, and its old volume deleted first': {
      before: [P5, inRegion('us-east-1'), weights('a'), mounted],
      after: [P5, inRegion('us-west-2'), weights('a'), mounted],
      want: 'staged again, into a new volume, because the cluster is replaced; delete its volume claim before the cluster, because the cloud may keep and bill the old volume otherwise (volume of 20 GiB); because InferenceCluster us cluster.eks.region: us-east-1 -> us-west-2 (InferenceCluster us spec.cluster.eks.region)',
    },
    'staged with replicas that are placed, once, and not because of another deployment': {
      before: [H100, nfs(), weights('a'), aDeployment('ml/z')],
      after: [H100, nfs(), weights('a'), aDeployment('ml/z', { replicas: 2 }), two],
      want: 'staged (volume of 20 GiB); because ModelDeployment ml/q is new (ModelDeployment ml/q )',
    },
  };
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(diff(before, after).caches.map((change) => formatCacheChange(change))).toEqual([`ml/w on us: ${want}`]);
  });
});

test('what happens to replicas elsewhere is no reason', () => {
  const closed = aCluster('us', {
    pools: { h100: 4 },
    storage: STORAGE,
    taints: [{ key: 'closed', effect: 'NoExecute' }],
  });
  const eu = aCluster('eu', { pools: { h100: 0 }, storage: STORAGE });
  const open = aCluster('eu', { pools: { h100: 4 }, storage: STORAGE });
  const { caches } = diff([H100, nfs(), eu, weights('a'), mounted], [H100, closed, open, weights('a'), mounted]);
  expect(caches.map((change) => formatCacheChange(change))).toEqual([
    'ml/w on eu: staged (volume of 20 GiB); because InferenceCluster eu nodePools[h100].nodeCount: 0 -> 4 (InferenceCluster eu spec.nodePools.0.nodeCount)',
  ]);
});
