import type { Resource } from '../../../src/api/kinds';
import { diffBlocks } from '../../../src/report/diff/diff-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { listDiffSections } from '../../../src/report/map/build-change-sections';
import { formatTotal } from '../../../src/report/plan/total-line';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, anEngine, type Doc } from '../../api/build';
import { diff, state } from '../../diff/build';
import { readCells } from './table-cells';

/** Nodes of 8 GPUs at 8 an hour, so that a copy of one GPU costs 730 a month. */
const base = [
  aClass('h100', { price: { perHour: 8, currency: 'USD' } }),
  aCluster('us', { pools: { h100: { nodeCount: 8 } }, monitoring: {} }),
];

type Copies = number | { min: number; max: number };

const engine = (copies: Copies, queue = 4, name = 'main') =>
  anEngine(name, { copies, ...(typeof copies !== 'number' && { scaling: { on: [{ queue }] } }) });
const chat = (copies: Copies, more: Doc & { queue?: number } = {}) => {
  const { queue, ...rest } = more;
  return aDeployment('ml/chat', { engines: [engine(copies, queue)], ...rest });
};

const thirteen = (copies: Copies) =>
  Array.from({ length: 13 }, (_, i) => aDeployment(`ml/m${i}`, { engines: [engine(copies)] }));

function comment(before: Resource[], after: Resource[]): string {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
}

const COSTS = ['cost a month before', 'after', 'difference'];

/** The headline, and the cells of the first deployment: GPUs, what happens, cost. */
function summary(before: Resource[], after: Resource[]): string[] {
  const text = comment([...base, ...before], [...base, ...after]);
  const cells = readCells(text, '| `ml/');
  const costs = COSTS.flatMap((title) => cells[title] ?? []);
  return [text.split('\n')[2] ?? '', cells['GPUs'] ?? '', cells['what happens'] ?? '', costs.join(' | ')];
}

