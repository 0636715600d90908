import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { listPoolUsage } from '../../src/diff/pool-usage';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { fitOnPools } from '../../src/scheduler/fit-replica';
import type { PoolLoad } from '../../src/scheduler/ledger';
import { footprintKeyOf } from '../../src/scheduler/packing/pod-footprint';
import { demandOf } from '../../src/scheduler/placement';
import { aClass, aCluster, aDeployment, aMember, MACHINES } from '../api/build';
import { plan, type Planned } from '../kubernetes/promises/plan';
import { richFleet } from '../kubernetes/strict/rich';
import { dynamoCluster, GRAPHS } from '../render/dynamo/build';
import { GANG, kserveCluster, POD, RANKS } from '../render/kserve/build';
import { ask, cluster, deployment, device, engine, nodeClass } from '../scheduler/build';
import { fleetSpec, resourcesOf } from '../scheduler/fleets';
import { daily } from '../daily';

/** Pods on each pool that need the same, and how many. */
function sums(all: readonly PoolLoad[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { pool, footprint: need, pods } of all) {
    const key = `${pool.cluster}/${pool.name} ${footprintKeyOf(need)}`;
    if (pods > 0) counts[key] = (counts[key] ?? 0) + pods;
  }
  return counts;
}

/** What the scheduler has charged for the replicas of a plan. */
function charged({ model, schedule, matcher }: Planned): Record<string, number> {
  const charges = schedule.placements.flatMap((placement) => {
    const demand = demandOf(model.deployments.find(({ id }) => id === placement.deployment)!, placement)!;
    const { pools } = model.clusters.find(({ name }) => name === placement.cluster)!;
    const own = demand.engines.map(({ name }) => pools.find((one) => one.name === placement.pools[name])!);
    const fit = fitOnPools(demand, own, matcher);
    return 'misfit' in fit ? [] : fit.charges;
  });
  return sums(charges);
}

/** What its manifests say of themselves. */
function read({ model, clusters }: Planned): Record<string, number> {
  const all = clusters.flatMap(({ cluster, manifests }) => {
    const { pools } = model.clusters.find(({ name }) => name === cluster.metadata.name)!;
    const reading = { pools, poolLabel: cluster.spec.poolLabel, matcher: new PodMatcher() };
    return listPoolUsage(manifests, reading).flatMap(({ pods, surge }) => [...pods, ...surge]);
  });
  return sums(all);
}

function expectSame(resources: readonly Resource[]): void {
  const planned = plan(resources);
  expect(read(planned)).toEqual(charged(planned));
}

test('manifests of any fleet take of pools what was charged for them', () => {
  fc.assert(
    fc.property(fleetSpec, (spec) => expectSame(resourcesOf(spec))),
    { numRuns: daily(30) },
  );
});

test('so do services of KServe, of pods and of gangs', () => {
  const large = kserveCluster('0.21', {
    nodePools: [{ name: 'h100', className: 'h100', nodeCount: 64, zones: ['us-central1-a'] }],
  });
  expectSame([
    aClass('h100', { provisioning: { ...MACHINES.GKE }, node: { allocatable: { cpu: '160', memory: '1600Gi' } } }),
    large,
    GANG,
    POD,
    RANKS,
  ]);
});

test('so do graphs of Dynamo, with their frontends', () => {
  const nodePools = [{ name: 'h100', className: 'h100', nodeCount: 64, zones: ['us-central1-a'] }];
  expectSame([
    aClass('h100', { provisioning: { ...MACHINES.GKE }, node: { allocatable: { cpu: '160', memory: '1600Gi' } } }),
    dynamoCluster('1.6', { nodePools }),
    ...GRAPHS,
  ]);
});

test('so do those of a fleet with every field, on clusters with claims and without', () => {
  expectSame(richFleet());
});

test('so do pods with helpers, some of which say limits alone or go on next to the engine', () => {
  const helper = { image: 'busybox', resources: { limits: { cpu: '2' } } };
  const containers = [
    {
      name: 'engine',
      image: 'vllm/vllm-openai:v0.11.0',
      args: ['Qwen/Qwen3-8B'],
      resources: { requests: { cpu: '1' } },
    },
    { ...helper, name: 'beside' },
  ];
  const initContainers = [
    { ...helper, name: 'goes-on', restartPolicy: 'Always' },
    { ...helper, name: 'first' },
  ];
  const template = { spec: { containers, initContainers } };
  expectSame([
    aClass('gpu', { node: { allocatable: { cpu: '8' } } }),
    aCluster('us', { pools: { gpu: 4 } }),
    aDeployment('ml/q', { engines: [{ name: 'main', members: [aMember({ template })] }] }),
  ]);
});

test('so do pods that take parts of shared devices', () => {
  const policy = { default: '80Gi', validRange: { min: '1Mi', step: '1Mi' } };
  const part = { ...ask('gpu', 1), capacity: { requests: { memory: '4Gi' } } };
  expectSame([
    nodeClass('shared', device('gpu', { count: 2, shared: policy })),
    cluster('eu', { a: 'shared x 2' }, { version: '1.36.0' }),
    deployment('ml/q', { replicas: 3, engines: [engine('main', [part])] }),
  ]);
});
