import { compileFleet } from '../../src/plan/compile-fleet';
import { byPath } from '../api/build';
import { cluster, deployment, fleetOf, nodeClass } from './build';

const H100 = nodeClass('h100');
const prod = cluster('us', { a: 'h100 x 2' }, { labels: { tier: 'prod' } });
const trial = cluster('us', { a: 'h100 x 2' }, { labels: { tier: 'test' } });
const q = deployment('ml/q', {
  spec: { placement: { policy: 'Preferred', preferred: [{ matchLabels: { tier: 'prod' } }] } },
});

test('a deployment that is sound beside the clusters of one state is looked at beside those of the other', () => {
  const was = fleetOf(H100, prod, q);
  const known = { fleet: was, model: compileFleet(was, byPath) };
  const is = fleetOf(H100, trial, q);
  expect(() => compileFleet(is, byPath, known)).toThrow('no cluster has the labels tier=prod');
  expect(() => compileFleet(fleetOf(H100, prod, q), byPath, known)).not.toThrow();
});