const bounds = (min: number, max: number): Copies => ({ min, max });
const rows: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'says how far a deployment grows, and what that costs at the most': {
    before: [chat(bounds(1, 4))],
    after: [chat(bounds(1, 6))],
    want: [
      'Lets `ml/chat` grow to 6 copies instead of 4. Cost of the fleet unchanged; the share of `ml/chat` rises by $1,460 a month with all copies.',
      '4 → 6',
      'copies 1 to 4 → 1 to 6',
      '$730 to $2,920 | $730 to $4,380 | $0 to +$1,460',
    ],
  },
  'says that an upper bound is lower': {
    before: [chat(bounds(1, 4))],
    after: [chat(bounds(1, 2))],
    want: [
      'Limits `ml/chat` to 2 copies instead of 4. Cost of the fleet unchanged; the share of `ml/chat` falls by $1,460 a month with all copies.',
      '4 → 2',
      'copies 1 to 4 → 1 to 2',
      '$730 to $2,920 | $730 to $1,460 | $0 to -$1,460',
    ],
  },
  'says that a lower bound is higher': {
    before: [chat(bounds(1, 4))],
    after: [chat(bounds(2, 4))],
    want: [
      'Keeps at least 2 copies of `ml/chat` instead of 1. Cost of the fleet unchanged; the share of `ml/chat` rises by $730 a month with the fewest copies.',
      '4',
      'copies 1 to 4 → 2 to 4',
      '$730 to $2,920 | $1,460 to $2,920 | $0 to +$730',
    ],
  },
  'says that a lower bound is lower': {
    before: [chat(bounds(2, 4))],
    after: [chat(bounds(1, 4))],
    want: [
      'Lets `ml/chat` shrink to 1 copy instead of 2. Cost of the fleet unchanged; the share of `ml/chat` falls by $730 a month with the fewest copies.',
      '4',
      'copies 2 to 4 → 1 to 4',
      '$1,460 to $2,920 | $730 to $2,920 | $0 to -$730',
    ],
  },
  'says both bounds where both change': {
    before: [chat(bounds(1, 4))],
    after: [chat(bounds(2, 5))],
    want: [
      'Lets `ml/chat` have 2 to 5 copies instead of 1 to 4. Cost unchanged at $46,720 a month: 1 idle GPU is used.',
      '4 → 5',
      'copies 1 to 4 → 2 to 5',
      '$730 to $2,920 | $1,460 to $3,650 | +$730',
    ],
  },
  'says to how many copies replicas grow that restart for something else, and not how many GPUs that is': {
    before: [chat(bounds(1, 4))],
    after: [chat(bounds(1, 5), { replicaLabels: { x: 'y' } })],
    want: [
      'Restarts 1 replica of `ml/chat` with **downtime of about 2 to 14 minutes** (label x y added), and lets `ml/chat` grow to 5 copies instead of 4. Cost unchanged at $46,720 a month: 1 idle GPU is reserved for copies.',
      '4 → 5',
      '1 restarted with downtime, about 2 to 14 min: label x y added; copies 1 to 4 → 1 to 5',
      '$730 to $2,920 | $730 to $3,650 | $0 to +$730',
    ],
  },
  'says that a fixed number becomes bounds': {
    before: [chat(2)],
    after: [chat(bounds(1, 4))],
    want: [
      'Moves 1 replica of `ml/chat` within us on 4 GPUs instead of 2, and lets `ml/chat` have 1 to 4 copies instead of a fixed 2. Cost unchanged at $46,720 a month: 4 idle GPUs are used.',
      '2 → 4 (+2 draining until finalized)',
      '1 moved within us; copies 2 → 1 to 4',
      '$1,460 | $2,190 to $4,380 until finalized, then $730 to $2,920 | +$730 to +$2,920 until finalized, then -$730 to +$1,460',
    ],
  },
  'says that bounds become a fixed number': {
    before: [chat(bounds(1, 4))],
    after: [chat(2)],
    want: [
      'Moves 1 replica of `ml/chat` within us on 2 GPUs instead of 4, and fixes `ml/chat` at 2 copies instead of 1 to 4. Cost unchanged at $46,720 a month: 2 idle GPUs are used while old replicas serve.',
      '4 → 2 (+4 draining until finalized)',
      '1 moved within us; copies 1 to 4 → 2',
      '$730 to $2,920 | $2,190 to $4,380 until finalized, then $1,460 | +$1,460 until finalized, then -$1,460 to +$730',
    ],
  },
  'says which value of a signal changes': {
    before: [chat(bounds(1, 4))],
    after: [chat(bounds(1, 4), { queue: 9 })],
    want: [
      'Changes when `ml/chat` scales (queue 4 → 9). Cost unchanged at $46,720 a month.',
      '4',
      'scaling: queue 4 → 9',
      '',
    ],
  },
  'counts copies in each of several replicas': {
    before: [chat(bounds(1, 4), { replicas: 2 })],
    after: [chat(bounds(1, 6), { replicas: 2 })],
    want: [
      'Lets `ml/chat` grow to 6 copies in each replica instead of 4. Cost of the fleet unchanged; the share of `ml/chat` rises by $2,920 a month with all copies.',
      '8 → 12',
      'copies 1 to 4 → 1 to 6',
      '$1,460 to $5,840 | $1,460 to $8,760 | $0 to +$2,920',
    ],
  },
  'names the engine of a deployment with several': {
    before: [aDeployment('ml/pair', { engines: [engine(bounds(1, 2), 4, 'a'), engine(bounds(1, 2), 4, 'b')] })],
    after: [aDeployment('ml/pair', { engines: [engine(bounds(1, 2), 4, 'a'), engine(bounds(1, 3), 4, 'b')] })],
    want: [
      'Lets engine `b` of `ml/pair` grow to 3 copies instead of 2. Cost of the fleet unchanged; the share of `ml/pair` rises by $730 a month with all copies.',
      '4 → 5',
      'b: copies 1 to 2 → 1 to 3',
      '$1,460 to $2,920 | $1,460 to $3,650 | $0 to +$730',
    ],
  },
};

