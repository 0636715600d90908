import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { decide } from '../../src/plan/decide';
import { renderCluster } from '../../src/render/cluster';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass, placed, run } from '../scheduler/build';
import { violations } from './openapi';

interface Pod {
  readonly spec: {
    readonly resourceClaims: readonly object[];
    readonly containers: readonly { readonly resources: { readonly claims: readonly object[] } }[];
  };
}

interface Gang {
  readonly leaderWorkerTemplate: { readonly leaderTemplate: Pod; readonly workerTemplate: Pod };
}

const FILE = join(__dirname, '../crds/computedomains.resource.nvidia.com.yaml');

const tray = nodeClass('gb200', device('gpu', { count: 4 }));
const gang = (workers: number, gpus = 4, copies = 1) => engine('main', [ask('gpu', gpus)], { workers, copies });
const rack = (pools: Record<string, string>, options = {}) =>
  cluster('us', pools, { pool: { rack: 'NVL72' }, ...options });
const served = (id: string, replicas: number, one: ReturnType<typeof gang>) =>
  deployment(id, { replicas, engines: [one], spec: { allowPartial: true } });

function decided(...resources: Parameters<typeof fleetOf>) {
  return decide(fleetOf(...resources), ({ metadata }) => metadata.name, EMPTY_LOCK);
}

function objectsOf(...resources: Parameters<typeof fleetOf>) {
  const { fleet, replicas, routing } = decided(...resources);
  return fleet.clusters.flatMap((one) => renderCluster(one, replicas, { fleet, routing }));
}

const pools = { a: 'gb200 x 18' };

test('a gang on a rack has a ComputeDomain, and each of its pods claims a channel of it', () => {
  const objects = objectsOf(tray, rack(pools), served('ml/r1', 2, gang(3)));
  const domains = objects.filter(({ kind }) => kind === 'ComputeDomain');
  const [set, ...others] = objects.filter(({ kind }) => kind === 'LeaderWorkerSet');
  const [name] = [set!, ...others].map(({ metadata }) => metadata.name);
  expect(domains.map(({ metadata }) => metadata.name)).toEqual([set!, ...others].map(({ metadata }) => metadata.name));
  const { leaderTemplate, workerTemplate } = (set!.spec as unknown as Gang).leaderWorkerTemplate;
  for (const { spec } of [leaderTemplate, workerTemplate]) {
    expect(spec.resourceClaims[1]).toEqual({ name: 'channel', resourceClaimTemplateName: `${name}-channel` });
    expect(spec.containers[0]!.resources.claims).toEqual([{ name: 'devices' }, { name: 'channel' }]);
  }
  expect(domains[0]!.spec).toEqual({
    numNodes: 0,
    channel: { resourceClaimTemplate: { name: `${name}-channel` } },
  });
});

test('a ComputeDomain has no field that its schema lacks, and all that it requires', () => {
  const [version] = parse(readFileSync(FILE, 'utf8')).spec.versions;
  const domains = objectsOf(tray, rack(pools), served('ml/r1', 1, gang(1))).filter(
    ({ kind }) => kind === 'ComputeDomain',
  );
  expect(domains).toHaveLength(1);
  expect(domains.flatMap((domain) => violations(domain, version.schema.openAPIV3Schema))).toEqual([]);
});

test.each<[string, Parameters<typeof fleetOf>]>([
  ['an engine of one pod', [tray, rack(pools), served('ml/r1', 1, engine('main', [ask('gpu', 4)]))]],
  ['a gang outside a rack', [tray, cluster('us', pools), served('ml/r1', 1, gang(1))]],
])('%s has none', (_, resources) => {
  expect(objectsOf(...resources).filter(({ kind }) => kind === 'ComputeDomain')).toEqual([]);
});

test('a gang stays in one rack: two half racks have no place for it', () => {
  const halves = rack({ a: 'gb200 x 9', b: 'gb200 x 9' });
  expect(placed(run([tray, halves, served('ml/r1', 1, gang(11))]))).toEqual([]);
  expect(placed(run([tray, rack(pools), served('ml/r1', 1, gang(11))]))).toEqual(['ml/r1 us/0 a']);
});

test('a tray gives its channel to one pod of a gang, and the rest of its GPUs to others', () => {
  const small = served('ml/small', 9, gang(1, 2));
  expect(placed(run([tray, rack({ a: 'gb200 x 4' }), small]))).toHaveLength(2);
  expect(placed(run([tray, cluster('us', { a: 'gb200 x 4' }), small]))).toHaveLength(4);
});

test('the plan says how many more gangs a rack has room for', () => {
  const { plan } = decided(tray, rack(pools), served('ml/r1', 2, gang(3)));
  expect(plan.notes).toContain('Rack us/a has room for 2 more gangs of ml/r1 main, of 4 pods each.');
});

test('a pool that is a rack has no more GPUs than one', () => {
  const resources = [tray, rack({ a: 'gb200 x 19' }), served('ml/r1', 1, gang(1))];
  const want =
    "a rack NVL72 has 72 GPUs, and 19 nodes of InferenceClass 'gb200' have 76. Declare a pool for each rack.";
  expect(() => run(resources)).toThrow(`InferenceCluster us:spec.nodePools.0.rack: ${want}`);
});

test('a rack needs claims', () => {
  const gpu = device('gpu', { count: 4, extendedResource: 'nvidia.com/gpu' });
  const resources = [nodeClass('gb200', gpu), rack(pools, { dra: false }), served('ml/r1', 1, gang(1))];
  expect(() => run(resources)).toThrow(
    "InferenceCluster us:spec.nodePools.0.rack: pods claim a channel of the rack, and the cluster has 'dra: false'. Remove rack, or use DRA.",
  );
});
