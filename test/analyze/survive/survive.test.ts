import { survive } from '../../../src/analyze/survive/survive';
import type { Resource } from '../../../src/api/kinds';
import { formatSurvival } from '../../../src/report/analyze/survival-text';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { ask, cache, cluster, deployment, device, engine, nodeClass, nodeClassWith } from '../../scheduler/build';
import { settled } from '../what-if/build';

const H100 = nodeClassWith('h100', { price: 10 });
const CHEAP = nodeClassWith('cheap', { price: 1 });
const on = (name: string, nodes: number, options = {}) => cluster(name, { a: `h100 x ${nodes}` }, options);
const region = (value: string) => ({ labels: { area: value } });
const q = (replicas: number, options = {}) => deployment('ml/q', { replicas, ...options });
const only = (name: string) => ({ template: { clusterSelector: { matchLabels: { site: name } } } });

const MONITORED = { monitoring: {} };
const SCALED = engine('main', [ask('gpu', 8)], { copies: { min: 1, max: 2 } });

interface Row {
  resources: Resource[];
  domain?: string;
  want: string[];
}

const rows: Record<string, Row> = {
  'what is lost finds a place elsewhere, within the budget of its engines': {
    resources: [H100, on('eu', 2), on('us', 2), q(2)],
    want: [
      'lose eu',
      '  ml/q   1 of 2 replicas keeps serving; the other serves again at most 60 min after it is placed again',
      'lose us',
      '  ml/q   1 of 2 replicas keeps serving; the other serves again at most 60 min after it is placed again',
      'Survive: all replicas find a place again after 2 of 2 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'where there is no room, the fewest nodes that are enough for every loss are reported, and their price': {
    resources: [H100, on('eu', 1), on('us', 1), q(2)],
    want: [
      'lose eu',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      'lose us',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      'With 2 more nodes all replicas fit after any one loss (the smallest set in existing pools):',
      '  1 in eu / a (8 GPUs)',
      '  1 in us / a (8 GPUs)',
      '  cost an hour: +$20',
      '  prices: InferenceClass h100 (undated)',
      'Survive: without more nodes, all replicas find a place again after 0 of 2 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'of sets with as many nodes, the one of the cheaper pools is reported': {
    resources: [H100, CHEAP, on('eu', 1), on('fr', 0), on('ie', 1), cluster('us', { a: 'cheap x 0' }), q(2)],
    want: [
      'lose eu',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      'lose fr: no replica is there',
      'lose ie',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      'lose us: no replica is there',
      'With 1 more node all replicas fit after any one loss (the smallest set in existing pools):',
      '  1 in us / a (8 GPUs)',
      '  cost an hour: +$1',
      '  prices: InferenceClass cheap (undated)',
      'Survive: without more nodes, all replicas find a place again after 2 of 4 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'where more nodes of another pool cost less than the smallest set, they are reported too': {
    resources: [
      H100,
      nodeClassWith('half', { price: 4 }, device('gpu', { count: 4 })),
      on('eu', 1),
      on('us', 1),
      on('de', 0),
      cluster('ie', { a: 'half x 0' }),
      deployment('ml/q', { replicas: 4, engines: [engine('main', [ask('gpu', 4)])] }),
    ],
    want: [
      'lose de: no replica is there',
      'lose eu',
      '  ml/q   2 of 4 replicas keep serving; the other 2 find no place',
      'lose ie: no replica is there',
      'lose us',
      '  ml/q   2 of 4 replicas keep serving; the other 2 find no place',
      'With 1 more node all replicas fit after any one loss (the smallest set in existing pools):',
      '  1 in de / a (8 GPUs)',
      '  cost an hour: +$10',
      '  prices: InferenceClass h100 (undated)',
      'or, cheapest: 2 more nodes:',
      '  2 in ie / a (8 GPUs)',
      '  cost an hour: +$8',
      '  prices: InferenceClass half (undated)',
      'Survive: without more nodes, all replicas find a place again after 2 of 4 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'of copies that scale, the fewest serve right after a loss': {
    resources: [H100, on('eu', 4, MONITORED), on('us', 4, MONITORED), q(2, { engines: [SCALED] })],
    want: [
      'lose eu',
      '  ml/q   1 of 2 replicas keeps serving, with at least 1 copy each; the other serves again at most 60 min after it is placed again',
      'lose us',
      '  ml/q   1 of 2 replicas keeps serving, with at least 1 copy each; the other serves again at most 60 min after it is placed again',
      'Survive: all replicas find a place again after 2 of 2 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'nodes on a cluster help after all losses but its own': {
    resources: [H100, on('a', 1), on('b', 1), on('c', 2), q(3)],
    want: [
      'lose a',
      '  ml/q   2 of 3 replicas keep serving; the other serves again at most 60 min after it is placed again',
      'lose b',
      '  ml/q   2 of 3 replicas keep serving; the other serves again at most 60 min after it is placed again',
      'lose c',
      '  ml/q   2 of 3 replicas keep serving; the other finds no place',
      'With 1 more node all replicas fit after any one loss (the smallest set in existing pools):',
      '  1 in a / a (8 GPUs)',
      '  cost an hour: +$10',
      '  prices: InferenceClass h100 (undated)',
      'Survive: without more nodes, all replicas find a place again after 2 of 3 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'a cluster without replicas is lost without harm': {
    resources: [H100, on('eu', 1), cluster('door', {}), q(1)],
    want: [
      'lose door: no replica is there',
      'lose eu',
      '  ml/q   its only replica stops serving; it finds no place',
      'More nodes do not help 1 replica of ml/q after the loss of eu (door: the cluster declares no pool).',
      'Survive: all replicas find a place again after 1 of 2 losses; 1 of 1 deployment may serve nothing for a while: ml/q.',
      'No deployment stops serving after the loss of: door.',
    ],
  },
  'what may be on one cluster only is stranded, and nodes are for all other replicas': {
    resources: [H100, on('eu', 2, { labels: { site: 'eu' } }), on('us', 0), q(1, only('eu')), deployment('ml/r')],
    want: [
      'lose eu',
      '  ml/q   its only replica stops serving; it finds no place',
      '  ml/r   its only replica stops serving; it finds no place',
      'lose us: no replica is there',
      'More nodes do not help 1 replica of ml/q after the loss of eu (us: site=eu is not met: the cluster does not have the label).',
      'With 1 more node all other replicas fit after any one loss (the smallest set in existing pools):',
      '  1 in us / a (8 GPUs)',
      '  cost an hour: +$10',
      '  prices: InferenceClass h100 (undated)',
      'Survive: without more nodes, all replicas find a place again after 1 of 2 losses; 2 of 2 deployments may serve nothing for a while: ml/q, ml/r.',
      'No deployment stops serving after the loss of: us.',
    ],
  },
  'what may be on one cluster only is stranded, and no nodes are bought for it': {
    resources: [H100, on('eu', 2, { labels: { site: 'eu' } }), on('us', 2), q(1, only('eu')), deployment('ml/r')],
    want: [
      'lose eu',
      '  ml/q   its only replica stops serving; it finds no place',
      'lose us',
      '  ml/r   its only replica stops serving; it serves again at most 60 min after it is placed again',
      'More nodes do not help 1 replica of ml/q after the loss of eu (us: site=eu is not met: the cluster does not have the label).',
      'Survive: all replicas find a place again after 1 of 2 losses; 2 of 2 deployments may serve nothing for a while: ml/q, ml/r.',
      'Every loss leaves a deployment that serves nothing.',
    ],
  },
  'a limit of placement is named where a cluster with room is left, and not what another one lacks': {
    resources: [
      H100,
      on('asia', 1, { taints: [{ key: 'closed', effect: 'NoSchedule' }] }),
      on('eu', 2),
      on('us', 2),
      q(2, { spec: { placement: { maxPerCluster: 1 } } }),
    ],
    want: [
      'lose asia: no replica is there',
      'lose eu',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      '    without more nodes: raise placement.maxPerCluster of ml/q from 1 to 2 (the replica then goes to us); or tolerate closed:NoSchedule on asia',
      'lose us',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      '    without more nodes: raise placement.maxPerCluster of ml/q from 1 to 2 (the replica then goes to eu); or tolerate closed:NoSchedule on asia',
      'More nodes do not help 1 replica of ml/q after the loss of eu (us: at most 1 replica may be on one cluster (maxPerCluster)), 1 replica of ml/q after the loss of us (eu: at most 1 replica may be on one cluster (maxPerCluster)).',
      'Survive: all replicas find a place again after 1 of 3 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'the cluster that lacks least is named, and not the first': {
    resources: [
      H100,
      on('asia', 1, { labels: { site: 'asia' } }),
      on('eu', 1, { labels: { site: 'eu' } }),
      on('us', 1, { labels: { site: 'eu' }, taints: [{ key: 'closed', effect: 'NoSchedule' }] }),
      q(1, only('eu')),
    ],
    want: [
      'lose asia: no replica is there',
      'lose eu',
      '  ml/q   its only replica stops serving; it finds no place',
      '    without more nodes: tolerate closed:NoSchedule on us',
      'lose us: no replica is there',
      'More nodes do not help 1 replica of ml/q after the loss of eu (us: the taint closed:NoSchedule is not tolerated).',
      'Survive: all replicas find a place again after 2 of 3 losses; 1 of 1 deployment may serve nothing for a while: ml/q.',
      'No deployment stops serving after the loss of: asia, us.',
    ],
  },
  'a failure domain takes all its clusters, and clusters in none stay': {
    resources: [H100, on('eu1', 1, region('eu')), on('eu2', 1, region('eu')), on('us', 3), q(3)],
    domain: 'area',
    want: [
      'lose eu (eu1, eu2)',
      '  ml/q   1 of 3 replicas keeps serving; the other 2 serve again at most 60 min after they are placed again',
      'Survive: all replicas find a place again after 1 of 1 losses; the 1 deployment keeps at least one replica.',
    ],
  },
  'fewer than minAvailable are reported': {
    resources: [H100, on('eu', 2), on('us', 2), q(2, { spec: { minAvailable: 2 } })],
    want: [
      'lose eu',
      '  ml/q   1 of 2 replicas keeps serving; the other serves again at most 60 min after it is placed again; below minAvailable 2',
      'lose us',
      '  ml/q   1 of 2 replicas keeps serving; the other serves again at most 60 min after it is placed again; below minAvailable 2',
      'Survive: all replicas find a place again after 2 of 2 losses; the 1 deployment keeps at least one replica; 1 may fall below minAvailable.',
    ],
  },
  'replicas without a place before anything is lost are no one that nodes are bought for': {
    resources: [H100, on('eu', 1), on('us', 1), q(2), deployment('zz/r', { replicas: 5 })],
    want: [
      'lose eu',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      'lose us',
      '  ml/q   1 of 2 replicas keeps serving; the other finds no place',
      'With 2 more nodes all replicas fit after any one loss (the smallest set in existing pools):',
      '  1 in eu / a (8 GPUs)',
      '  1 in us / a (8 GPUs)',
      '  cost an hour: +$20',
      '  prices: InferenceClass h100 (undated)',
      'Survive: without more nodes, all replicas find a place again after 0 of 2 losses; the 1 deployment keeps at least one replica.',
    ],
  },
};

test.each(Object.entries(rows))('survive: %s', (_, { resources, domain, want }) => {
  const survival = survive(settled(...resources), domain);
  expect(
    writeTerminal(formatSurvival(survival))
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual(want);
});

test('survive: of many losses, deployments that keep serving and recover are counted, and others listed', () => {
  const sites = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => on(name, 1));
  const survival = survive(settled(H100, ...sites, q(2), deployment('ml/r')));
  const counted = writeTerminal(formatSurvival(survival, 'fleetwright survive . --all'));
  expect(counted).toContain(
    'lose a\n  1 deployment keeps serving, and all replicas serve again at most 60 min after they are placed again\n',
  );
  expect(counted).toContain(
    '  ml/r   its only replica stops serving; it serves again at most 60 min after it is placed again\n',
  );
  expect(counted).toContain("\nEvery deployment: 'fleetwright survive . --all'.\n");
  expect(writeTerminal(formatSurvival(survival))).not.toContain('1 deployment keeps serving, and');
});

const cached = (id: string, replicas: number) =>
  deployment(id, { replicas, template: { modelCacheRef: { name: 'w' } } });

test.each([
  [
    'storage that the only cluster with room lacks',
    [on('eu', 2, { storage: true }), on('us', 2), cached('ml/q', 2)],
    'declare spec.storage.sharedFilesystem of cluster us, if it has such storage (for at least 1 of them)',
  ],
  [
    'a taint that keeps it off',
    [on('eu', 1), on('us', 1, { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] }), q(1)],
    'tolerate team=a:NoSchedule on us',
  ],
  ['nothing but nodes', [on('eu', 1), on('us', 1), q(2)], undefined],
])('what gives a lost replica a place: %s', (_, resources, want) => {
  const text = writeTerminal(formatSurvival(survive(settled(H100, cache('ml/w'), ...resources))));
  const [, found] = /without more nodes: (.*)/.exec(text) ?? [];
  expect(found).toBe(want);
});

test('the worst of all losses is reported of every deployment', () => {
  const resources = [H100, on('a', 1), on('b', 3), q(3), deployment('ml/r', { replicas: 1 })];
  expect(survive(settled(...resources)).deployments).toEqual([
    { deployment: 'ml/q', before: 3, atOnce: 1, when: 'b', after: 1, whenAfter: 'b' },
    { deployment: 'ml/r', before: 1, atOnce: 0, when: 'b', after: 0, whenAfter: 'b' },
  ]);
});

test('one node where no loss reaches is enough for two that would each buy their own', () => {
  const [a, b] = [{ labels: { area: 'x' } }, { labels: { area: 'y' } }];
  const { extra } = survive(settled(H100, on('a', 1, a), on('b', 1, b), on('z', 0), q(2)), 'area');
  expect(extra).toMatchObject({ nodes: [{ cluster: 'z', pool: 'a', nodes: 1 }], total: 1, method: 'exact' });
});

test('nodes without a price leave the price of the set unknown', () => {
  const free = [nodeClass('h100'), on('eu', 1), on('us', 1), q(2)];
  expect(survive(settled(...free)).extra).toMatchObject({ total: 2, currency: 'USD', cost: { unknown: 2 } });
});

test('nodes are counted for what had a place, also where others come first', () => {
  const site = { labels: { site: 'eu' } };
  const first = deployment('aa/r', { replicas: 2, ...only('eu') });
  const { extra } = survive(settled(H100, on('eu', 1, site), on('us', 1), first, q(1)));
  expect(extra).toMatchObject({ nodes: [{ cluster: 'eu', pool: 'a', nodes: 1 }], total: 1, method: 'exact' });
});
