import type { CostChanges } from '../../../src/cost/cost-changes';
import { nameUnpricedChanges } from '../../../src/report/cost/unpriced-changes';

type Pool = CostChanges['clusters'][number]['pools'][number];
type Later = Parameters<typeof nameUnpricedChanges>[1];

const unknown = { unknown: 1 };
const range = { least: unknown, most: unknown };

/** A pool of which the price is not known, with its nodes before and after. */
const pool = (before: [number, number], after: [number, number], delta = range): Pool => {
  const [was, is] = [before, after].map(([least, most]) => ({ least, most }));
  return { pool: 'h100', before: range, after: range, delta, nodes: { before: was, after: is } } as Pool;
};

const names = (pools: Pool[], own: object = {}): string => {
  const change = {
    currency: 'USD',
    hoursPerMonth: 730,
    clusters: [{ cluster: 'eu', pools, volumes: [] }],
  } as unknown as CostChanges;
  const later = { clusters: [{ cluster: 'eu', pools: [{ pool: 'h100', ...own }] }] } as unknown as Later;
  return nameUnpricedChanges(change, later);
};

const MACHINE = { unpriced: 'gcp/a3-highgpu-8g in europe-west4' };
const NEAR = { elsewhere: { region: 'europe-west4', prices: [{ region: 'us-central1', perHour: 88.49 }] } };

const cases: Record<string, { pools: Pool[]; own?: object; want: string }> = {
  'nodes that come have the price of the nearest region next to them': {
    pools: [pool([1, 1], [2, 2])],
    own: { ...MACHINE, ...NEAR },
    want: '1 node of gcp/a3-highgpu-8g in europe-west4 ($64,598 a month in us-central1)',
  },
  'nodes that go are counted too': {
    pools: [pool([3, 3], [1, 1])],
    own: MACHINE,
    want: '2 nodes of gcp/a3-highgpu-8g in europe-west4',
  },
  'an autoscaled pool has bounds': {
    pools: [pool([0, 0], [1, 3])],
    own: MACHINE,
    want: '1 to 3 nodes of gcp/a3-highgpu-8g in europe-west4',
  },
  'a pool of which the machine is not known has its name': {
    pools: [pool([0, 0], [2, 2])],
    want: '2 nodes of eu/h100',
  },
  'a pool with a price is not named': {
    pools: [pool([1, 1], [2, 2], { least: { unknown: 0 }, most: { unknown: 0 } } as typeof range)],
    want: '',
  },
};

test.each(Object.entries(cases))('%s', (_, { pools, own, want }) => {
  expect(names(pools, own)).toBe(want);
});
