import { compileFleet } from '../../src/plan/compile-fleet';
import { computeReplicas } from '../../src/replicas/compute-replicas';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import type { Placement } from '../../src/scheduler/placement';
import { schedule } from '../../src/scheduler/schedule';
import { aClass, aCluster, aDeployment, aMember, anEngine, byPath, gpus, request } from '../api/build';
import { fleetOf } from '../render/build';

const SMALL = 'device.capacity["gpu.nvidia.com"].memory.isLessThan(quantity("40Gi"))';

const fleet = fleetOf(
  aClass('h100'),
  aClass('l4', {
    devices: [
      gpus(1, { memory: '23034Mi' }),
      gpus(1, { name: 'nic', driver: 'nic.example.com', deviceClassName: 'nic.example.com' }),
    ],
  }),
  aCluster('us', { pools: { h100: 4, l4: 4 } }),
  aDeployment('ml/gang', {
    engines: [
      { name: 'z', members: [aMember({ role: 'Leader', gpus: 0 }), aMember({ role: 'Worker', gpus: 8 })] },
      anEngine('a', {
        devices: [request('wide', 1, 'true'), request('narrow', 1, SMALL, 'device.driver == "gpu.nvidia.com"')],
      }),
    ],
  }),
);
const model = compileFleet(fleet, byPath);
const matcher = new PodMatcher();
const { placements } = schedule(model, [], matcher);
const compute = (some: readonly Placement[]) => computeReplicas(fleet, model, matcher, some);

test('a replica has its deployment, cluster, and the pool of each engine, in the declared order', () => {
  const [replica, ...others] = compute(placements);
  expect(others).toEqual([]);
  expect(replica!.deployment).toBe(fleet.deployments[0]);
  expect(replica!.cluster).toBe(fleet.clusters[0]);
  expect(replica!.index).toBe(0);
  expect(replica!.here).toBe(1);
  expect(replica!.engines.map(({ engine, pool }) => [engine.name, pool.name])).toEqual([
    ['z', 'h100'],
    ['a', 'l4'],
  ]);
});

test('each member has its own claims, none where it asks for nothing', () => {
  const [gang] = compute(placements)[0]!.engines;
  expect(gang!.members.map(({ member, claims }) => [member.role, claims.map(({ forms }) => forms[0]!.count)])).toEqual([
    ['Leader', []],
    ['Worker', [8]],
  ]);
});

test('claims are bound to device classes, the narrowest first', () => {
  const { claims } = compute(placements)[0]!.engines[1]!.members[0]!;
  expect(claims.map(({ request, forms }) => [request, forms[0]!.claimedAs])).toEqual([
    ['narrow', 'gpu.nvidia.com'],
    ['wide', 'nic.example.com'],
  ]);
});

test('replicas are bound to what the nodes of their own pool have, and hold the members of their own deployment', () => {
  const theirs = { driver: 'gpu.example.com', deviceClassName: 'gpu.example.com' };
  const engines = [anEngine('main', { devices: [request('gpu', 8, 'true')] })];
  const alike = fleetOf(
    aClass('h100'),
    aClass('other', { devices: [gpus(8, theirs)] }),
    aCluster('eu', { pools: { h100: 2 } }),
    aCluster('us', { pools: { other: 2 } }),
    aDeployment('ml/a', { replicas: 2, engines }),
    aDeployment('ml/b', { replicas: 2, engines }),
  );
  const compiled = compileFleet(alike, byPath);
  const own = new PodMatcher();
  const replicas = computeReplicas(alike, compiled, own, schedule(compiled, [], own).placements);
  const classes = replicas.map(({ cluster, engines: [engine] }) => {
    const [claim] = engine!.members[0]!.claims;
    return [cluster.metadata.name, claim!.forms[0]!.claimedAs];
  });
  const wanted = [
    ['eu', 'gpu.nvidia.com'],
    ['us', 'gpu.example.com'],
  ];
  expect(classes).toEqual([...wanted, ...wanted]);
  for (const {
    deployment,
    engines: [engine],
  } of replicas) {
    expect(engine!.members[0]!.member).toBe(deployment.spec.template.spec.engines[0]!.members[0]);
  }
});

test('a draining replica serves on, so it is computed too', () => {
  expect(compute([{ ...placements[0]!, draining: true, index: 5 }])[0]!.index).toBe(5);
});

describe('a placement that the fleet has no place for is a bug', () => {
  const good = placements[0]!;
  const cases: Record<string, Placement> = {
    'of a deployment that is not declared': { ...good, deployment: 'ml/other' },
    'on a cluster that is not declared': { ...good, cluster: 'eu' },
    'on a pool that is not declared': { ...good, pools: { ...good.pools, a: 'x' } },
    'without a pool for an engine': { ...good, pools: { z: 'h100' } },
    'on a pool whose devices do not fit': { ...good, pools: { ...good.pools, z: 'l4' } },
  };
  test.each(Object.entries(cases))('%s', (_, placement) => {
    expect(() => compute([placement])).toThrow(/^bug: ml\/\w+ \w+\/0 is placed where/);
  });
});

test('a replica knows how many of its deployment are on its cluster, draining ones too', () => {
  const some = fleetOf(
    aClass('h100'),
    aCluster('eu', { pools: { h100: 4 } }),
    aCluster('us', { pools: { h100: 4 } }),
    aDeployment('ml/a', { replicas: 3 }),
    aDeployment('ml/b', { replicas: 1 }),
  );
  const compiled = compileFleet(some, byPath);
  const placed = schedule(compiled, [], matcher).placements;
  const draining = {
    ...placed.find(({ deployment, cluster }) => deployment === 'ml/a' && cluster === 'us')!,
    index: 9,
    draining: true as const,
  };
  const here = computeReplicas(some, compiled, matcher, [...placed, draining]).map(
    ({ deployment, cluster, here: count }) => `${deployment.metadata.name} ${cluster.metadata.name} ${count}`,
  );
  expect([...new Set(here)].sort()).toEqual(['a eu 2', 'a us 2', 'b us 1']);
});

test('the replicas on a cluster are counted in one pass', () => {
  const many = fleetOf(
    aClass('h100'),
    aCluster('us', { pools: { h100: 300 } }),
    aDeployment('ml/a', { replicas: 300 }),
  );
  const compiled = compileFleet(many, byPath);
  let reads = 0;
  const lines = schedule(compiled, [], matcher).placements.map((line) =>
    Object.defineProperty({ ...line }, 'cluster', { enumerable: true, get: () => (reads++, 'us') }),
  );
  expect(computeReplicas(many, compiled, matcher, lines).every(({ here }) => here === 300)).toBe(true);
  expect(reads).toBeLessThan(300 * 30);
});
