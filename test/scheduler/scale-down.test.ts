import { cluster, deployment, nodeClass, placed, run } from './build';
import { type Change, checkChange } from './history';

const H100 = nodeClass('h100');
const taint = (effect: string) => ({ taints: [{ key: 'drain', value: 'now', effect }] });
const region = (name: string) => ({ labels: { region: name } });
const eu = cluster('eu', { a: 'h100 x 2' }, region('eu'));
const us = cluster('us', { a: 'h100 x 2' }, region('us'));
const two = deployment('ml/q', { replicas: 2 });

const cases: Record<string, Change> = {
  'fewer replicas are taken from the cluster with the most, the highest index first': {
    before: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q', { replicas: 4 }),
    ],
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q', { replicas: 2 }),
    ],
    want: ['ml/q eu/0 a', 'ml/q us/0 a'],
    evicted: ['ml/q eu/1 scaled-down', 'ml/q eu/2 scaled-down'],
  },
  'from clusters that take no new ones before others': {
    before: [H100, eu, us, deployment('ml/q', { replicas: 3 })],
    resources: [H100, eu, cluster('us', { a: 'h100 x 2' }, taint('NoSchedule')), deployment('ml/q', { replicas: 2 })],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
    evicted: ['ml/q us/0 scaled-down'],
  },
  'from a pool that is too full before any other, so that nothing else has to move': {
    before: [H100, eu, us, deployment('ml/q', { replicas: 3 })],
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }),
      cluster('us', { a: 'h100 x 0' }),
      deployment('ml/q', { replicas: 2 }),
    ],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
    evicted: ['ml/q us/0 scaled-down'],
  },
  'before what has no room: what is not wanted any more may be all that is too much': {
    before: [H100, eu, deployment('ml/a'), deployment('ml/b')],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), deployment('ml/a', { replicas: 0 }), deployment('ml/b')],
    want: ['ml/b eu/0 a'],
    evicted: ['ml/a eu/0 scaled-down'],
  },
  'none are left at zero replicas': {
    before: [H100, eu, two],
    resources: [H100, eu, deployment('ml/q', { replicas: 0 })],
    want: [],
    evicted: ['ml/q eu/0 scaled-down', 'ml/q eu/1 scaled-down'],
  },
  'room that is freed is used in the same run': {
    before: [H100, cluster('eu', { a: 'h100 x 2' }), two],
    resources: [H100, cluster('eu', { a: 'h100 x 2' }), deployment('ml/q'), deployment('ml/r')],
    want: ['ml/q eu/0 a', 'ml/r eu/0 a'],
    evicted: ['ml/q eu/1 scaled-down'],
  },
};

test.each(Object.entries(cases))('scale down: %s', (_, row) => checkChange(row));

test('a lock of tens of thousands of replicas too many is scaled down in time that grows in proportion', () => {
  const fleet = [H100, eu, deployment('ml/q', { replicas: 1 })];
  const [kept] = run(fleet).placements;
  const previous = Array.from({ length: 30_000 }, (_, index) => ({ ...kept!, index }));
  const result = run(fleet, previous);
  expect(placed(result)).toEqual(['ml/q eu/0 a']);
  expect(result.evictions).toHaveLength(29_999);
}, 60_000);
