import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { renderCluster } from '../../src/render/cluster';
import { native } from '../../src/render/native';
import { aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { aReplica, EMPTY, manifestsOf, ofKind, renamed } from './build';
import { violations } from './openapi';

const LEVELS = ['example.com/block', 'example.com/rack', 'kubernetes.io/hostname'];
const NAME = 'fleetwright-fe5f1133';

const on = (topology: Doc | undefined, more: Doc = {}): InferenceCluster => {
  const scheduler = { type: 'KAI', queue: 'inference' };
  return aCluster('eu', { pools: { h100: { nodeCount: 4, topology } }, scheduler, ...more });
};

const GANG = aDeployment('ml/r1', { engines: [anEngine('main', { workers: 1 })] });
const POD = aDeployment('ml/qwen3', { engines: [anEngine('main')] });

/** The annotations of the workload by which KAI places it, without their prefix. */
function placementOf(deployment: ModelDeployment, cluster: InferenceCluster): Doc {
  const manifests = manifestsOf(deployment, { cluster });
  const [workload] = [...ofKind(manifests, 'LeaderWorkerSet'), ...ofKind(manifests, 'Deployment')];
  const prefix = 'kai.scheduler/topology';
  return Object.fromEntries(
    Object.entries(workload!.metadata.annotations ?? {}).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  );
}

const cases: Record<string, { deployment?: ModelDeployment; topology?: Doc; want: Doc }> = {
  'a gang is kept within the narrowest level where there is room': {
    topology: { levels: LEVELS },
    want: { '': NAME, '-preferred-placement': 'kubernetes.io/hostname' },
  },
  'a level can be required, and a narrower one preferred': {
    topology: { levels: LEVELS, required: 'example.com/block', preferred: 'example.com/rack' },
    want: {
      '': NAME,
      '-required-placement': 'example.com/block',
      '-preferred-placement': 'example.com/rack',
    },
  },
  'the level that is required need not be preferred': {
    topology: { levels: LEVELS, required: 'example.com/rack', preferred: 'example.com/rack' },
    want: { '': NAME, '-required-placement': 'example.com/rack' },
  },
  'KAI has a group for each pod of other engines': { deployment: POD, topology: { levels: LEVELS }, want: {} },
  'a pool without levels has none': { want: {} },
};

test.each(Object.entries(cases))('KAI: %s', (_, { deployment = GANG, topology, want }) => {
  expect(placementOf(deployment, on(topology))).toEqual(want);
});

const topologiesOf = (deployment: ModelDeployment, cluster = on({ levels: LEVELS })) =>
  ofKind(manifestsOf(deployment, { cluster }), 'Topology');

test('the Topology that gangs name comes with their cluster, before them', () => {
  const [topology, ...others] = topologiesOf(GANG);
  expect(others).toEqual([]);
  expect(topology).toMatchObject({
    apiVersion: 'kai.scheduler/v1alpha1',
    metadata: { name: NAME, annotations: { 'argocd.argoproj.io/sync-wave': '-1' } },
    spec: { levels: LEVELS.map((nodeLabel) => ({ nodeLabel })) },
  });
  expect(topology!.metadata.namespace).toBeUndefined();
});

test('a Topology has the fields that its schema requires, and no others', () => {
  const file = join(__dirname, '../crds/topologies.kai.scheduler.yaml');
  const { schema } = parse(readFileSync(file, 'utf8')).spec.versions[0];
  expect(topologiesOf(GANG).flatMap((one) => violations(one, schema.openAPIV3Schema))).toEqual([]);
});

test('other levels are another Topology, because levels are immutable', () => {
  const [topology] = topologiesOf(GANG, on({ levels: LEVELS.slice(1) }));
  expect(topology!.metadata.name).not.toBe(NAME);
});

test.each([
  ['without gangs', POD, {}],
  ['whose gangs Dynamo or KServe makes', GANG, { backend: { type: 'KServe' } }],
])('a cluster %s has no Topology', (_, deployment, more) => {
  expect(topologiesOf(deployment, on({ levels: LEVELS }, more))).toEqual([]);
});

test('gangs of a house renderer have no Topology of ours', () => {
  const cluster = on({ levels: LEVELS });
  const renderers = [{ ...native, name: 'house' }];
  const manifests = renderCluster(cluster, [aReplica(GANG, { cluster })], { fleet: EMPTY, renderers });
  expect(ofKind(manifests, 'Topology')).toEqual([]);
});

test('gangs with equal levels share one Topology', () => {
  const cluster = on({ levels: LEVELS });
  const replicas = [GANG, renamed(GANG, 'r2')].map((deployment) => aReplica(deployment, { cluster }));
  expect(ofKind(renderCluster(cluster, replicas, { fleet: EMPTY }), 'Topology')).toHaveLength(1);
});
