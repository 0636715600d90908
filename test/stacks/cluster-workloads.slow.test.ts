import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { ClusterWorkloads, type ClusterWorkloadsArgs, ExistingCluster, ServingStack } from '../../stacks/index';
import { plan } from '../kubernetes/promises/plan';
import { richFleet } from '../kubernetes/strict/rich';
import { anObject } from './build';
import { ignoreUnaskedClusters, record, type Registered } from './record';

ignoreUnaskedClusters();

type Options = Partial<Omit<ClusterWorkloadsArgs, 'cluster' | 'manifests'>>;

/** What objects become on a cluster, without the cluster itself. */
async function registered(
  manifests: readonly Manifest[],
  options: Options = {},
  preview = false,
): Promise<Registered[]> {
  const program = (): void => {
    const cluster = new ExistingCluster('lab', { context: 'lab' });
    new ClusterWorkloads('lab', { cluster, manifests, ...options });
  };
  const all = await record(program, 'fleetwright', preview);
  return all.filter(({ parent }) => parent === 'fleetwright:index:ClusterWorkloads lab');
}

async function kept(options: Options): Promise<string[]> {
  return (await registered(everything, options)).filter((one) => one.retainOnDelete).map(({ name }) => name);
}

const everything = [
  anObject('Deployment', 'ml/q'),
  anObject('Job', 'ml/load'),
  anObject('LeaderWorkerSet', 'ml/gang', { spec: { replicas: 1 } }),
  anObject('Namespace', 'ml'),
  anObject('PersistentVolumeClaim', 'ml/weights'),
  anObject('ResourceClaimTemplate', 'ml/q-1', { spec: {} }),
  anObject('Service', 'ml/q'),
];

/** The fields of a workload of a replica. */
function replica(index: string, of = 'q') {
  return {
    spec: { replicas: 1, progressDeadlineSeconds: 2000 },
    annotations: { 'argocd.argoproj.io/sync-wave': String(Number(index) + 1) },
    labels: { 'fleetwright.dev/deployment': of, 'fleetwright.dev/replica-index': index },
  };
}

describe('the objects of a cluster', () => {
  test('have fixed names, the types of built-in kinds, no other types, and the provider of the cluster', async () => {
    const all = await registered(everything);
    expect(all.map(({ type, name }) => `${type} ${name}`).toSorted()).toEqual([
      'kubernetes:apps/v1:Deployment lab/Deployment.ml.q',
      'kubernetes:batch/v1:Job lab/Job.ml.load',
      'kubernetes:core/v1:Namespace lab/Namespace.ml',
      'kubernetes:core/v1:PersistentVolumeClaim lab/PersistentVolumeClaim.ml.weights',
      'kubernetes:core/v1:Service lab/Service.ml.q',
      'kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet lab/LeaderWorkerSet.ml.gang',
      'kubernetes:resource.k8s.io/v1:ResourceClaimTemplate lab/ResourceClaimTemplate.ml.q-1',
    ]);
    expect(all.flatMap(({ formerParents }) => formerParents)).toEqual([]);
    expect(new Set(all.map(({ provider }) => provider))).toEqual(new Set(['pulumi:providers:kubernetes lab']));
  });

  test('keep claim templates without waves, volumes and namespaces when they are deleted', async () => {
    expect((await kept({})).toSorted()).toEqual([
      'lab/Namespace.ml',
      'lab/PersistentVolumeClaim.ml.weights',
      'lab/ResourceClaimTemplate.ml.q-1',
    ]);
    expect(await kept({ keepData: false })).toEqual(['lab/ResourceClaimTemplate.ml.q-1']);
  });

  test('are not waited for where the provider would, and what stays is applied under a fixed owner', async () => {
    const all = await registered([
      ...everything,
      anObject('Deployment', 'ml/noted', { annotations: { 'example.com/note': 'a' } }),
    ]);
    const annotations = Object.fromEntries(all.map((one) => [one.name, metadataOf(one)['annotations']]));
    const skip = { 'pulumi.com/skipAwait': 'true' };
    const kept = { 'pulumi.com/patchFieldManager': 'fleetwright' };
    expect(annotations).toEqual({
      'lab/Deployment.ml.noted': { 'example.com/note': 'a', ...skip },
      'lab/Deployment.ml.q': skip,
      'lab/Job.ml.load': skip,
      'lab/LeaderWorkerSet.ml.gang': undefined,
      'lab/Namespace.ml': kept,
      'lab/PersistentVolumeClaim.ml.weights': { ...skip, ...kept },
      'lab/ResourceClaimTemplate.ml.q-1': kept,
      'lab/Service.ml.q': skip,
    });
  });

  test('come after what they need, and those that need nothing after every release where they shall', async () => {
    const release = { namespace: 'a', chart: 'oci://a', version: '1', values: {}, needs: [] };
    const all = await record(() => {
      const cluster = new ExistingCluster('lab', { context: 'lab' });
      const releases = [
        { ...release, name: 'lws' },
        { ...release, name: 'driver', needs: ['lws'] },
      ];
      const stack = new ServingStack('lab', { cluster, releases });
      const manifests = [anObject('Namespace', 'ml'), anObject('Service', 'ml/q')];
      new ClusterWorkloads('lab', { cluster, manifests, after: [stack] });
    });
    const dependencies = Object.fromEntries(all.map((one) => [one.name, one.dependsOn]));
    const both = ['kubernetes:helm.sh/v3:Release lab/driver', 'kubernetes:helm.sh/v3:Release lab/lws'];
    expect(dependencies['lab/driver']).toEqual(['kubernetes:helm.sh/v3:Release lab/lws']);
    expect(dependencies['lab/Namespace.ml']).toEqual(both);
    expect(dependencies['lab/Service.ml.q']).toEqual(['kubernetes:core/v1:Namespace lab/Namespace.ml']);
  });

  test.each([
    ['come after the wave before, where a deployment has several replicas', {}, true],
    ['come in no order without waves', { waves: false }, false],
  ])('%s, and the provider waits for none', async (_, args, ordered) => {
    const manifests = [
      anObject('Deployment', 'ml/q-0', replica('0')),
      anObject('Deployment', 'ml/q-1', replica('1')),
      anObject('Deployment', 'ml/single', replica('1', 'single')),
      anObject('Service', 'ml/q'),
    ];
    const all = await registered(manifests, args, true);
    const found = all.map(({ name, dependsOn, createTimeout, inputs }) => {
      const { annotations = {} } = inputs['metadata'] as { annotations?: Record<string, string> };
      return [name, dependsOn, createTimeout, 'pulumi.com/skipAwait' in annotations];
    });
    expect(found.toSorted()).toEqual([
      ['lab/Deployment.ml.q-0', [], '', true],
      ['lab/Deployment.ml.q-1', ordered ? ['kubernetes:apps/v1:Deployment lab/Deployment.ml.q-0'] : [], '', true],
      ['lab/Deployment.ml.single', [], '', true],
      ['lab/Service.ml.q', [], '', true],
    ]);
  });

  test('lose no field, whatever class they go through', async () => {
    const objects = clustersOfExamples();
    expect(objects.size).toBeGreaterThan(2);
    for (const { cluster, manifests } of plan(richFleet()).clusters) {
      objects.set(`every field, ${cluster.metadata.name}`, [...manifests]);
    }
    for (const [folder, manifests] of objects) {
      const all = await registered(manifests);
      const found = new Map(all.map((one) => [one.name, one.inputs]));
      expect(found.size).toBe(manifests.length);
      for (const { kind, metadata, ...rest } of manifests) {
        const id = ['lab/', [kind, metadata.namespace, metadata.name].filter(Boolean).join('.')].join('');
        const name = `${folder} ${id}`;
        expect({ name, ...found.get(id) }).toMatchObject({ name, kind, metadata, ...rest });
      }
    }
  });
});

