import type { Resource } from '../../src/api/kinds';
import type { Placement } from '../../src/scheduler/placement';
import { cluster, deployment, nodeClass, placed, run } from './build';

const H100 = nodeClass('h100');
const eu = cluster('eu', { a: 'h100 x 2', b: 'h100 x 2' });
const us = cluster('us', { a: 'h100 x 2' });
const q = deployment('ml/q', { replicas: 2 });
const r = deployment('ml/r');
const NOW: readonly Resource[] = [H100, eu, us, q, r];
const FULL = run(NOW).placements;

/** Lines that do not hold in any state. */
const BAD = ['ml/gone eu', 'ml/q eu', 'ml/r zz'].map((id): Placement => {
  const [deployment = '', site = ''] = id.split(' ');
  return { deployment, cluster: site, index: 7, pools: { main: 'a' }, shape: '' };
});

test('a lock of which every line holds is what is scheduled from it, the list itself where it is sorted', () => {
  const lock = run(NOW).placements;
  expect(run(NOW, lock).placements).toBe(lock);
  expect(placed(run(NOW, lock.toReversed()))).toEqual(placed({ placements: lock }));
});

test('lines that do not hold go, though nothing comes for them', () => {
  expect(placed(run(NOW, [...FULL, ...BAD]))).toEqual(placed({ placements: FULL }));
});
