import type { Resource } from '../../../src/api/kinds';
import { decide } from '../../../src/plan/decide';
import { type MapData, REPLICA_MARKS } from '../../../src/report/map/map-data';
import { formatChangeCounts } from '../../../src/report/map/page/display-text';
import { formatTotal } from '../../../src/report/plan/total-line';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { ask, cluster, deployment, engine, fleetOf, nodeClass } from '../../scheduler/build';
import { comparison, drawn, mapOf } from './drawn';

const H100 = nodeClass('h100');
const NONE = 'device.attributes["gpu.nvidia.com"].architecture == "Ampere"';

const locked = (...resources: Resource[]) => decide(fleetOf(...resources), byPath, EMPTY_LOCK).lock;
const usOf = (nodes: number) => cluster('us', { a: `h100 x ${nodes}` });
const nowhere = (id: string) => deployment(id, { replicas: 2, engines: [engine('main', [ask('gpu', 1, NONE)])] });

/** Every replica with what happens to it, and why. */
function standings(map: MapData, at = 0): string[] {
  const text = (ref: number): string => map.texts[ref]!;
  return map.states[at]!.clusters.flatMap((place) => {
    const { name, replicas } = map.clusters[place]!;
    return replicas.map(([own, standing, index]) => {
      const [mark, why] = map.standings[standing]!;
      const id = text(map.deployments[own]!.id);
      return `${id} ${text(name)}/${index} ${REPLICA_MARKS[mark]!}: ${why.map(text).join(' ')}`;
    });
  });
}

describe('what happens to replicas when a plan is accepted', () => {
  const us = cluster('us', { a: 'h100 x 2' });
  const eu = cluster('eu', { a: 'h100 x 2' });

  test('what the lock has stays, and what it lacks is new: their nodes are distinguished', () => {
    const lock = locked(H100, us, deployment('ml/q'));
    const map = mapOf(fleetOf(H100, us, deployment('ml/q', { replicas: 2 })), lock);
    expect(drawn(map)).toEqual(['us/a: 1x ml/q/0 8 keep; 1x ml/q/1 8']);
    expect(standings(map)).toEqual([
      'ml/q us/0 keep: It stays where the lock file has it.',
      'ml/q us/1 place: It is new: it is not in the lock file.',
    ]);
  });

  test('what moves tells where from, and what it leaves stays until it is finalized', () => {
    const lock = locked(H100, us, deployment('ml/q'));
    const drained = cluster('us', { a: 'h100 x 2' }, { taints: [{ key: 'gone', effect: 'NoExecute' }] });
    expect(standings(mapOf(fleetOf(H100, drained, eu, deployment('ml/q')), lock))).toEqual([
      'ml/q eu/0 move: It comes from us/0, serving until it is finalized: the taint gone:NoExecute is not tolerated.',
      'ml/q us/0 draining: It serves until it is finalized. eu/0 takes over.',
    ]);
  });

  test('what drains without another place stays until one fits, and counts as in the total', () => {
    const lock = locked(H100, us, deployment('ml/q'));
    const drained = cluster('us', { a: 'h100 x 2' }, { taints: [{ key: 'gone', effect: 'NoExecute' }] });
    const map = mapOf(fleetOf(H100, drained, deployment('ml/q')), lock);
    expect(standings(map)).toEqual([
      'ml/q us/0 unreplaced: It serves until its replacement fits, and does not count as a replica.',
    ]);
    expect(formatChangeCounts(map.counts)).toBe('1 kept until a replacement fits');
  });
});

test('what is on a lost cluster does not serve, and what moves off it served no one', () => {
  const two = deployment('ml/q', { replicas: 2 });
  const lock = locked(H100, cluster('us', { a: 'h100 x 2' }), two);
  const lost = cluster('us', { a: 'h100 x 2' }, { taints: [{ key: 'lost', effect: 'NoExecute' }] });
  expect(standings(mapOf(fleetOf(H100, lost, cluster('eu', { a: 'h100 x 1' }), two), lock))).toEqual([
    'ml/q eu/0 move: It comes from us/0: the cluster is lost.',
    'ml/q us/1 lost: It does not serve, because cluster us is lost. It has no place elsewhere, and keeps this one.',
  ]);
});

test('what is removed is in no pool, and is reported among the changes', () => {
  const us = cluster('us', { a: 'h100 x 3' });
  const lock = locked(H100, us, deployment('ml/q', { replicas: 2 }), deployment('ml/old'));
  const map = mapOf(fleetOf(H100, us, deployment('ml/q')), lock);
  expect(drawn(map)).toEqual(['us/a: 1x ml/q/0 8 keep; 2x']);
  expect(map.changes).toEqual([
    {
      title: 'Removed replicas',
      items: [
        { text: 'ml/old us/0: the deployment is removed.' },
        { text: 'ml/q us/1: the deployment has fewer replicas.' },
      ],
    },
  ]);
  expect(formatChangeCounts(map.counts)).toBe('2 removed');
});

