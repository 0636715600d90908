import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, anEngine, type Doc, gpus } from '../../api/build';
import { diff, state } from '../../diff/build';

const H100 = aClass('h100', { price: { perHour: 10 } });
const NEWER = {
  spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.24.0', args: ['Qwen/Qwen3-8B'] }] },
};
const site = (name: string, pool: Doc): Resource => aCluster(name, { pools: { h100: pool }, monitoring: {} });
const [us, eu] = [site('us', { minNodeCount: 1, maxNodeCount: 3 }), site('eu', { nodeCount: 1 })];
const model = (replicas: number): Resource =>
  aDeployment('ml/q', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 1 })] }] });

/** A deployment whose most copies take more than the node that always runs. */
const copied = (max: number, more: Doc = {}, replicas = 1): Resource =>
  aDeployment('ml/scaled', {
    replicas,
    engines: [anEngine('main', { copies: { min: 1, max }, scaling: { on: [{ queue: 4 }] }, ...more })],
  });
const scaled = copied(12);

const NOTE =
  '\nThe rows do not add up: a deployment has the cost of what its copies use, the fleet that of all nodes, from the fewest to the most that can run.\n';

test.each<[string, { before: Resource[]; after: Resource[]; want: string[] }]>([
  [
    'names the autoscaled pool whose bounds cover what replicas use, and shows the fleet below them',
    {
      before: [H100, us, scaled, model(1)],
      after: [H100, us, scaled, model(2)],
      want: [
        'Cost unchanged at $7,300 to $21,900 a month: `us/h100` keeps its 1 to 3 nodes. Within this range, the bill can rise: 1 more GPU of `us/h100` is used.',
        '| $913 | $1,825 | +$913 |',
        '| **fleet** |  |  |  |  | **$7,300 to $21,900** | **$7,300 to $21,900** | **unchanged** |',
        NOTE,
      ],
    },
  ],
  [
    'says that the bill can rise with copies that a replica may have once it restarts',
    {
      before: [H100, us, scaled],
      after: [H100, us, copied(16, { members: [aMember({ gpus: 1, template: NEWER })] })],
      want: [
        'a month: `us/h100` keeps its 1 to 3 nodes. Within this range, the bill can rise: 4 more GPUs of `us/h100` can be used.',
      ],
    },
  ],
  [
    'says that the bill can rise with copies that a new replica may have',
    {
      before: [H100, us, scaled],
      after: [H100, us, copied(12, {}, 2)],
      want: [
        'a month: `us/h100` keeps its 1 to 3 nodes. Within this range, the bill can rise: 12 more GPUs of `us/h100` can be used.',
        NOTE,
      ],
    },
  ],
  [
    'counts idle GPUs and those within the bounds of autoscaled pools apart',
    {
      before: [H100, us, eu, scaled, model(1)],
      after: [H100, us, eu, scaled, model(3)],
      want: [
        'Cost unchanged at $14,600 to $29,200 a month: 1 idle GPU is used, and 1 more within the bounds of `us/h100`.',
      ],
    },
  ],
  [
    'counts what becomes idle and what autoscaled pools need less apart',
    {
      before: [H100, us, eu, scaled, model(2)],
      after: [H100, us, eu, scaled, model(0)],
      want: [
        'Cost unchanged at $14,600 to $29,200 a month: 1 more GPU is idle, and 1 less is used within the bounds of `us/h100`.',
      ],
    },
  ],
])('a comment on a change that costs nothing %s', (_, { before, after, want }) => {
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  const text = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
  for (const part of want) expect(text).toContain(part);
});

test.each<[string, Resource, Resource, string]>([
  ['of a replica on an idle GPU', model(1), model(2), ': 1 idle GPU is used.'],
  ['of more copies on idle GPUs', copied(2), copied(4), 'rises by $1,825 a month with all copies.'],
])('rows that add up have no note: those %s', (_, was, is, use) => {
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  const [before, after] = [
    [H100, eu, was],
    [H100, eu, is],
  ] as const;
  const text = formatPullRequestComment(
    diff([...before], [...after]),
    state('here', [...after]).decision.plan,
    context,
  );
  expect(text).toContain(use);
  expect(text).not.toContain(NOTE);
});

/** Nodes with as many GPUs, each at the same price, and a deployment whose copies may use 12. */
const sized = (count: number): Resource[] => {
  return [aClass('h100', { devices: [gpus(count)], price: { perHour: count } }), us, scaled];
};

test('rows do not add up where nodes between bounds cost more, of which few are in use', () => {
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  const [before, after] = [sized(8), sized(16)];
  expect(formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context)).toContain(NOTE);
});
