import type { MoreNodes } from '../../../src/analyze/survive/more-nodes';
import type { Resource } from '../../../src/api/kinds';
import { comparisonBlocks } from '../../../src/report/diff/diff-text';
import { formatGateVerdict } from '../../../src/report/diff/gate-verdict';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { aClass, aCluster, aDeployment, aMember, type Doc, parsed } from '../../api/build';
import { comment, compare, fleet } from './unplaced-comment';

const PRICE = { price: { perHour: 10 } };
const autoscaled = (replicas: number): Resource[] => [
  aClass('h100', PRICE),
  aCluster('us', { pools: { h100: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 2 } } }),
  ...fleet(replicas).slice(2),
];

const MORE: MoreNodes = {
  replicas: 3,
  stranded: [],
  extra: {
    nodes: [{ cluster: 'us', pool: 'h100', nodes: 3, gpus: 24 }],
    total: 3,
    atLeast: 3,
    method: 'exact',
    cost: { perHour: 30, perMonth: 21_900, unknown: 0 },
    sources: [],
    currency: 'USD',
  },
};

const OTHER = { deployment: 'ml/other', replicas: 1 };

const WITH_POOL: MoreNodes = {
  ...MORE,
  newPool: {
    ...MORE.extra!,
    nodes: [{ cluster: 'us', pool: 'h100', nodes: 2, gpus: 16 }],
    total: 2,
    cost: { perHour: 20, perMonth: 14_600, unknown: 0 },
  },
};

const ESTIMATED: MoreNodes = {
  ...MORE,
  extra: {
    ...MORE.extra!,
    cost: { unknown: 3 },
    estimate: { perHour: 268.4, perMonth: 195_932, regions: ['us-east-1'] },
  },
};

/** A pool of a machine whose price is known in another region. */
const unpriced = (replicas: number): Resource[] => [
  parsed('InferenceClass', 'h100', { from: 'aws/p5.48xlarge' }),
  aCluster('eu', {
    source: 'EKS',
    cluster: { source: 'EKS', eks: { region: 'eu-west-1' } },
    pools: { h100: { nodeCount: 1, zones: ['eu-west-1a'] } },
  }),
  ...fleet(replicas).slice(2),
];

const outOfDate = {
  path: 'fleet.lock.yaml',
  command: 'fleetwright lock fleet',
  missing: false,
  short: false,
  removes: false,
};

/** Two deployments of replicas that take a node. */
const two = (replicas: number): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 2 } } }),
  ...['ml/p', 'ml/q'].map((id) =>
    aDeployment(id, { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
  ),
];

/** Two deployments of which no further replica has a place, for different reasons. */
const unlike = (replicas: number): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 2 } } }),
  ...[8, 4].map((gpus) =>
    aDeployment(`ml/of-${gpus}`, { replicas, engines: [{ name: 'main', members: [aMember({ gpus })] }] }),
  ),
];

/** A drain of the only cluster. */
const drained = (replicas: number): Resource[] => {
  const taints = [{ key: 'retired', effect: 'NoExecute' }];
  return [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 2 } }, taints }), ...fleet(replicas).slice(2)];
};

