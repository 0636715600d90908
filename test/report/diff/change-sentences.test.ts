import { formatReplicaAction } from '../../../src/report/diff/change-sentences';

const rolled = {
  action: 'roll' as const,
  cluster: 'us',
  index: 0,
  pools: { main: 'h100' },
  reason: { kind: 'shape' as const, downtime: 'no-room' as const },
};

test.each([
  ['has no reason for a downtime that it does not have', {}, 'rolled in place, its engines changed'],
  ['says why it stops', { down: true as const }, expect.stringContaining(', and there is no room to run the old and')],
])('a replica of other engines that rolls %s', (_, change, want) => {
  expect(formatReplicaAction({ ...rolled, ...change })).toEqual(want);
});
