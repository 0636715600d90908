import { findLargeRemoval } from '../../../src/scheduler/lock/removals';
import type { Placement } from '../../../src/scheduler/placement';
import { at } from './build';

/** `count` replicas of a deployment. */
function replicas(deployment: string, count: number, rest: Partial<Placement> = {}): Placement[] {
  return Array.from({ length: count }, (_, i) => at(deployment, `us/${i}`, rest));
}

const cases: Record<string, { before: Placement[]; after: Placement[]; want: ReturnType<typeof findLargeRemoval> }> = {
  'half of the replicas may go': {
    before: replicas('ml/a', 4),
    after: replicas('ml/a', 2),
    want: undefined,
  },
  'more than half may not': {
    before: replicas('ml/a', 5),
    after: replicas('ml/a', 2),
    want: { removed: 3, held: 5, namespaces: [] },
  },
  'all of a namespace may not go, however few they are': {
    before: [...replicas('ml/a', 9), ...replicas('web/b', 1)],
    after: replicas('ml/a', 9),
    want: { removed: 1, held: 10, namespaces: ['web'] },
  },
  'a namespace that keeps another deployment is not lost': {
    before: [...replicas('ml/a', 9), ...replicas('ml/b', 1)],
    after: replicas('ml/a', 9),
    want: undefined,
  },
  'a lock of two replicas may lose both': { before: replicas('ml/a', 2), after: [], want: undefined },
  'a lock of three may not': {
    before: replicas('ml/a', 3),
    after: [],
    want: { removed: 3, held: 3, namespaces: ['ml'] },
  },
  'a replica that moves is not removed': {
    before: replicas('ml/a', 4),
    after: replicas('ml/a', 4, { cluster: 'eu' }),
    want: undefined,
  },
  'what one deployment gains does not make up for what others lose': {
    before: [...replicas('ml/a', 3), ...replicas('ml/b', 1)],
    after: replicas('ml/b', 9),
    want: { removed: 3, held: 4, namespaces: [] },
  },
  'a replica that starts to leave still serves': {
    before: replicas('ml/a', 4),
    after: replicas('ml/a', 4, { draining: true }),
    want: undefined,
  },
  'replicas that were draining may go': {
    before: [...replicas('ml/a', 4), ...replicas('ml/a', 9, { cluster: 'eu', draining: true })],
    after: replicas('ml/a', 4),
    want: undefined,
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(findLargeRemoval(before, after)).toEqual(want);
});
