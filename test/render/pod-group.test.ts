import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { planApplySteps } from '../../src/manifest/kubernetes/apply-order';
import { aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { manifestsOf, ofKind, pods } from './build';

const on = (kubernetesVersion: string, more: Doc = {}): InferenceCluster =>
  aCluster('own', {
    cluster: { source: 'Existing', existing: { secretRef: { name: 'kubeconfig' }, kubernetesVersion } },
    pools: { h100: 4 },
    scheduler: { type: 'Default', gangs: true },
    ...more,
  });

const gang = (engine: Doc = {}): ModelDeployment =>
  aDeployment('ml/r1', { engines: [anEngine('main', { workers: 2, ...engine })] });

const groupsOf = (deployment: ModelDeployment, cluster: InferenceCluster) =>
  ofKind(manifestsOf(deployment, { cluster }), 'PodGroup');

const apis: [string, string][] = [
  ['1.36.3', 'scheduling.k8s.io/v1alpha2'],
  ['v1.37.0', 'scheduling.k8s.io/v1beta1'],
];

test.each(apis)('on Kubernetes %s a gang starts whole, by %s', (version, apiVersion) => {
  const [group, ...others] = groupsOf(gang(), on(version));
  expect(others).toEqual([]);
  expect(group).toMatchObject({
    apiVersion,
    metadata: { namespace: 'ml' },
    spec: { schedulingPolicy: { gang: { minCount: 3 } } },
  });
});

test('leader and workers name the group', () => {
  const cluster = on('1.36');
  const [group] = groupsOf(gang(), cluster);
  const named = Object.values(pods(gang(), { cluster })).map(({ spec }) => spec['schedulingGroup']);
  const schedulingGroup = { podGroupName: group!.metadata.name };
  expect(named).toEqual([schedulingGroup, schedulingGroup]);
});

test('the group of another size has another name, because its policy is immutable', () => {
  const [name, other] = [2, 3].map((workers) => groupsOf(gang({ workers }), on('1.36'))[0]!.metadata.name);
  expect(other).not.toBe(name);
});

test('the workload is applied after its group', () => {
  const steps = planApplySteps(manifestsOf(gang(), { cluster: on('1.36') }));
  const { needs } = steps.find(({ manifest }) => manifest.kind === 'LeaderWorkerSet')!;
  expect(needs).toContainEqual(expect.stringMatching(/^PodGroup\.ml\.r1-0-main-x3-/));
});

const without: Record<string, { deployment?: ModelDeployment; cluster?: InferenceCluster }> = {
  'several copies, which have one template': { deployment: gang({ copies: 2 }) },
  'copies that an autoscaler sets': {
    deployment: gang({ copies: { min: 1, max: 2 }, scaling: { on: [{ queue: 5 }] } }),
  },
  'an engine of one pod': { deployment: aDeployment('ml/qwen3', { engines: [anEngine('main')] }) },
  'a gang that KServe makes': { cluster: on('1.36', { backend: { type: 'KServe' } }) },
  'a cluster that does not ask for it': { cluster: on('1.36', { scheduler: { type: 'Default' } }) },
};

test.each(Object.entries(without))('no group for %s', (_, { deployment = gang(), cluster = on('1.36') }) => {
  const manifests = manifestsOf(deployment, { cluster });
  expect(manifests.length).toBeGreaterThan(1);
  expect(ofKind(manifests, 'PodGroup')).toEqual([]);
  expect(JSON.stringify(manifests)).not.toContain('schedulingGroup');
});
