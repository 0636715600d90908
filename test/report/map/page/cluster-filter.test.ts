import {
  applyFilter,
  type ClusterFilter,
  formatResult,
  NO_FILTER,
} from '../../../../src/report/map/page/cluster-filter';
import { buildFleetView } from '../../../../src/report/map/page/fleet-view';
import { formatRegionFacts, groupByRegion } from '../../../../src/report/map/page/regions';
import { comparison, mapOf } from '../drawn';
import {
  ask,
  cluster,
  engine,
  fleetOf as declared,
  deployment,
  device,
  nodeClass,
  nodeClassWith,
} from '../../../scheduler/build';

const at = (name: string, labels = {}) => ({ labels: { at: name, ...labels } });
const on = (id: string, name: string, replicas: number) =>
  deployment(id, { replicas, template: { clusterSelector: { matchLabels: { at: name } } } });

const FLEET = buildFleetView(
  mapOf(
    declared(
      nodeClass('h100'),
      nodeClassWith('l4', {}, device('gpu', { architecture: 'Ada Lovelace' })),
      cluster('eu-1', { a: 'h100 x 4' }, at('eu-1', { 'topology.kubernetes.io/region': 'Berlin' })),
      cluster('us-1', { a: 'h100 x 4', small: 'l4 x 2' }, at('us-1')),
      cluster('us-2', { a: 'h100 x 1' }, at('us-2')),
      on('ml/p', 'eu-1', 2),
      on('ml/q', 'us-1', 1),
      on('web/q', 'us-2', 1),
    ),
  ),
);
const place = (id: string): number => FLEET.deployments.find((one) => one.id === id)!.place;

const cases: Record<string, { filter: Partial<ClusterFilter>; want: string[]; replicas: number }> = {
  'everything at first': { filter: {}, want: ['eu-1', 'us-1', 'us-2'], replicas: 4 },
  'a part of a name, in any case': { filter: { words: 'US-' }, want: ['us-1', 'us-2'], replicas: 2 },
  'a region': { filter: { words: 'berlin' }, want: ['eu-1'], replicas: 2 },
  'a class': { filter: { words: 'l4' }, want: ['us-1'], replicas: 1 },
  'all words, in any order': { filter: { words: ' small  us ' }, want: ['us-1'], replicas: 1 },
  'words that are nowhere': { filter: { words: 'small eu' }, want: [], replicas: 0 },
  'a namespace counts its own replicas only': {
    filter: { namespace: 'ml' },
    want: ['eu-1', 'us-1'],
    replicas: 3,
  },
  'a deployment': { filter: { deployments: new Set([place('web/q')]) }, want: ['us-2'], replicas: 1 },
  'a deployment of another namespace than the one that is chosen': {
    filter: { namespace: 'ml', deployments: new Set([place('web/q')]) },
    want: [],
    replicas: 0,
  },
  'the fullest first': { filter: { order: 'fullest' }, want: ['us-2', 'eu-1', 'us-1'], replicas: 4 },
  'the emptiest first': { filter: { order: 'emptiest' }, want: ['us-1', 'eu-1', 'us-2'], replicas: 4 },
};

test.each(Object.entries(cases))('filter: %s', (_, { filter, want, replicas }) => {
  const found = applyFilter(FLEET, { ...NO_FILTER, ...filter });
  expect(found.clusters.map(({ name }) => name)).toEqual(want);
  expect(found.replicas).toBe(replicas);
});

test('what is left is a sentence', () => {
  expect(formatResult(applyFilter(FLEET, { ...NO_FILTER, words: 'eu' }), FLEET)).toBe('1 of 3 clusters, 2 replicas');
  const changed = applyFilter(FLEET, { ...NO_FILTER, changedOnly: true });
  expect(formatResult(changed, FLEET)).toMatch(/^\d of 3 clusters, only those that change, \d replicas?$/);
});

test('an order does not last', () => {
  applyFilter(FLEET, { ...NO_FILTER, order: 'fullest' });
  expect(FLEET.clusters.map(({ name }) => name)).toEqual(['eu-1', 'us-1', 'us-2']);
});

const inRegion = (name: string, region: string) =>
  cluster(name, { a: 'h100 x 1' }, at(name, { 'topology.kubernetes.io/region': region }));

test('numbers in the names of clusters and regions count as numbers', () => {
  const clusters = [inRegion('c-10', 'r-2'), inRegion('c-9', 'r-2'), inRegion('c-1', 'r-10'), cluster('c-3', {})];
  const { clusters: drawn } = buildFleetView(mapOf(declared(nodeClass('h100'), ...clusters)));
  expect(drawn.map(({ name }) => name)).toEqual(['c-1', 'c-3', 'c-9', 'c-10']);
  expect(groupByRegion(drawn).map(({ name }) => name)).toEqual(['r-2', 'r-10', '']);
});

describe('a cluster that the change removes', () => {
  const h100 = nodeClassWith('h100', { price: 10 });
  const kept = [h100, cluster('eu', { a: 'h100 x 1' }), cluster('us', { a: 'h100 x 2' })];
  const fleet = buildFleetView(comparison([...kept, cluster('ap', { a: 'h100 x 9' })], kept));

  test.each<[ClusterFilter['order'], string[]]>([
    ['region', ['eu', 'us', 'ap']],
    ['name', ['eu', 'us', 'ap']],
    ['expensive', ['us', 'eu', 'ap']],
    ['changed', ['eu', 'us', 'ap']],
  ])('comes after those that exist: %s', (order, want) => {
    expect(applyFilter(fleet, { ...NO_FILTER, order }).clusters.map(({ name }) => name)).toEqual(want);
  });

  test('is counted apart, and costs nothing any more', () => {
    expect(formatResult(applyFilter(fleet, NO_FILTER), fleet)).toBe('2 of 2 clusters, 1 removed, 0 replicas');
    const [region] = groupByRegion(fleet.clusters);
    expect(formatRegionFacts(region!, fleet)).toBe(
      '2 clusters \u00b7 1 removed \u00b7 0 of 24 GPUs in use \u00b7 $21,900 a month',
    );
    expect(fleet.clusters.map(({ name, costChange }) => [name, costChange])).toEqual([
      ['ap', '-$65,700'],
      ['eu', ''],
      ['us', ''],
    ]);
  });
});

test('the heading of a region counts GPUs that wait for rollouts, as the cards of its clusters do', () => {
  const surged = deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)])], spec: { rollout: { surge: 1 } } });
  const fleet = buildFleetView(
    mapOf(declared(nodeClassWith('h100', { price: 10 }), cluster('eu', { a: 'h100 x 3' }), surged)),
  );
  const [region] = groupByRegion(fleet.clusters);
  expect(formatRegionFacts(region!, fleet)).toContain('16 of 24 GPUs in use \u00b7 8 of them for rollouts \u00b7');
});
