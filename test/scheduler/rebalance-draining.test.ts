import * as fc from 'fast-check';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { dropFinalized } from '../../src/scheduler/lock/drop-finalized';
import type { CompiledFleet } from '../../src/scheduler/compiled-fleet';
import type { Placement } from '../../src/scheduler/placement';
import { schedule } from '../../src/scheduler/schedule';
import type { Schedule } from '../../src/scheduler/schedule-result';
import { ask, cluster, deployment, device, engine, modelOf, nodeClass, placed, run } from './build';
import { faults } from './checker';
import { bytes, modelOfFleet, runFleet, RUNS } from './corpus';
import type { FleetSpec } from './fleets';
import { smallFleet } from './joint';

const H100 = nodeClass('h100');
const on = (...regions: string[]) => ({
  template: { clusterSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: regions }] } },
});
const site = (name: string) => cluster(name, { p: 'h100 x 1' }, { labels: { region: name } });

const rebalance = (model: CompiledFleet, previous: readonly Placement[]): Schedule =>
  schedule(model, previous, new PodMatcher(), {});

const waitingOf = ({ shortfalls }: Schedule) => shortfalls.map((one) => [one.deployment, one.missing, one.waiting]);

describe('a rebalance while replicas drain', () => {
  const model = modelOf(
    H100,
    ...['a', 'b', 'c', 'd'].map(site),
    deployment('ml/any', on('a', 'b')),
    deployment('ml/only', on('a')),
    deployment('ml/other', on('c', 'd')),
    deployment('ml/late', on('c')),
  );
  const drained = (...others: string[]): Placement[] =>
    rebalance(
      { ...model, deployments: model.deployments.filter(({ id }) => ['ml/any', 'ml/only', ...others].includes(id)) },
      run([H100, site('a'), site('c'), deployment('ml/any'), deployment('ml/other', on('c'))]).placements.filter(
        (one) => one.deployment === 'ml/any' || others.includes(one.deployment),
      ),
    ).placements as Placement[];

  test('moves nothing for a replica that gets the place of a draining one', () => {
    const before = drained('ml/other');
    expect(placed({ placements: before })).toEqual(['~ml/any a/0 p', 'ml/any b/0 p', 'ml/other c/0 p']);
    const result = rebalance(model, before);
    expect(bytes(result.placements)).toBe(bytes(before));
    expect(waitingOf(result)).toEqual([
      ['ml/late', 1, undefined],
      ['ml/only', 1, 1],
    ]);
  });

  test('moves others once the draining ones are gone', () => {
    const before = drained('ml/other').filter(({ draining }) => !draining);
    expect(placed(rebalance(model, before))).toEqual([
      'ml/any b/0 p',
      'ml/only a/0 p',
      '~ml/other c/0 p',
      'ml/other d/0 p',
    ]);
  });
});

test('a replica that moves within a cluster stops first where the quota of its queue is too small for both', () => {
  const classes = [nodeClass('h100'), nodeClass('ada', device('gpu', { architecture: 'Ada' }))];
  const hopper = "device.attributes['gpu.nvidia.com'].architecture == 'Hopper'";
  const small = deployment('ml/z', { engines: [engine('main', [ask('gpu', 4, hopper)])] });
  const declared = [...classes, cluster('a', { p: 'h100 x 1', q: 'ada x 1' }), deployment('ml/x')];
  const previous = run(declared).placements.map((one) => ({ ...one, pools: { main: 'p' } }));
  const model = modelOf(...declared, small);
  const queue = {
    queue: 'q',
    quotas: [{ resource: 'gpu.nvidia.com', quota: 12, others: 0, claimedAs: 'gpu.nvidia.com' }],
  };
  const clusters = model.clusters.map((one) => ({ ...one, pools: one.pools.map((pool) => ({ ...pool, queue })) }));
  expect(placed(rebalance({ ...model, clusters }, previous))).toEqual(['ml/x a/0 q', 'ml/z a/0 p']);
});

/** A fleet whose deployments come in two steps: which ones are there from the beginning, and after the first. */
const growing = fc.tuple(smallFleet, fc.array(fc.nat(2), { minLength: 4, maxLength: 4 })).map(([fleet, steps]) =>
  [0, 1, 2].map((step): FleetSpec => {
    return { ...fleet, deployments: fleet.deployments.filter((_, i) => (steps[i] ?? 0) <= step) };
  }),
);

test('rebalances in turn lose no replica, keep all promises, and change nothing where nothing changed', () => {
  fc.assert(
    fc.property(growing, ([first, second, last]) => {
      let previous = runFleet({ next: first!, previous: [] }).placements;
      for (const next of [second!, last!]) {
        const model = modelOfFleet({ next });
        const { placements, shortfalls } = rebalance(model, previous);
        expect(faults(next, placements)).toEqual([]);
        for (const { id } of model.deployments) {
          expect([id, countOf(placements, id)]).toEqual([id, Math.max(countOf(previous, id), countOf(placements, id))]);
        }
        expect(bytes(schedule(model, placements).placements)).toBe(bytes(placements));
        expectToSettle(model, { placements, shortfalls });
        previous = placements;
      }
    }),
    RUNS,
  );
});

/** What waits waits on in a second rebalance, which moves nothing for it, and gets its place in the end. */
function expectToSettle(model: CompiledFleet, { placements, shortfalls }: Pick<Schedule, 'placements' | 'shortfalls'>) {
  if (shortfalls.every(({ waiting }) => waiting === undefined)) return;
  expect(bytes(rebalance(model, placements).placements)).toBe(bytes(placements));
  const missing = new Map(shortfalls.map((one) => [one.deployment, one.missing]));
  const settled = schedule(model, dropFinalized(placements, missing, placements));
  const left = new Map(settled.shortfalls.map((one) => [one.deployment, one.missing]));
  for (const one of shortfalls) {
    expect([one.deployment, left.get(one.deployment) ?? 0]).toEqual([
      one.deployment,
      Math.min(one.missing - (one.waiting ?? 0), left.get(one.deployment) ?? 0),
    ]);
  }
}

function countOf(placements: readonly Placement[], id: string): number {
  return placements.filter(({ deployment: own, draining }) => own === id && !draining).length;
}
