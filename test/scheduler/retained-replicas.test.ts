import type { Resource } from '../../src/api/kinds';
import { compileFleet } from '../../src/plan/compile-fleet';
import { groupByDeployment } from '../../src/scheduler/placement-order';
import { schedule } from '../../src/scheduler/schedule';
import type { Placement } from '../../src/scheduler/schedule-result';
import { byPath } from '../api/build';
import { cluster, deployment, fleetOf, nodeClass, placed, run } from './build';

const H100 = nodeClass('h100');
const eu = cluster('eu', { a: 'h100 x 2', b: 'h100 x 2' });
const us = cluster('us', { a: 'h100 x 2' });
const q = deployment('ml/q', { replicas: 2 });
const r = deployment('ml/r');
const NOW: readonly Resource[] = [H100, eu, us, q, r];
const taint = (effect: string) => ({ taints: [{ key: 'drain', value: 'now', effect }] });

/** Another state of the fleet, which has all but one resource in common with the one of now. */
const others: Record<string, readonly Resource[]> = {
  'a pool has gone': [H100, cluster('eu', { b: 'h100 x 2' }), us, q, r],
  'a cluster has gone': [H100, us, q, r],
  'a cluster is drained': [H100, eu, cluster('us', { a: 'h100 x 2' }, taint('NoExecute')), q, r],
  'a cluster takes no new ones': [H100, eu, cluster('us', { a: 'h100 x 2' }, taint('NoSchedule')), q, r],
  'a cluster is paused': [H100, eu, cluster('us', { a: 'h100 x 0' }, { paused: true }), q, r],
  'a pool has shrunk': [H100, eu, cluster('us', { a: 'h100 x 0' }), q, r],
  'engines have another shape': [H100, eu, us, deployment('ml/q', { replicas: 2, gpus: 4 }), r],
  'a deployment is paused': [H100, eu, us, deployment('ml/q', { spec: { paused: true } }), r],
  'a deployment has fewer replicas': [H100, eu, us, deployment('ml/q'), r],
  'a deployment has no replicas': [H100, eu, us, q, deployment('ml/r', { replicas: 0 })],
  'a deployment has more replicas': [H100, eu, us, deployment('ml/q', { replicas: 3 }), r],
  'a deployment has gone': [H100, eu, us, r],
  'a deployment has come': [...NOW, deployment('ml/a')],
  'nothing has changed': NOW,
};

test.each(Object.entries(others))('a lock that was held before is held anew where %s', (_, resources) => {
  const [was, is] = [fleetOf(...NOW), fleetOf(...resources)];
  for (const lock of [FULL, [...FULL, ...BAD], [...FULL.slice(1), ...BAD]]) {
    const known = { fleet: was, model: compileFleet(was, byPath) };
    schedule(known.model, lock);
    const beside = schedule(compileFleet(is, byPath, known), lock);
    expect(beside).toEqual(schedule(compileFleet(structuredClone(is), byPath), structuredClone(lock)));
    expect(groupByDeployment(beside.placements)).toEqual(
      groupByDeployment(structuredClone(beside.placements)),
    );
  }
});

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
