import { locationKeyOf, replicaChangesOf } from '../../src/plan/replica-moves';
import type { EvictionReason } from '../../src/scheduler/schedule-result';
import type { Placement } from '../../src/scheduler/placement';

/** `us/0`, `us/0 draining`, `us/0 b` on pool b. */
function line(text: string): Placement {
  const [place = '', ...more] = text.split(' ');
  const [cluster = '', index] = place.split('/');
  const pool = more.find((word) => word !== 'draining') ?? 'a';
  const draining = more.includes('draining') && ({ draining: true } as const);
  return { deployment: 'ml/q', cluster, index: Number(index), pools: { main: pool }, shape: 's', ...draining };
}

interface Case {
  was: string[];
  is: string[];
  /** What goes, by cluster and index; why, where that is more than a cluster that is gone. */
  gone?: Record<string, EvictionReason['kind'] | undefined>;
  want: string[];
}

const cases: Record<string, Case> = {
  'what stays is kept': { was: ['us/0'], is: ['us/0'], want: ['keep us/0'] },
  'what goes and what comes is a move, with downtime': {
    was: ['us/0'],
    is: ['eu/0'],
    gone: { 'us/0': 'cluster-gone' },
    want: ['us/0 -> eu/0'],
  },
  'what serves on moves without downtime': {
    was: ['us/0'],
    is: ['eu/0', 'us/0 draining'],
    gone: { 'us/0': 'rejected' },
    want: ['us/0 -> eu/0, surge first'],
  },
  'what is of unknown reason moves too': {
    was: ['us/0'],
    is: ['eu/0'],
    gone: { 'us/0': undefined },
    want: ['us/0 -> eu/0'],
  },
  'what is not wanted any more is removed, whatever comes': {
    was: ['us/0'],
    is: ['eu/0'],
    gone: { 'us/0': 'scaled-down' },
    want: ['place eu/0', 'remove us/0'],
  },
  'what was draining has been replaced before, and is removed': {
    was: ['eu/0', 'us/0 draining'],
    is: ['ap/0', 'eu/0'],
    gone: { 'us/0': 'cluster-gone' },
    want: ['keep eu/0', 'place ap/0', 'remove us/0'],
  },
  'what was draining and is replaced where it is makes room for no other': {
    was: ['eu/0', 'us/0 draining'],
    is: ['ap/0', 'us/0 b'],
    gone: { 'eu/0': 'cluster-gone', 'us/0': 'pool-gone' },
    want: ['us/0 -> us/0', 'eu/0 -> ap/0'],
  },
  'a replica that serves on without a replacement is draining': {
    was: ['us/0'],
    is: ['us/0 draining'],
    gone: { 'us/0': 'rejected' },
    want: ['draining us/0'],
  },
  'what goes to another pool of its cluster is paired first, the others in order': {
    was: ['eu/0', 'us/0', 'us/1'],
    is: ['ap/0', 'ap/1', 'us/0 b'],
    gone: { 'eu/0': 'cluster-gone', 'us/0': 'pool-gone', 'us/1': 'pool-gone' },
    want: ['us/0 -> us/0', 'eu/0 -> ap/0', 'us/1 -> ap/1'],
  },
};

test.each(Object.entries(cases))('%s', (_, { was, is, gone = {}, want }) => {
  const previous = was.map(line);
  const evictions = Object.entries(gone).map(([place, kind]) => ({
    placement: previous.find((one) => locationKeyOf(one) === place)!,
    reason: kind && ({ kind } as EvictionReason),
  }));
  const changes = replicaChangesOf(previous, is.map(line), evictions);
  expect(
    changes.map(({ action, from, surgeFirst, ...one }) => {
      const moves = action === 'move' && from;
      return moves
        ? `${locationKeyOf(from)} -> ${locationKeyOf(one)}${surgeFirst ? ', surge first' : ''}`
        : `${action} ${locationKeyOf(one)}`;
    }),
  ).toEqual(want);
});
