import type { Resource } from '../../../src/api/kinds';
import { ZERO_SUM } from '../../../src/cost/sum';
import { formatCostSentence } from '../../../src/report/pull-request/cost-sentence';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';
import { readCells } from './table-cells';

const ZERO_RANGE = { least: ZERO_SUM, most: ZERO_SUM };

const priced = (name: string, perHour?: number): Resource =>
  aClass(name, perHour === undefined ? {} : { price: { perHour } });
const site = (name: string, className: string, taints: object[] = []): Resource =>
  aCluster(name, { pools: { gpus: { className, nodeCount: 4 } }, taints });
const DRAIN = [{ key: 'drain', effect: 'NoExecute' }];
const models = (count: number): Resource[] =>
  Array.from({ length: count }, (_, i) => {
    const id = `ml/q${String(i).padStart(2, '0')}`;
    return aDeployment(id, { engines: [{ name: 'main', members: [aMember({ gpus: 1 })] }] });
  });

/** A comment on a drain of `eu`, whose replicas then run on `us`, at prices of a node with 8 GPUs. */
function drain(eu: number | undefined, us: number, count = 1): string {
  const fleet = [priced('old', eu), priced('new', us), ...models(count)];
  const before = [...fleet, site('eu', 'old')];
  const after = [...fleet, site('eu', 'old', DRAIN), site('us', 'new')];
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
}

function costs(eu: number | undefined, us: number, count = 1): string {
  const text = drain(eu, us, count);
  const {
    'cost a month before': was,
    after: is,
    difference,
  } = readCells(text, count > 1 ? `| ${count} dep` : '| `ml/');
  return [was, is, difference].join(' | ');
}

test.each<[string, string, string]>([
  [
    'is that with draining replicas, then that without them',
    costs(8, 16),
    '$730 | $2,190 until finalized, then $1,460 | +$1,460 until finalized, then +$730',
  ],
  [
    'is what it was once finalized, at the same price',
    costs(8, 8),
    '$730 | $1,460 until finalized, then $730 | +$730 until finalized, then $0',
  ],
  [
    'is that of all deployments of a row',
    costs(8, 16, 14),
    '$10,220 | $30,660 until finalized, then $20,440 | +$20,440 until finalized, then +$10,220',
  ],
  [
    'is known once the replicas without a price are finalized',
    costs(undefined, 16),
    'unknown | ≥ $1,460 until finalized, then $1,460 | +$1,460 until finalized, then unknown',
  ],
])('the cost of a deployment whose old replicas drain %s', (_, found, want) => {
  expect(found).toBe(want);
});

test('what is idle is that with draining replicas, then that without them', () => {
  const { GPUs, after } = readCells(drain(8, 16), '| idle');
  expect([GPUs, after]).toEqual(['31 → 62 until finalized, then 63', '$67,890 until finalized, then $68,620']);
});

test('a change that drains nothing leaves what old replicas cost to the change that drains them', () => {
  const cost = { delta: ZERO_RANGE, before: ZERO_RANGE, after: ZERO_RANGE, clusters: [], currency: 'USD' };
  const later = {
    ...cost,
    delta: { least: { ...ZERO_SUM, unknown: 1 }, most: { ...ZERO_SUM, unknown: 1 } },
    storage: { delta: ZERO_SUM },
  };
  const change = { cost, finalizedCost: later, idleAccelerators: { before: 0, after: 0 }, cloud: [], deployments: [] };
  const say = (rows: unknown[]) => formatCostSentence(change as never, rows as never, { clusters: [] });
  expect(say([])).toBe('cost unchanged');
  const volume = {
    cache: 'ml/w',
    before: { perMonth: 0, unknown: 1 },
    after: ZERO_SUM,
    delta: { perMonth: 0, unknown: 1 },
  };
  const gone = { ...change, finalizedCost: { ...later, clusters: [{ cluster: 'eu', volumes: [volume] }] } };
  const rows = [{ accelerators: { draining: 1 }, deployments: [], cost: [], actions: {} }];
  expect(formatCostSentence(gone as never, rows as never, { clusters: [] })).toContain(
    'less the volume of `ml/w` on `eu`, whose price is unknown',
  );
});