describe('replicas without a place in a comment', () => {
  const text = comment(fleet(2), fleet(5));
  const cases: Record<string, { text: string; want: string }> = {
    'stand below the sentence, with the edits that cause it': {
      text: text.split('\n')[4] ?? '',
      want: '- :x: **3 of 5 replicas of ml/q fit nowhere \\(edit 1\\).**',
    },
    'of several deployments for the same reason are one problem': {
      text: comment(two(1), two(2)).split('\n')[4] ?? '',
      want: '- :x: **1 of 2 replicas of ml/p and 1 of 2 replicas of ml/q fit nowhere \\(edits 1 and 2\\).**',
    },
    'of several deployments are one clause': {
      text: comment(two(1), two(2)),
      want: '\nFinds no place for 1 of 2 replicas of `ml/p` and 1 of 2 replicas of `ml/q`. Cost unchanged.\n',
    },
    'say why, with how many devices are in use': {
      text: text.split('\n')[6] ?? '',
      want: '  Why: us / h100: needs 8 gpu on one node; all its 16 devices are in use.',
    },
    'say how many of them the cheapest change helps': {
      text: text.split('\n')[5] ?? '',
      want: "  Cheapest: 1 more node in us / h100 \\(8 GPUs\\), that is 'nodeCount: 3' instead of 2 \\(for 1 of the 3\\).",
    },
    'say which nodes give all of them a place, and what these cost': {
      text: comment(fleet(2), fleet(5), undefined, MORE).split('\n')[5] ?? '',
      want: "  Cheapest for all replicas: 3 more nodes in us / h100 \\(24 GPUs, +$21,900 a month\\). For 1 of them: 1 more node in us / h100 \\(8 GPUs\\), that is 'nodeCount: 3' instead of 2.",
    },
    'of several deployments count those of all of them, not of the first': {
      text: comment(two(1), two(2)).split('\n')[5] ?? '',
      want: "  Cheapest for 1 of the 2 replicas: 1 more node in us / h100 \\(8 GPUs\\), that is 'nodeCount: 3' instead of 2.",
    },
    'of several deployments name the nodes for all of them, where nodes help no others': {
      text: comment(two(1), two(2), undefined, { ...MORE, replicas: 2, stranded: [OTHER] }).split('\n')[5] ?? '',
      want: "  Cheapest for both replicas: 3 more nodes in us / h100 \\(24 GPUs, +$21,900 a month\\). For 1 of them: 1 more node in us / h100 \\(8 GPUs\\), that is 'nodeCount: 3' instead of 2.",
    },
    'offer a new pool that needs fewer nodes': {
      text: comment(fleet(2), fleet(5), undefined, WITH_POOL).split('\n')[5] ?? '',
      want: '  Cheapest for all replicas: a new pool of 2 nodes like us / h100 \\(16 GPUs, +$14,600 a month\\). For 1 of them: ',
    },
    'estimate what these nodes cost by the price of another region': {
      text: comment(fleet(2), fleet(5), undefined, ESTIMATED).split('\n')[5] ?? '',
      want: '3 more nodes in us / h100 \\(24 GPUs, about +$196,000 a month as in us-east-1\\).',
    },
    'estimate what the cheapest change costs by the price of another region': {
      text: comment(unpriced(1), unpriced(2)),
      want: "Cheapest: 1 more node in eu / h100 \\(8 GPUs, about +$40,200 a month as in us-east-1\\), that is 'nodeCount: 2' instead of 1.",
    },
    'say what the cheapest change costs': {
      text: comment([aClass('h100', PRICE), ...fleet(2).slice(1)], [aClass('h100', PRICE), ...fleet(3).slice(1)]),
      want: "Cheapest: 1 more node in us / h100 \\(8 GPUs, +$7,300 a month\\), that is 'nodeCount: 3' instead of 2.",
    },
    'name the field that lets an autoscaler add nodes, and what these cost': {
      text: comment(autoscaled(2), autoscaled(3)),
      want: 'Cheapest: raise maxNodeCount of us / h100 from 2 to 3 \\(8 GPUs, +$7,300 a month: up to 2 nodes run today\\).',
    },
    'leave as many as fit, where that is more than before': {
      text: comment(fleet(1), fleet(5)).split('\n').slice(6, 9).join('\n'),
      want: "  Do one of these:\n  - Add 1 more node in us / h100 \\(8 GPUs\\), that is 'nodeCount: 3' instead of 2 \\(for 1 of the 3\\).\n  - Set 'replicas: 2' instead of 5 \\(edit 1\\), which have places.",
    },
    'are in the sentence': { text, want: '\nFinds no place for 3 of 5 replicas of `ml/q`. Cost unchanged.\n' },
    'have a row': { text, want: '| --- | ---: | --- |\n| `ml/q` | 2 placed, of 5 declared | 3 do not fit |' },
    'are in the row of a deployment of which others are added': {
      text: comment(fleet(1), fleet(5)),
      want: '| `ml/q` | 1 → 2 placed, of 5 declared | 8 → 16 | 1 added on us/h100; 3 do not fit |',
    },
    'that lose their place have it once in the row': {
      text: comment(fleet(2), [
        aClass('h100'),
        aCluster('us', { pools: { h100: { nodeCount: 1 } } }),
        ...fleet(2).slice(2),
      ]),
      want: '| `ml/q` | 2 → 1 placed, of 2 declared | 16 → 8 | 1 evicted: no place any more | ≥ 1 of 2 |',
    },
    'are in the singular': {
      text: comment(fleet(2), fleet(3)),
      want: '**1 of 3 replicas of ml/q fits nowhere \\(edit 1\\).**',
    },
    'lead to the flag without which no lock is written': {
      text: comment(fleet(2), fleet(5), { ...outOfDate, short: true }),
      want: ' is out of date, so `fleetwright lock fleet --check` fails. Correct the above, run `fleetwright lock fleet`, and commit the lock. Or give the replicas up: run `fleetwright lock fleet --accept-unplaced`, and commit the lock.',
    },
    'have no nodes of their own where one line has those for all of them': {
      text: comment(unlike(1), unlike(4), undefined, { ...MORE, replicas: 6 }),
      want: [
        '- With 3 more nodes all 6 missing replicas fit: 3 nodes in us / h100 \\(24 GPUs\\); +$21,900 a month.',
        '- :x: **3 of 4 replicas of ml/of-4 fit nowhere \\(edit 1\\).**',
        '  Cheapest for it alone: set packing: BinPack on us / h100 \\($0\\), once an administrator has configured the scheduler of us to pack pods \\(for 1 of the 3\\).',
        '  Why: us / h100: needs 4 gpu on one node; 4 of 16 devices are free, but with this pod, the cluster may have no node with 8 gpu left for a pod of ml/of-8.',
        '- :x: **3 of 4 replicas of ml/of-8 fit nowhere \\(edit 2\\).**',
        '  Why: us / h100: needs 8 gpu on one node; 0 of 2 nodes can guarantee it; 12 of 16 devices are in use.',
      ].join('\n'),
    },
    'have nodes of their own where no nodes help others': {
      text: comment(unlike(1), unlike(4), undefined, { ...MORE, replicas: 6, stranded: [OTHER] }),
      want: 'Cheapest for it alone: 1 more node in us / h100',
    },
    'keep the old ones with the flag where these serve': {
      text: comment(fleet(2), drained(2), { ...outOfDate, short: true }),
      want: '. Or keep the old replicas on `us` for now: run `fleetwright lock fleet --accept-unplaced`, and commit the lock.',
    },
    'lead to both flags where most replicas are removed as well, and to the manifests': {
      text: comment(fleet(2), fleet(5), { ...outOfDate, short: true, removes: true, synth: 'fleetwright synth fleet' }),
      want: 'Correct the above, run `fleetwright lock fleet --accept-removals` and `fleetwright synth fleet`, and commit both. Or give the replicas up: run `fleetwright lock fleet --accept-removals --accept-unplaced` and `fleetwright synth fleet`, and commit both.',
    },
    'have no advice that a lock with fewer replicas refuses': {
      text: comment(fleet(2), fleet(1), { ...outOfDate, removes: true }),
      want: 'If the removal is intended, run `fleetwright lock fleet --accept-removals`, and commit the lock.',
    },
  };
  test.each(Object.entries(cases))('%s', (_, row) => {
    expect(row.text).toContain(row.want);
  });
});

