import type { CompiledQueue, Pool } from '../../src/scheduler/compiled-fleet';
import { type Charge, Ledger } from '../../src/scheduler/ledger';
import { cluster, device, modelOf, nodeClass } from './build';

const QUEUE: CompiledQueue = { queue: 'models', quotas: [{ resource: 'gpu', quota: 6, others: 0, claimedAs: 'gpu' }] };

/** Two pools of a cluster with two nodes of four devices each. Both are of one queue. */
const [first, second] = modelOf(
  nodeClass('four', device('gpu', { count: 4 })),
  cluster('a', { first: 'four x 2', second: 'four x 2' }),
).clusters.flatMap(({ pools }) => pools.map((pool): Pool => ({ ...pool, queue: QUEUE }))) as [Pool, Pool];

/** Pods on a pool, of `count` devices each. */
function pods(pool: Pool, number: number, count: number): Charge {
  const perPod = { gpu: count };
  return {
    pool,
    pods: number,
    footprint: [{ count, kinds: [0] }],
    surge: 0,
    share: count / 4,
    engine: 'main',
    perPod,
    claimed: perPod,
  };
}

describe('a ledger of some pools without some of their pods', () => {
  const whole = pods(first, 1, 4);
  const setUp = (): Ledger => {
    const ledger = new Ledger();
    ledger.add([whole, pods(second, 1, 1)]);
    ledger.enlarge(first, 3);
    return ledger;
  };

  test('has room where those pods were', () => {
    expect(setUp().withoutOn([first], [whole]).deviceUse(first)).toEqual({ inUse: 0, free: 20 });
  });

  test('keeps the other pods of the pool', () => {
    expect(setUp().withoutOn([first], []).deviceUse(first)).toEqual({ inUse: 4, free: 16 });
  });

  test('keeps the nodes that the pool has in addition', () => {
    expect(setUp().withoutOn([first], []).nodes(first)).toBe(5);
  });

  test('counts what the queue claims on all pools', () => {
    const left = setUp().withoutOn([first], []);
    expect(left.findQuotaShortage([pods(first, 2, 1)])).toMatchObject({ quota: 6, inUse: 5, wanted: 2 });
  });

  test('leaves the ledger as it was', () => {
    const ledger = setUp();
    ledger.withoutOn([first], [whole]).add([pods(first, 3, 4)]);
    expect(ledger.deviceUse(first)).toEqual({ inUse: 4, free: 16 });
  });
});
