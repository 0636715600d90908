import { survive } from '../../src/analyze/survive/survive';
import { whatIf } from '../../src/analyze/what-if/what-if';
import type { Resource } from '../../src/api/kinds';
import { compareCosts } from '../../src/cost/compare-costs';
import type { Cost, PriceSource } from '../../src/cost/cost';
import { alignSources } from '../../src/cost/price-sources';
import type { Sum } from '../../src/cost/sum';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { scenarioOf, settled } from '../analyze/what-if/build';
import { costOf } from './fleet-cost';
import { withNamedSources } from './named-sources';

const TEN = aClass('ten', { price: { perHour: 10, asOf: '2026-11-01' } });
const FOUR = aClass('four', { price: { perHour: 4, asOf: '2026-10-01' } });
const TWO = aClass('two', { price: { perHour: 2 } });
const FREE = aClass('free');
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const FILE: Doc = { storage: [{ fileSystem: 'nfs', perGiBMonth: 2, source: 'invoice', asOf: '2026-09-01' }] };
const q = (name: string, more: Doc = {}): Resource =>
  aDeployment(name, { engines: [anEngine('main', { gpus: 8 })], ...more });

/** Two clusters, four classes of which one has no price, a cache on each cluster. */
const FLEET: readonly Resource[] = [
  TEN,
  FOUR,
  TWO,
  FREE,
  aCluster('eu', { pools: { ten: 2, free: 1 }, ...nfs }),
  aCluster('us', { pools: { four: 2, two: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 3 } }, ...nfs }),
  aCache('ml/weights', { sizeGiB: 730 }),
  q('ml/a', { replicas: 4, cache: 'weights' }),
  q('lab/b', { replicas: 2 }),
];
const GROWN: readonly Resource[] = [
  ...FLEET.slice(0, 4),
  aCluster('eu', { pools: { free: 2, four: 1 }, ...nfs }),
  aCluster('ap', { pools: { two: 1 } }),
  ...FLEET.slice(5, 7),
  q('ml/a', { replicas: 3 }),
  q('lab/b', { replicas: 3 }),
];

const NAMES: Record<string, string> = {
  'InferenceClass ten': '2026-11-01',
  'InferenceClass four': '2026-10-01',
  'InferenceClass two': 'undated',
  invoice: '2026-09-01',
};

type Figures = object & { readonly sources: readonly PriceSource[] };

/** Every sum in some figures. */
function sumsIn(value: unknown): Sum[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'unknown' in value ? [value as Sum] : [];
  return [...own, ...Object.values(value).flatMap(sumsIn)];
}

const settledFleet = settled(
  TEN,
  FOUR,
  aCluster('eu', { pools: { ten: 1 } }),
  aCluster('us', { pools: { four: 1 } }),
  q('ml/a', { replicas: 2 }),
);

const rows: Record<string, () => Figures> = {
  'a plan': () => costOf(FLEET, FILE),
  'a comparison': () => compareCosts(costOf(FLEET, FILE), costOf(GROWN, FILE)),
  'a comparison the other way round': () => compareCosts(costOf(GROWN, FILE), costOf(FLEET, FILE)),
  'a scenario': () => whatIf(settledFleet, [scenarioOf(settledFleet, 'lose eu', 'add-nodes us/four=1')])[0]!.cost,
  'the nodes that survival takes': () => survive(settledFleet).extra!,
};

describe.each(Object.entries(rows))('of %s', (_, figures) => {
  const { sources, ...rest } = figures();
  const sums = sumsIn(rest);
  const days = (sum: Sum): string[] => (sum.sources ?? []).map((place) => sources[place]?.asOf ?? 'undated').sort();

  test('every figure names the sources of its prices, and has the oldest of their days', () => {
    const known = sums.filter(({ perHour = 0 }) => perHour !== 0);
    expect(known.length).toBeGreaterThan(0);
    expect(known.filter((sum) => days(sum).length === 0)).toEqual([]);
    expect(known.map(({ asOf = 'undated' }) => asOf)).toEqual(known.map((sum) => days(sum)[0]));
  });

  test('what no one knows is no zero, and has neither source nor day', () => {
    const unknown = sums.filter(({ perHour }) => perHour === undefined);
    expect(unknown.filter((sum) => sum.unknown === 0 || 'perMonth' in sum)).toEqual([]);
    expect(unknown.filter((sum) => 'sources' in sum || 'asOf' in sum)).toEqual([]);
  });

  test('sources are listed once, each by its name and day, and are named in ascending order', () => {
    const listed = sources.map(({ source, asOf = 'undated' }) => `${source} ${asOf}`);
    const known = new Set(Object.entries(NAMES).map((name) => name.join(' ')));
    expect(listed.filter((one, i) => !known.has(one) || listed.indexOf(one) !== i)).toEqual([]);
    expect(sums.map((one) => one.sources)).toEqual(sums.map((one) => one.sources?.toSorted((a, b) => a - b)));
  });
});