test('replicas without a place that are accepted are no news where the change is of something else', () => {
  const other = aDeployment('ml/other', { replicas: 0 });
  const text = comment(fleet(5, true), [...fleet(5, true), other]);
  expect(text).not.toContain('Finds no place');
});

test('a comparison in a terminal has the reasons and the cheapest change', () => {
  const { diff, plan } = compare(fleet(2), fleet(5));
  const blocks = comparisonBlocks(plan, { all: false, command: 'plan', diff });
  const lines = terminalLines(blocks).map((line) => line.trim());
  expect(lines).toContain('ml/q   2 of 5 replicas have a place');
  expect(lines).toContain('cheapest: 1 more node in us / h100 (8 GPUs) (for 1 of the 3)');
  const order = [/do not fit/, /^Cost/, /^Total/].map((line) => lines.findIndex((one) => line.test(one)));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(lines.filter((line) => line.startsWith('Cost'))).toHaveLength(1);
});

test('the gate does not say that a change passes that fails for another reason', () => {
  const { diff } = compare(fleet(2), fleet(5));
  const verdict = (problems: number): string => formatGateVerdict({ problems, diff, applied: 'withWaves', worse: [] });
  expect(verdict(1)).toBe('Gate: refused, 1 problem.');
  expect(verdict(3)).toBe('Gate: refused, 3 problems.');
  expect(verdict(0)).toBe('Gate: passed.');
  expect(formatGateVerdict({ problems: 2, unplaced: 1, diff, applied: 'withWaves', worse: [] })).toBe(
    'Gate: refused, 2 problems; 1 replica does not fit.',
  );
});

