import type { CostChanges } from '../../../src/cost/cost-changes';
import { listNewlyPriced, nameUnpricedChanges, omitNewlyPriced } from '../../../src/report/cost/unpriced-changes';

type Pool = CostChanges['clusters'][number]['pools'][number];
type Later = Parameters<typeof nameUnpricedChanges>[1];

const unknown = { unknown: 1 };
const range = { least: unknown, most: unknown };

/** A pool of which the price is not known, with its nodes before and after. */
const pool = (before: [number, number], after: [number, number], delta = range): Pool => {
  const [was, is] = [before, after].map(([least, most]) => ({ least, most }));
  return { pool: 'h100', before: range, after: range, delta, nodes: { before: was, after: is } } as Pool;
};

const names = (pools: Pool[], own: object = {}, volumes: object[] = []): string => {
  const change = { clusters: [{ cluster: 'eu', pools, volumes }] } as unknown as CostChanges;
  const all = [{ pool: 'h100', ...own }];
  const later = { clusters: [{ cluster: 'eu', pools: all }] } as unknown as Later;
  return nameUnpricedChanges(change, later);
};

const NEAR = { elsewhere: { region: 'europe-west4', prices: [{ region: 'us-central1', perHour: 88.49 }] } };
const KNOWN = { least: { unknown: 0 }, most: { unknown: 0 } } as typeof range;

const cases: Record<string, { pools: Pool[]; own?: object; volumes?: object[]; want: string }> = {
  'a cluster of which no pool has a price is named once': {
    pools: [pool([1, 1], [2, 2]), pool([3, 3], [1, 1])],
    want: 'eu',
  },
  'a pool is named where others of its cluster have a price': {
    pools: [pool([1, 1], [2, 2])],
    own: NEAR,
    want: 'eu/h100',
  },
  'a pool of which only the fewest nodes change is named too': {
    pools: [pool([0, 3], [1, 3], { ...KNOWN, least: unknown } as typeof range)],
    own: NEAR,
    want: 'eu/h100',
  },
  'a volume is named where its cluster is not': {
    pools: [],
    volumes: [{ cache: 'ml/w', delta: unknown }],
    want: 'the volume of ml/w on eu',
  },
  'volumes of several caches of a cluster are counted, and that of its file system is named': {
    pools: [],
    volumes: ['ml/w', 'ml/v', 'Azure Managed Lustre'].map((cache) => ({ cache, delta: unknown })),
    want: 'the volumes of 2 caches on eu, the volume of Azure Managed Lustre on eu',
  },
  'a pool with a price is not named': {
    pools: [pool([1, 1], [2, 2], KNOWN)],
    want: '',
  },
};

test.each(Object.entries(cases))('%s', (_, { pools, own, volumes, want }) => {
  expect(names(pools, own, volumes)).toBe(want);
});

test('a volume that has a price now, and had none, is named with what it costs, and not as one without a price', () => {
  const price = { perMonth: 13.2, unknown: 0 };
  const volumes = [{ cache: 'ml/w', before: unknown, after: price, delta: unknown }];
  const change = { clusters: [{ cluster: 'eu', pools: [], volumes }] } as unknown as CostChanges;
  expect(listNewlyPriced(change, (name) => `<${name}>`)).toEqual([
    { name: 'the volume of <ml/w> on <eu>', after: { least: price, most: price } },
  ]);
  expect(omitNewlyPriced(change)).toMatchObject({ clusters: [{ volumes: [] }] });
});
