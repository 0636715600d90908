import { findNeedsOfChange } from '../../src/diff/needs-of-change';
import { aClass } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { state } from './build';

const pool = { pools: { h100: { nodeCount: 2 } } };
const { decision } = state('main', [
  aClass('h100'),
  aSite('us', pool),
  aModel('ml/a', { replicaLabels: { a: 'b' } }),
  aSplit('ml/chat', [to({ a: 'b' })]),
  aDoor(['us']),
]);

/** What a change asks for that needs on another cluster what it needs of one kind on `us`. */
function needsOf(kind: string) {
  const objects = decision.plan.mustExist.flatMap((one) => one.objects.filter((object) => object.kind === kind));
  expect(objects.length).toBeGreaterThan(0);
  return findNeedsOfChange({ cloud: [] }, decision, [{ cluster: 'eu', objects }]);
}

test('a DNS record that the earlier state needs for another cluster is there already', () => {
  expect(needsOf('DNS record')).toEqual([]);
});