const withPools = (pools: Record<string, Doc>): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools }),
  ...fleet(2).slice(2),
];

test('a pool whose removal leaves replicas without a place is kept before nodes are added', () => {
  const one = { className: 'h100', nodeCount: 1 };
  expect(comment(withPools({ a: one, b: one }), withPools({ a: one }))).toMatch(
    /\n {2}- Keep us \/ b, where it runs\.\n {2}- Add 1 more node in us \/ a/,
  );
});

const grown = (gpus: number): Resource[] => [
  aClass('h100'),
  ...['eu', 'us'].map((name) => aCluster(name, { pools: { h100: { nodeCount: 1 } } })),
  aDeployment('ml/other', { engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }] }),
  aDeployment('ml/q', { replicas: 3, engines: [{ name: 'main', members: [aMember({ gpus })] }] }),
];

test('one clause says how many replicas a deployment ends with, also of those that drain', () => {
  expect(comment(grown(4), grown(8))).toContain(
    '\nLeaves `ml/q` with 1 of 3 replicas, next to 1 old one until its replacement fits (count 4 → 8). Cost',
  );
});

test('its row says that those which are kept or evicted have no other place', () => {
  expect(comment(grown(4), grown(8))).toContain(
    '; old one kept: the changed one fits nowhere; 1 evicted: no place any more; so 2 of the 3 declared have no place |',
  );
});

const sized = (nodeCount: number): Resource[] => [
  aClass('h100', PRICE),
  aCluster('us', { pools: { h100: { nodeCount } } }),
  ...fleet(2).slice(2),
];

test('a fleet that costs less says which nodes go, and that replicas do not run', () => {
  expect(comment(sized(2), sized(1))).toContain(
    '**-$7,300 a month** (-50 %), because nodes of `us/h100` go; 1 replica then does not run.',
  );
  expect(comment(sized(2), sized(1), undefined, MORE)).toContain(
    ' 1 replica then does not run (3 more nodes for it: +$21,900 a month).',
  );
  const eu = aCluster('eu', { pools: { h100: { nodeCount: 1 } } });
  expect(comment([...sized(1), eu], sized(1))).toContain(', because nodes of `eu` go; 1 replica then does not run.');
});

function copies(count: number, more: Doc = {}): Resource[] {
  const engines = [{ name: 'main', copies: count, members: [aMember({ gpus: 8 })] }];
  return [
    aClass('h100'),
    aCluster('us', { pools: { h100: { nodeCount: 2 } } }),
    aDeployment('ml/q', { engines, ...more }),
  ];
}

describe('a deployment that changes and has no place any more', () => {
  test('keeps its old replica, of which nothing is to be finalized', () => {
    const text = comment(copies(1), copies(3));
    expect(text.split('\n')[2]).toBe('Keeps the old replica of `ml/q`: the changed one fits nowhere. Cost unchanged.');
    expect(text).toContain('| old one kept: the changed one fits nowhere | ≥ 1 of 1 (old) |');
    expect(text).not.toContain('lock --finalize` in a change of its own');
  });

  test('keeps it where its cluster is drained', () => {
    const drained = aCluster('us', {
      pools: { h100: { nodeCount: 2 } },
      taints: [{ key: 'retired', effect: 'NoExecute' }],
    });
    const text = comment(copies(1), [copies(1)[0]!, drained, copies(1)[2]!]);
    expect(text).toContain(
      'Drains `us`, but keeps the old replica of `ml/q`, because it fits nowhere else: `us` is not empty until it does. Cost unchanged.',
    );
  });

  test('says in one clause how many replicas of a new deployment have a place', () => {
    const text = comment(copies(1).slice(0, 2), copies(1, { replicas: 4 }));
    expect(text).toContain('Deploys `ml/q` with 2 of 4 replicas (the other 2 fit nowhere). Cost');
  });
});

describe('replicas that a change accepts to be without a place', () => {
  const text = comment(fleet(2), fleet(5, true));

  test('are named as accepted', () => {
    expect(text).toContain('\nFinds no place for 3 of 5 replicas of `ml/q`, as accepted. Cost unchanged.\n');
  });

  test('have their reasons folded', () => {
    expect(text).toContain(
      "which the lock or 'allowPartial' accepts</summary>\n\n```text\nml/q\n    ! 3 replicas do not fit, as accepted (0 of 1 cluster fits",
    );
  });
});