/** A workload of a replica whose pods use a claim template. */
function using(index: string, of: string, template: string) {
  const pod = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: template }] };
  return { ...replica(index, of), spec: { template: { spec: pod } } };
}

describe('replicas that are replaced', () => {
  test.each([
    ['in waves, keep no claim template that only these use', {}, ['shared', 'single', 'unused']],
    ['at once, keep all claim templates', { waves: false }, ['q', 'shared', 'single', 'unused']],
  ])('%s', async (_, options, templates) => {
    const manifests = [
      ...['q', 'shared', 'single', 'unused'].map((name) =>
        anObject('ResourceClaimTemplate', `ml/${name}`, { spec: {} }),
      ),
      anObject('Deployment', 'ml/q-0', using('0', 'q', 'q')),
      anObject('LeaderWorkerSet', 'ml/q-1', using('1', 'q', 'q')),
      anObject('Deployment', 'ml/p-0', using('0', 'p', 'shared')),
      anObject('Deployment', 'ml/p-1', using('1', 'p', 'shared')),
      anObject('Job', 'ml/tool', using('0', 'p', 'shared')),
      anObject('Deployment', 'ml/single-0', using('0', 'single', 'single')),
    ];
    const found = await registered(manifests, { keepData: false, ...options }, true);
    const kept = found.filter(({ retainOnDelete }) => retainOnDelete);
    expect(kept.map(({ name }) => name).toSorted()).toEqual(
      templates.map((name) => `lab/ResourceClaimTemplate.ml.${name}`),
    );
  });
});

function metadataOf({ inputs }: Registered): Record<string, unknown> {
  return inputs['metadata'] as Record<string, unknown>;
}

/** The manifests of each cluster of each example. */
function clustersOfExamples(): Map<string, Manifest[]> {
  const folders = readdirSync('examples').flatMap((example) => {
    const expected = join('examples', example, 'expected');
    if (!existsSync(expected)) return [];
    const clusters = readdirSync(expected, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return clusters.map(({ name }) => join(expected, name));
  });
  return new Map(folders.map((folder) => [folder, manifestsIn(folder)]));
}

function manifestsIn(folder: string): Manifest[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS() as Manifest);
}