const named = (perHour: number, ...sources: string[]): Doc => ({
  perHour,
  sources: sources.map((name) => `${name}, ${NAMES[name]}`),
});

test('a cost that refers to another list of sources keeps every figure and its sources', () => {
  const scaled = aDeployment('ml/scaled', {
    engines: [anEngine('main', { gpus: 8, copies: { min: 1, max: 3 }, scaling: { on: [{ queue: 4 }] } })],
  });
  const monitoring = { monitoring: { prometheus: { serverAddress: 'http://prometheus:9090' } } };
  const cost = costOf([FOUR, aCluster('eu', { pools: { four: 3 }, ...monitoring }), scaled]);
  expect(cost.namespaces).toMatchObject([{ leastReplicas: { perHour: 4, sources: [0] } }]);
  const [, aligned] = alignSources(costOf(FLEET, FILE), cost);
  expect(aligned.namespaces).toMatchObject([{ leastReplicas: { sources: [2] } }]);
  expect(withNamedSources(aligned)).toEqual(withNamedSources(cost));
});

test('a figure names those sources alone of which it has a price', () => {
  expect(withNamedSources(costOf(FLEET, FILE))).toMatchObject({
    fixed: named(28, 'InferenceClass four', 'InferenceClass ten'),
    autoscaled: { most: named(6, 'InferenceClass two') },
    storage: named(4, 'invoice'),
    total: { least: { sources: { length: 4 } } },
    clusters: [
      { cluster: 'eu', idle: { unknown: 0 }, volumes: [{ cost: named(2, 'invoice') }] },
      { cluster: 'us', pools: [{ most: named(8, 'InferenceClass four') }, {}] },
    ],
    namespaces: [{ namespace: 'lab' }, { namespace: 'ml', storage: named(4, 'invoice') }],
  });
});

test('a difference names the sources of both sides, and those of what changed alone', () => {
  const [before, after] = [
    [TEN, FOUR, aCluster('eu', { pools: { ten: 1 } }), aCluster('us', { pools: { four: 1 } })],
    [TEN, FOUR, aCluster('eu', { pools: { four: 1 } }), aCluster('us', { pools: { four: 1 } })],
  ].map((resources) => costOf([...resources, q('ml/a')]));
  const { delta, clusters, namespaces, deployments } = withNamedSources(compareCosts(before!, after!));
  const both = named(-6, 'InferenceClass four', 'InferenceClass ten');
  expect(delta).toMatchObject({ least: both, most: both });
  expect(clusters.map(({ cluster, delta }) => ({ cluster, delta }))).toMatchObject([
    { cluster: 'eu', delta: { most: both } },
  ]);
  expect(clusters[0]?.pools).toMatchObject([
    { pool: 'four', delta: { most: named(4, 'InferenceClass four') } },
    { pool: 'ten', delta: { most: named(-10, 'InferenceClass ten') } },
  ]);
  expect([namespaces[0]?.delta, deployments[0]?.delta, deployments[0]?.replicas[0]?.delta]).toMatchObject([
    both,
    both,
    both,
  ]);
});

test('figures of the same sources share one list of them', () => {
  const { deployments } = costOf([
    TEN,
    aCluster('eu', { pools: { ten: 2 } }),
    aCluster('us', { pools: { ten: 2 } }),
    q('ml/a', { replicas: 4 }),
  ]);
  const lists = new Set(
    deployments.flatMap(({ cost, replicas }) => [cost, ...replicas.map((one) => one.cost)].map((one) => one.sources)),
  );
  expect([...lists]).toEqual([[0]]);
});

test('a comparison with itself leaves every figure as it is', () => {
  const cost: Cost = costOf(FLEET, FILE);
  const { before, after, sources } = compareCosts(cost, structuredClone(cost));
  expect([before, after, sources]).toEqual([cost.total, cost.total, cost.sources]);
});