describe('a comment on a change of copies', () => {
  test.each(Object.entries(rows))('%s', (_, { before, after, want }) => {
    expect(summary(before, after)).toEqual(want);
  });

  test('shares a row and a clause between many deployments in which the same changes', () => {
    const text = comment([...base, ...thirteen(bounds(1, 2))], [...base, ...thirteen(bounds(1, 3))]);
    expect(text).toContain('\nLets 13 deployments grow to 3 copies instead of 2. ');
    expect(text).toContain('| 13 deployments: `ml/m0` … | 13 | 26 → 39 | copies 1 to 2 → 1 to 3 |');
  });

  test('says nothing of a fixed number that changes, which is a change of replicas', () => {
    const text = comment([...base, chat(1)], [...base, chat(2)]);
    expect(text).toContain('\nMoves 1 replica of `ml/chat` within us');
    expect(text).not.toContain('; copies 1');
  });
});

test('the terminal, the total and the map say what changes in copies', () => {
  const [before, after] = [
    [...base, chat(bounds(1, 4))],
    [...base, chat(bounds(1, 6))],
  ];
  const change = diff(before, after);
  expect(terminalLines(diffBlocks(change)).map((line) => line.trim())).toContain('ml/chat   copies 1 to 4 -> 1 to 6');
  expect(formatTotal(state('here', after).decision.plan, change)).toContain('; scaling: 1 deployment changed; ');
  expect(listDiffSections(change).changes).toContainEqual({
    title: 'Copies',
    items: [{ text: 'ml/chat: copies 1 to 4 -> 1 to 6' }],
  });
});

/** A deployment of two engines. */
function two(a: number, b: number, more: Doc = {}): Resource {
  return aDeployment('ml/chat', { engines: [engine(a, 4, 'a'), engine(b, 4, 'b')], ...more });
}

describe('a comment on a change of a fixed number of copies', () => {
  const small = [
    aClass('h100', { price: { perHour: 8, currency: 'USD' } }),
    aCluster('us', { pools: { h100: { nodeCount: 1 } } }),
  ];
  const cases: Record<string, { before: Resource; after: Resource; want: string[] }> = {
    'says that replicas without room for both shapes get copies and do not restart': {
      before: chat(2),
      after: chat(7),
      want: ['Adds 5 copies to `ml/chat` (2 → 7) with 5 more GPUs and no restart', 'copies: 1 deployment changed'],
    },
    'says which engine gets copies, and what its replica restarts for': {
      before: two(2, 2),
      after: two(4, 2, { replicaLabels: { x: 'y' } }),
      want: [
        'Restarts 1 replica of `ml/chat` on 6 GPUs instead of 4 without downtime, one copy down at a time (label x y added), and adds 2 copies to engine `a` of `ml/chat` (2 → 4)',
        '1 rolled in place',
        'up to 4 copies one after the other, each down in its turn: label x y added; a: copies 2 → 4 | ≥ 1 of 1, with one copy fewer |',
        ', one copy down at a time, its engines changed',
      ],
    },
    'says how many copies go': {
      before: chat(7),
      after: chat(3),
      want: ['Removes 4 copies of `ml/chat` (7 → 3) with 4 fewer GPUs and no restart', 'copies 7 → 3'],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    const text = comment([...small, before], [...small, after]);
    for (const one of want) expect(text).toContain(one);
  });
});

test('says how long the restart of a replica takes, of which a copy at a time restarts', () => {
  const [was, is] = ['--max-model-len=4096', '--max-model-len=8192'].map((arg) =>
    aDeployment('ml/chat', {
      replicas: 2,
      engines: [anEngine('main', { args: [arg], copies: bounds(1, 4), scaling: { on: [{ queue: 4 }] } })],
    }),
  );
  const text = comment([...base, ...(was ? [was] : [])], [...base, ...(is ? [is] : [])]);
  expect(readCells(text, '| `ml/')['what happens']).toContain(
    '2 restarted, 1 at a time \\(in each, up to 4 copies one after the other, about 2 to 14 min a copy, while the others serve\\): ',
  );
});