test('what is replaced where it is does not come from elsewhere', () => {
  const us = cluster('us', { a: 'h100 x 1' });
  const { lock } = decide(fleetOf(H100, us, deployment('ml/q')), byPath, EMPTY_LOCK);
  expect(standings(mapOf(fleetOf(H100, us, deployment('ml/q', { gpus: 4 })), lock))).toEqual([
    'ml/q us/0 roll: It is replaced in place, with downtime: its engines changed, and their earlier declaration is unknown.',
  ]);
  const { plan } = decide(fleetOf(H100, us, deployment('ml/q', { gpus: 4 })), byPath, lock);
  expect(formatTotal(plan)).toBe('Total: 1 rolled in place.');
});

test('what goes to another pool of its cluster moves, and names the pool that it comes from', () => {
  const lock = locked(H100, cluster('us', { a: 'h100 x 1', b: 'h100 x 1' }), deployment('ml/q'));
  const later = fleetOf(H100, cluster('us', { b: 'h100 x 1' }), deployment('ml/q'));
  expect(standings(mapOf(later, lock))).toEqual([
    'ml/q us/0 move: It comes from pool a, with downtime: pool a is removed.',
  ]);
  const { plan } = decide(later, byPath, lock);
  expect([formatChangeCounts(mapOf(later, lock).counts), formatTotal(plan)]).toEqual(['1 moved', 'Total: 1 moved.']);
});

describe('two states', () => {
  const eu = cluster('eu', { a: 'h100 x 2' });

  test('a cluster to which nothing happens is one entry', () => {
    const map = comparison(
      [H100, usOf(1), eu, deployment('ml/p'), deployment('ml/q')],
      [H100, usOf(1), eu, deployment('ml/p'), deployment('ml/q', { spec: { priority: 1 } })],
    );
    expect(map.states.map(({ clusters }) => clusters)).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  test('what goes is in the one, what comes in the other, and each names its cause', () => {
    const map = comparison(
      [H100, usOf(1), eu, deployment('ml/p', { replicas: 1 })],
      [H100, usOf(3), eu, deployment('ml/p', { replicas: 3 })],
    );
    expect(drawn(map, 0)).toEqual(['eu/a: 1x ml/p/0 8 keep; 1x', 'us/a: 1x']);
    expect(standings(map, 1).slice(1)).toEqual([
      expect.stringContaining(
        'ml/p us/0 place: Placed. Because ModelDeployment ml/p spec.replicas: 1 -> 3 (ModelDeployment ml/p spec.replicas); ',
      ),
      expect.stringContaining('ml/p us/1 place: Placed'),
    ]);
  });

  test('a replica that moves names the place that it comes from, and the other the one that takes over', () => {
    const drained = cluster('eu', { a: 'h100 x 2' }, { taints: [{ key: 'gone', effect: 'NoExecute' }] });
    const map = comparison([H100, usOf(2), eu, deployment('ml/p')], [H100, usOf(2), drained, deployment('ml/p')]);
    expect(standings(map, 1)).toEqual([
      'ml/p eu/0 draining: It serves until it is finalized. us/0 takes over.',
      expect.stringMatching(/^ml\/p us\/0 move: Moved from eu\/0, serving until it is finalized: the taint gone/),
    ]);
  });

  test('so does one that moves with downtime, and what it leaves is removed', () => {
    const map = comparison([H100, eu, deployment('ml/p')], [H100, usOf(2), deployment('ml/p')]);
    expect(standings(map, 0)).toEqual(['ml/p eu/0 remove: It is removed first, with downtime. us/0 takes over.']);
    expect(standings(map, 1)).toEqual([
      expect.stringMatching(/^ml\/p us\/0 move: Moved from eu\/0, with downtime: the cluster is removed/),
    ]);
  });

  test('replicas that the same line rolls, each in its wave, have its sentence once', () => {
    const larger = engine('main', [ask('gpu', 8)], { resources: { requests: { cpu: '1' } } });
    const map = comparison(
      [H100, usOf(2), eu, deployment('ml/p', { replicas: 2 })],
      [H100, usOf(2), eu, deployment('ml/p', { replicas: 2, engines: [larger] })],
    );
    expect(standings(map, 1)).toEqual([
      expect.stringMatching(/^ml\/p eu\/0 roll: Rolled in place, wave 1.*\. Because ModelDeployment ml\/p /),
      expect.stringMatching(/^ml\/p us\/0 roll: Rolled in place, wave 2.*\. Because ModelDeployment ml\/p /),
    ]);
    expect(map.texts.filter((text) => text.includes('Because '))).toHaveLength(1);
  });

  test('a replica that moves counts once', () => {
    const map = comparison([H100, eu, deployment('ml/p')], [H100, usOf(2), deployment('ml/p')]);
    expect(formatChangeCounts(map.counts)).toBe('1 moved');
  });

  test('fewer replicas are no move', () => {
    const map = comparison(
      [H100, usOf(4), deployment('ml/p', { replicas: 2 })],
      [H100, usOf(4), deployment('ml/p', { replicas: 1 })],
    );
    expect(standings(map, 0)[1]).toMatch(/^ml\/p us\/1 remove: Removed, the deployment has fewer replicas\. Because/);
    expect(map.deployments.map(({ change }) => map.texts[change!])).toEqual([
      '2 -> 1 replica; at least 1 serves during rollout',
    ]);
  });

  test('a deployment that is gone is known, asks for nothing now, and what it asked for is reported', () => {
    const map = comparison(
      [H100, usOf(4), deployment('ml/p'), deployment('ml/q')],
      [H100, usOf(4), deployment('ml/q')],
    );
    expect(map.deployments.map(({ id, replicas }) => [map.texts[id], replicas])).toEqual([
      ['ml/p', 0],
      ['ml/q', 1],
    ]);
  });
});

test('deployments that ask for the same share what they ask for, and why they have no place', () => {
  const map = mapOf(
    fleetOf(H100, cluster('eu', { a: 'h100 x 1' }), cluster('us', { a: 'h100 x 1' }), nowhere('ml/p'), nowhere('ml/q')),
  );
  expect(map.demands).toHaveLength(1);
  expect(map.shortfalls).toMatchObject([
    { deployment: 0, missing: 2, accepted: false, refusals: 0 },
    { deployment: 1, missing: 2, accepted: false, refusals: 0 },
  ]);
  const [[filter, , places]] = map.refusals[0]! as [MapData['refusals'][number][number]];
  expect([map.texts[filter], places.map((ref) => map.texts[ref])]).toEqual(['devices', ['eu / a', 'us / a']]);
});

test('of several replicas without a place, each change says how many it helps', () => {
  const map = mapOf(
    fleetOf(H100, usOf(1), deployment('ml/q', { replicas: 3, engines: [engine('main', [ask('gpu', 8, 'true')])] })),
  );
  const [only] = map.shortfalls;
  expect(only?.remedies.map((ref) => map.texts[ref])).toEqual(['1 more node in us / a (8 GPUs) (for 1 of the 2)']);
});

test('a replica that waits for draining ones to go is marked', () => {
  const onUs = { template: { clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'us' } } } };
  const placements = locked(H100, usOf(1), deployment('ml/any')).placements.flatMap((one) => [
    { ...one, cluster: 'eu' },
    { ...one, draining: true as const },
  ]);
  const map = mapOf(
    fleetOf(H100, usOf(1), cluster('eu', { a: 'h100 x 1' }), deployment('ml/any'), deployment('ml/q', onUs)),
    { ...EMPTY_LOCK, placements, unplaced: new Map([['ml/q', 1]]) },
  );
  expect(map.shortfalls).toMatchObject([{ missing: 1, accepted: true, waits: true }]);
});

