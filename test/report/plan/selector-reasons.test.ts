import { formatDecisiveReason, formatOtherReasons } from '../../../src/report/plan/shortfall-text';
import { ask, cluster, deployment, device, engine, nodeClass, run } from '../../scheduler/build';

/** A deployment for zone z, and clusters in b, c and z, without nodes. */
function findShort() {
  const l4 = nodeClass('l4', device('gpu'));
  const zones = ['b', 'c', 'z'].map((zone, i) => cluster(`c${i}`, { a: 'l4 x 0' }, { labels: { zone } }));
  const template = { clusterSelector: { matchLabels: { zone: 'z' } } };
  const engines = [engine('main', [ask('gpu', 1)])];
  return run([l4, ...zones, deployment('ml/q', { engines, template })]).shortfalls[0]!;
}

test('the reason that decides is one requirement for all clusters that do not meet it, whatever they have', () => {
  const reasons = { ...findShort(), remedies: [] };
  expect([formatDecisiveReason(reasons), formatOtherReasons(reasons)]).toEqual([
    'c0, c1: zone=z is not met',
    'c2: without nodes',
  ]);
});

test('of replicas whose cluster goes, it is the reason of the cluster that meets the most', () => {
  expect(formatDecisiveReason({ ...findShort(), remedies: [] }, ['cluster c9'])).toBe(
    'c2 / a: needs 1 gpu on one node; the pool has no nodes',
  );
});
