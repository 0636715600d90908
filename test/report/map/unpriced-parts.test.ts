import type { Resource } from '../../../src/api/kinds';
import { rankByCost } from '../../../src/report/map/page/cluster-filter';
import { formatClusterCost, formatMonth, formatTrafficChange } from '../../../src/report/map/page/display-text';
import { buildFleetView } from '../../../src/report/map/page/fleet-view';
import { formatRegionFacts, groupByRegion } from '../../../src/report/map/page/regions';
import { aCache, aClass, aCluster } from '../../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../../routing/build';
import { comparison } from './drawn';

const TEN = aClass('ten', { price: { perHour: 10 } });
const FREE = aClass('free');
const site = (name: string, pools: Record<string, number>, storage = {}) => aCluster(name, { pools, storage });
const NFS = { sharedFilesystem: { storageClassName: 'nfs' } };
const RESOURCES = [
  TEN,
  FREE,
  site('dc', { free: 1 }),
  site('eu', { ten: 1 }),
  site('us', { ten: 3 }, NFS),
  aCache('ml/weights', { stage: 'Everywhere' }),
];
const FLEET = buildFleetView(comparison(RESOURCES, RESOURCES));
const us = FLEET.clusters.find(({ name }) => name === 'us')!;

describe('of clusters with a missing price, the map', () => {
  test('ranks those of which a part has a price by that part, as a lower bound', () => {
    const ranked = rankByCost(FLEET.clusters).map(({ name, costs }) => `${name} ${formatMonth(costs.at(-1), 'USD')}`);
    expect(ranked).toEqual(['us ≥ $21,900', 'eu $7,300']);
  });

  test('says that the volume of a cache is what has no price, because deployments have such names too', () => {
    expect(formatClusterCost({ amount: us.costs.at(-1), unpriced: us.unpriced }, 'USD')).toBe(
      '$21,900 a month, without the volume of cache ml/weights',
    );
  });

  test('names the cluster of each part in a region', () => {
    const [region] = groupByRegion(FLEET.clusters);
    expect(formatRegionFacts(region!, FLEET)).toMatch(/without free on dc, the volume of cache ml\/weights on us$/);
  });
});

const splitBy = (...weights: number[]): Resource[] => [
  H100,
  aSite('site', { pools: { h100: { nodeCount: 9 } } }),
  aDoor(['site']),
  aModel('ml/a', { replicaLabels: { app: 'a' } }),
  aModel('ml/b', { replicaLabels: { app: 'b' } }),
  aSplit(
    'ml/chat',
    ['a', 'b'].map((app, i) => to({ app }, { weight: weights[i] })),
  ),
];

describe('of traffic, the map', () => {
  test.each<[string, number[], string[]]>([
    ['names the services whose targets get other shares', [50, 50], ['ml/chat']],
    ['names none where shares stay', [90, 10], []],
  ])('%s', (_, weights, want) => {
    const { traffic = [], texts } = comparison(splitBy(90, 10), splitBy(...weights));
    expect(traffic.map((ref) => texts[ref])).toEqual(want);
  });

  test.each([
    [['ml/chat'], 'traffic of ml/chat changes'],
    [['ml/chat', 'ml/code'], 'traffic of 2 services changes'],
  ])('says of %j: %s', (services, want) => {
    expect(formatTrafficChange(services)).toBe(want);
  });
});

test('changes of routes name their service, and the edits that cause them by number, and need no sign', () => {
  const { changes, causes } = comparison(splitBy(90, 10), splitBy(50, 50));
  expect(changes[0]).toMatchObject({
    title: 'Routes',
    items: [
      {
        text: expect.stringMatching(/^routes of ml\/chat +http:[^;]*\/ml\/chat\/$/),
        service: 'ml/chat',
        causes: [0, 1],
      },
    ],
  });
  expect(changes[0]!.items[0]).not.toHaveProperty('below');
  expect(causes).toEqual([
    { text: 'ModelService ml/chat endpoints[0].weight: 90 -> 50', at: [expect.stringContaining('weight')] },
    { text: 'ModelService ml/chat endpoints[1].weight: 10 -> 50', at: [expect.stringContaining('weight')] },
  ]);
});
