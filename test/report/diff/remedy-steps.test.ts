import { formatStep, listChoices } from '../../../src/report/diff/remedy-steps';
import { listMoves } from '../../../src/report/plan/listed-moves';
import { formatRemedyLines } from '../../../src/report/plan/remedy-text';
import type { Remedy, RemedyMove } from '../../../src/scheduler/remedy';

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

const MOVES = [move('ml/a', 'eu/l4', 'us/l4'), move('ml/b', 'eu/l4', 'us/l4')];
const VACATES = { vacates: [{ deployment: 'ml/a', clusters: ['eu'] }] };
const moving = (more: object = {}): Remedy => ({ kind: 'move', moves: MOVES, ...more });
const packing: Remedy = { kind: 'packing', cluster: 'us', pool: 'l4', restarts: ['ml/a'] };
const nodes = (more: object = {}): Remedy => ({ kind: 'nodes', cluster: 'us', pool: 'l4', nodes: 2, gpus: 8, ...more });
const shortOf = (remedies: Remedy[], missing = 1) => ({ missing, accepted: false, rejections: [], remedies });
const RULE = { breaks: [{ rule: 'r', where: 'p.yaml:1:1' }] };

test.each<[string, Remedy, Remedy['kind'][]]>([
  ['those that may place all', moving(), ['move', 'nodes']],
  ['not those that place some', moving({ helps: 1 }), ['nodes']],
])('of the changes for several replicas, it lists next to nodes for all %s', (_, first, want) => {
  expect(listChoices(shortOf([first, nodes({ helps: 2 })], 2), 0).map(({ kind }) => kind)).toEqual(want);
});

test.each<[string, Remedy[], Remedy['kind'][]]>([
  ['the cheapest, and one of another kind', [moving(), packing, nodes()], ['move', 'packing']],
  [
    'nodes too, where clients lose a cluster and pods restart for both others',
    [moving(VACATES), packing, nodes()],
    ['move', 'packing', 'nodes'],
  ],
  [
    'nodes too, where replicas that move stop',
    [moving({ moves: [move('ml/a', 'eu/l4', 'us/l4', false)] }), packing, nodes()],
    ['move', 'packing', 'nodes'],
  ],
  ['no nodes that rules deny', [moving(VACATES), packing, nodes(RULE)], ['move', 'packing']],
])('of the changes that help, it lists %s', (_, remedies, want) => {
  expect(listChoices(shortOf(remedies), 0).map(({ kind }) => kind)).toEqual(want);
});

const FINALIZE =
  "When the moved replicas serve, run 'fleetwright lock DIR --finalize' and then 'fleetwright lock DIR', in one change";

test('several moves are a choice with its price, its effects and its commands apart', () => {
  const cost = { perMonth: 10, currency: 'USD', autoscaled: false };
  expect(listMoves(moving({ ...VACATES, cost }), '--accept-unplaced')).toEqual({
    text: 'move 1 replica of ml/a and 1 replica of ml/b from eu to us without downtime (+$10 a month)',
    effects: ['clients of ml/a on eu then get no answer, which the gate refuses without --accept-removals'],
    steps: ["Run 'fleetwright lock DIR --rebalance --accept-unplaced'", FINALIZE],
  });
});

test('replicas that stop before they move are not finalized', () => {
  const moves = MOVES.map((one) => ({ ...one, surgeFirst: false }));
  expect(listMoves(moving({ moves }), undefined)?.steps).toEqual(["Run 'fleetwright lock DIR --rebalance'"]);
});

test.each<[string, Remedy]>([
  ['a single move', moving({ moves: MOVES.slice(0, 1) })],
  ['moves before a change that stops replicas', moving({ before: 'ml/q' })],
  ['moves that rules deny', moving(RULE)],
  ['moves for a supposed change', moving({ supposed: true })],
  ['nodes', nodes()],
])('%s are a sentence', (_, remedy) => {
  expect(listMoves(remedy, undefined)).toBeUndefined();
});

test('in a plan, effects and commands of several moves are below them', () => {
  const below = [
    '- Clients of ml/a on eu then get no answer, which the gate refuses without --accept-removals.',
    "1. Run 'fleetwright lock DIR --rebalance --accept-unplaced'.",
    `2. ${FINALIZE}.`,
  ];
  expect(formatRemedyLines(shortOf([moving({ ...VACATES, helps: 1 }), nodes()], 2))).toEqual([
    {
      text: 'cheapest: move 1 replica of ml/a and 1 replica of ml/b from eu to us without downtime (for 1 of the 2)',
      below,
    },
    'or: 2 more nodes in us / l4 (8 GPUs) (for at least 1 of the 2)',
  ]);
});
