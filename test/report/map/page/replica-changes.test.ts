import type { Resource } from '../../../../src/api/kinds';
import { buildFleetView } from '../../../../src/report/map/page/fleet-view';
import { listChanges, summarizeChanges } from '../../../../src/report/map/page/replica-changes';
import { cluster, deployment, nodeClass } from '../../../scheduler/build';
import { comparison } from '../drawn';

const H100 = nodeClass('h100');
const EU = cluster('eu', { a: 'h100 x 4' });
const US = cluster('us', { a: 'h100 x 4' });
const US_GONE = cluster('us', { a: 'h100 x 4' }, { taints: [{ key: 'gone', effect: 'NoExecute' }] });
const onUs = (replicas: number): Resource => deployment('ml/p', { replicas, spec: { placement: { policy: 'Pack' } } });

const rows: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'a move is one change, and names both ends: the old replica is removed first': {
    before: [H100, US, deployment('ml/p')],
    after: [H100, EU, deployment('ml/p')],
    want: ['1 moved: us/0 \u2192 eu/0'],
  },
  'a move is one change where the old replica serves until it is finalized': {
    before: [H100, US, deployment('ml/p')],
    after: [H100, EU, US_GONE, deployment('ml/p')],
    want: ['1 moved: us/0 \u2192 eu/0'],
  },
  'several changes of a deployment are counted by what they are': {
    before: [H100, US, onUs(2)],
    after: [H100, EU, onUs(3)],
    want: ['1 placed, 2 moved'],
  },
  'a replica that goes to another pool of its cluster moves, and names the pools': {
    before: [H100, cluster('us', { a: 'h100 x 1', b: 'h100 x 1' }), deployment('ml/p')],
    after: [H100, cluster('us', { b: 'h100 x 1' }), deployment('ml/p')],
    want: ['1 moved: us/0, pool a \u2192 b'],
  },
  'one replica names its place': {
    before: [H100, US, deployment('ml/p', { replicas: 2 })],
    after: [H100, US, deployment('ml/p', { replicas: 1 })],
    want: ['1 removed: us/1'],
  },
};

test.each(Object.entries(rows))('%s', (_, { before, after, want }) => {
  const changes = listChanges(buildFleetView(comparison(before, after)));
  expect([...changes.values()].map((one) => summarizeChanges(one))).toEqual(want);
});

test('replicas without a place are counted after those that change', () => {
  const changes = listChanges(buildFleetView(comparison([H100, US, onUs(1)], [H100, US, onUs(2)])));
  expect([...changes.values()].map((one) => summarizeChanges(one, 2))).toEqual(['1 placed: us/1, 2 without a place']);
  expect(summarizeChanges([], 1)).toBe('1 without a place');
});
