import { formatStep } from '../../../src/report/diff/remedy-steps';
import type { RemedyMove } from '../../../src/scheduler/remedy';

const move = (deployment: string, from: string, to: string, surgeFirst = true): RemedyMove => {
  const [[fromCluster = '', fromPool = ''], [toCluster = '', toPool = '']] = [from.split('/'), to.split('/')];
  return { deployment, from: fromCluster, to: toCluster, fromPools: [fromPool], toPools: [toPool], surgeFirst };
};

const cases: Record<string, { moves: RemedyMove[]; want: string }> = {
  'on one cluster are from a pool to another': {
    moves: [move('ml/a', 'eu/l4', 'eu/h100')],
    want: 'first move 1 replica of ml/a from eu / l4 to eu / h100 without downtime, in a change of its own',
  },
  'between clusters name no pools': {
    moves: [move('ml/a', 'eu/l4', 'us/h100', false)],
    want: 'first move 1 replica of ml/a from eu to us with downtime, in a change of its own',
  },
  'of the same way are one, unless only some of the replicas stop': {
    moves: [
      move('ml/a', 'eu/l4', 'us/l4'),
      move('ml/b', 'eu/h100', 'us/h100'),
      move('ml/c', 'eu/h100', 'us/h100', false),
    ],
    want: 'first move 1 replica of ml/a and 1 replica of ml/b from eu to us without downtime, 1 replica of ml/c from eu to us with downtime, in a change of its own',
  },
};

test.each(Object.entries(cases))('moves before a change %s', (_, { moves, want }) => {
  const remedy = { kind: 'move' as const, moves, accepts: true as const };
  const shortfall = { missing: 1, accepted: false, rejections: [], remedies: [remedy] };
  expect(formatStep(remedy, shortfall, 1)).toBe(want);
});