test('what a deployment asks for is reported in full', () => {
  const map = mapOf(
    fleetOf(
      H100,
      cluster('us', { a: 'h100 x 4' }, { labels: { tier: 'prod' } }),
      deployment('ml/q', {
        engines: [engine('main', [ask('gpu', 8, 'true')], { workers: 1 })],
        template: { clusterSelector: { matchLabels: { tier: 'prod' } } },
        spec: { placement: { policy: 'Pack', maxPerCluster: 3 } },
      }),
    ),
  );
  const [demand] = map.demands;
  expect(demand).toMatchObject({
    policy: 'Pack',
    engines: [
      {
        name: 'main',
        members: [
          { role: 'Leader', pods: 1 },
          { role: 'Worker', pods: 1 },
        ],
      },
    ],
  });
  expect(demand!.where.map((ref) => map.texts[ref])).toEqual(['clusters with tier=prod', 'at most 3 on a cluster']);
  const [request] = demand!.engines[0]!.members[0]!.requests;
  expect([request!.name, request!.count, request!.selectors.map((ref) => map.texts[ref])]).toEqual([
    'gpu',
    8,
    ['true'],
  ]);
});

test('pods that an autoscaler adds are counted apart', () => {
  const scaled = engine('main', [ask('gpu', 8, 'true')], { copies: { min: 1, max: 3 } });
  const map = mapOf(
    fleetOf(H100, cluster('us', { a: 'h100 x 4' }, { monitoring: {} }), deployment('ml/q', { engines: [scaled] })),
  );
  expect(map.demands[0]!.engines[0]!.members).toMatchObject([{ pods: 3, scaled: 2 }]);
});
