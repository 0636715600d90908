import type { Resource } from '../../src/api/kinds';
import type { Placement } from '../../src/scheduler/placement';
import { cluster, deployment, device, nodeClass, placed, run } from './build';

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

const reasonsOf = (...args: Parameters<typeof run>) => run(...args).evictions.map(({ reason }) => reason);

describe('changed engines', () => {
  const many = nodeClass('many', device('gpu', { count: 16 }));
  const one = deployment('ml/q', { gpus: 8 });
  const changed = deployment('ml/q', { gpus: 16 });
  const too = { filter: 'devices', engine: 'main', misfit: 'too-few', request: 'gpu', wanted: 16, has: 8 };
  const misfit = { cluster: 'eu', pool: 'a', reason: too };
  const sites = [H100, many, cluster('eu', { a: 'h100 x 2' }), cluster('us', { b: 'many x 2' })];
  const locked = run([H100, cluster('eu', { a: 'h100 x 2' }), one]).placements;

  test('leave a cluster for a reason of its pools, whether their earlier declaration is known or not', () => {
    expect(reasonsOf([...sites, changed], locked)).toEqual([{ kind: 'shape', downtime: 'unknown', misfit }]);
    expect(reasonsOf([...sites, changed], locked, [one])).toEqual([{ kind: 'shape', misfit }]);
  });

  test('have no such reason where another pool of the cluster suits them', () => {
    const both = cluster('eu', { a: 'h100 x 2', b: 'many x 2' });
    expect(reasonsOf([H100, many, both, changed], locked)).toEqual([{ kind: 'shape', downtime: 'unknown' }]);
  });
});
