import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { checkFleet } from '../../src/plan/check-fleet';
import { decide } from '../../src/plan/decide';
import { renderCluster } from '../../src/render/cluster';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, byPath, type Doc, MACHINES } from '../api/build';
import { ofKind } from './build';
import { type Schema, violations } from './openapi';

const classOf = (name: string, node: Doc): Resource => aClass(name, { provisioning: { ...MACHINES.GKE }, node });

const H100 = classOf('h100', { allocatable: { cpu: '190', memory: '1900Gi' } });
const L4 = classOf('l4', { allocatable: { cpu: '46500m', memory: '180Gi' } });

function objectsOf(pools: Doc, ...deployments: string[]): Manifest[] {
  const scheduler = { type: 'Kueue', queue: 'inference', manage: true };
  const cluster = aCluster('gke', { source: 'GKE', pools: pools as Record<string, Doc>, scheduler });
  const fleet = assemble([H100, L4, cluster, ...deployments.map((name) => aDeployment(name))]);
  const { replicas, fleet: placed } = decide(fleet, byPath, EMPTY_LOCK);
  return renderCluster(cluster, replicas, { fleet: placed });
}

const quotasOf = (objects: readonly Manifest[]): unknown => {
  const [{ flavors }] = (ofKind(objects, 'ClusterQueue')[0]!.spec as Doc)['resourceGroups'] as [Doc];
  return (flavors as { name: string; resources: { name: string; nominalQuota: string }[] }[]).map(
    ({ name, resources }) => [name, ...resources.map((one) => `${one.name} ${one.nominalQuota}`)].join(', '),
  );
};

const quotas: Record<string, { pools: Doc; want: string[] }> = {
  'a pool has a flavor with all that its nodes have': {
    pools: { h100: 2 },
    want: ['fleetwright-h100, cpu 380, memory 3800Gi, gpu.nvidia.com 16'],
  },
  'a pool that scales counts with its most nodes': {
    pools: { h100: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 4 } },
    want: ['fleetwright-h100, cpu 760, memory 7600Gi, gpu.nvidia.com 32'],
  },
  'what others use on a node is no quota': {
    pools: { h100: { nodeCount: 2, reserved: { devices: { gpu: 1 }, cpu: '10' } } },
    want: ['fleetwright-h100, cpu 360, memory 3800Gi, gpu.nvidia.com 14'],
  },
  'two pools are two flavors': {
    pools: { l4: 1, h100: 1 },
    want: [
      'fleetwright-h100, cpu 190, memory 1900Gi, gpu.nvidia.com 8',
      'fleetwright-l4, cpu 46500m, memory 180Gi, gpu.nvidia.com 8',
    ],
  },
};

test.each(Object.entries(quotas))('the quota of a managed queue: %s', (_, { pools, want }) => {
  expect(quotasOf(objectsOf(pools, 'ml/a'))).toEqual(want);
});

test('each namespace with replicas has a queue, and no other namespace may use the quota', () => {
  const objects = objectsOf({ h100: 3 }, 'ml/a', 'ml/b', 'search/a');
  expect(ofKind(objects, 'LocalQueue').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
    'ml/inference',
    'search/inference',
  ]);
  expect(ofKind(objects, 'ClusterQueue')[0]!.spec).toMatchObject({
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['ml', 'search'] }],
    },
  });
});

test('a flavor selects the nodes of its pool', () => {
  expect(ofKind(objectsOf({ h100: 1 }, 'ml/a'), 'ResourceFlavor').map(({ spec }) => spec)).toEqual([
    { nodeLabels: { 'fleetwright.dev/pool': 'h100' } },
  ]);
});

test('a cluster without replicas has no queues', () => {
  expect(objectsOf({ h100: 1 }).map(({ kind }) => kind)).toEqual([]);
});

test.each(['ClusterQueue', 'LocalQueue', 'ResourceFlavor'])('a %s has what its schema allows', (kind) => {
  const file = join(__dirname, `../crds/${kind.toLowerCase()}s.kueue.x-k8s.io.yaml`);
  const schema: Schema = parse(readFileSync(file, 'utf8')).spec.versions[0].schema.openAPIV3Schema;
  const objects = ofKind(objectsOf({ h100: 1, l4: 1 }, 'ml/a'), kind);
  expect(objects.length).toBeGreaterThan(0);
  expect(objects.flatMap((object) => violations(object, schema))).toEqual([]);
});

test('a class behind a managed queue states CPU and memory', () => {
  const scheduler = { type: 'Kueue', queue: 'inference', manage: true };
  const fleet = assemble([aClass('bare'), aCluster('own', { pools: { bare: 1 }, scheduler })]);
  expect(checkFleet(fleet, byPath).map(({ code, at }) => `${code} ${at}`)).toEqual([
    'no-allocatable InferenceCluster own spec.nodePools.0.className',
  ]);
});
