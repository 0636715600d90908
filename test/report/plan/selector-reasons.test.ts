import { formatDecisiveReason, formatOtherReasons } from '../../../src/report/plan/shortfall-text';
import { ask, cluster, deployment, device, engine, nodeClass, run } from '../../scheduler/build';

test('the reason that decides is one requirement for all clusters that do not meet it, whatever they have', () => {
  const l4 = nodeClass('l4', device('gpu'));
  const zones = ['b', 'c', 'z'].map((zone, i) => cluster(`c${i}`, { a: 'l4 x 0' }, { labels: { zone } }));
  const template = { clusterSelector: { matchLabels: { zone: 'z' } } };
  const engines = [engine('main', [ask('gpu', 1)])];
  const [short] = run([l4, ...zones, deployment('ml/q', { engines, template })]).shortfalls;
  const reasons = { ...short!, remedies: [] };
  expect([formatDecisiveReason(reasons), formatOtherReasons(reasons)]).toEqual([
    'c0, c1: zone=z is not met',
    'c2: without nodes',
  ]);
});
