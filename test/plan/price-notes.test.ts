import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { describePoolsWithoutPrice } from '../../src/plan/price-notes';
import type { CompiledFleet } from '../../src/scheduler/compiled-fleet';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, byPath, type Doc } from '../api/build';

const PRICED = aClass('priced', { price: { perHour: 10, asOf: '2026-11-01' } });
const LAST = 'ModelDeployment ml/q: Cheapest takes a/bare last, because the price of its nodes is not known.';

interface Row {
  pools?: Record<string, number>;
  policy?: 'Spread' | 'Cheapest';
  deployment?: Doc;
  want: string[];
}

const rows: Record<string, Row> = {
  'a pool without a price comes last, and says which field has it': {
    want: [`${LAST} State it in price.perHour of InferenceClass bare, or in the file of Fleet.spec.prices.`],
  },
  'other policies do not ask for prices': { policy: 'Spread', want: [] },
  'a pool with a price is no exception': { pools: { priced: 1 }, want: [] },
  'a cluster that is not selected has no pool for it': {
    deployment: { clusterSelector: { matchLabels: { tier: 'x' } } },
    want: [],
  },
};

test.each(Object.entries(rows))(
  '%s',
  (_, { pools = { priced: 1, bare: 1 }, policy = 'Cheapest', deployment, want }) => {
    const { spec, ...declared } = aDeployment('ml/q', deployment);
    const placement = { ...spec.placement, policy };
    const resources = [PRICED, aClass('bare'), aCluster('a', { pools }), { ...declared, spec: { ...spec, placement } }];
    const { notes } = decide(assemble(resources), byPath, EMPTY_LOCK).plan;
    expect(notes.filter((note) => note.includes('Cheapest'))).toEqual(want);
  },
);

test('a plan knows of pools without a price, whatever the policy, and without those that have no nodes', () => {
  const pools = { priced: 1, bare: 1, empty: 0 };
  const resources = [PRICED, aClass('bare'), aClass('empty'), aCluster('a', { pools }), aCluster('b', { pools })];
  expect(decide(assemble(resources), byPath, EMPTY_LOCK).remarks.unchecked).toEqual([
    'Costs leave out a/bare, b/bare: the price of their nodes is not known. State it in price.perHour of InferenceClass bare, or in the file of Fleet.spec.prices.',
  ]);
});

test('where a class has a price on another cluster, the file of prices comes first', () => {
  const clusters = [aCluster('us', { pools: { bare: 1 } }), aCluster('eu', { pools: { bare: 1 } })];
  const pool = { name: 'bare', className: 'bare', nodes: 1 };
  const model = {
    clusters: [{ pools: [{ ...pool, cluster: 'us', price: 10 }] }, { pools: [{ ...pool, cluster: 'eu' }] }],
  } as unknown as CompiledFleet;
  expect(describePoolsWithoutPrice(assemble([aClass('bare'), ...clusters]), model)).toEqual([
    'Costs leave out eu/bare: the price of its nodes is not known. State it in the file of Fleet.spec.prices, or in price.perHour of InferenceClass bare, which replaces the known price of us/bare.',
  ]);
});

test('nodes that have a price in another region alone are estimated', () => {
  const labels = { 'topology.kubernetes.io/region': 'us-east-2' };
  const machine = { from: 'aws/p4de.24xlarge' };
  const resources = [aClass('a100', machine), aClass('bare'), aCluster('us', { labels, pools: { a100: 1, bare: 1 } })];
  expect(decide(assemble(resources), byPath, EMPTY_LOCK).remarks.unchecked).toEqual([
    expect.stringMatching(/^Costs leave out us\/bare: the price of its nodes is not known\./),
    expect.stringMatching(/^Costs of us\/a100 are estimates, with prices of other regions: the price of its nodes /),
  ]);
});
