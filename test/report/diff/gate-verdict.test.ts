import { summarizeVerdict } from '../../../src/report/diff/gate-verdict';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { diff } from '../../diff/build';

const fleet = (tag: string, strategy?: string) => {
  const template = { spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['a/b'] }] } };
  const engines = [{ name: 'main', members: [aMember({ gpus: 1, template })] }];
  return [
    aClass('h100'),
    aCluster('us', { pools: { h100: { nodeCount: 1 } } }),
    aDeployment('ml/q', { engines, ...(strategy !== undefined && { rollout: { strategy } }) }),
  ];
};
const judged = { problems: 0, applied: 'withWaves', worse: [] } as const;
const change = diff(fleet('v1', 'Rolling'), fleet('v2', 'Recreate'));
const recreated = diff(fleet('v1', 'Recreate'), fleet('v2', 'Recreate'));
/** A change for which all replicas restart at the same time, unless clusters restart theirs in waves. */
const restarted = {
  declarations: [],
  deployments: [{ serving: { before: 2, after: 2, recreate: false, withWaves: 1, perCluster: 1, atOnce: 0 } }],
} as unknown as typeof change;

test.each([
  ['counts problems', { ...judged, diff: change, problems: 2 }, 'refused, 2 problems'],
  [
    'says what an exit code means that is not that of a gate',
    { ...judged, diff: change, problems: 2, exit: { code: 1, meaning: 'the input has errors' } },
    'refused, 2 problems (the input has errors)',
  ],
  [
    'names the edit that accepts downtime',
    { ...judged, diff: change },
    'the gate passes, because edit 1 accepts downtime of up to 63 minutes',
  ],
  [
    'names the strategy that accepts it, where no edit sets that',
    { ...judged, diff: recreated },
    "the gate passes, because 'rollout: Recreate' accepts downtime of up to 63 minutes",
  ],
  [
    'names the flag that accepts removals',
    { ...judged, diff: diff(fleet('v1'), fleet('v1')), acceptsRemovals: true },
    'the gate passes, because --accept-removals accepts what it would refuse',
  ],
  [
    'names the tools for which it would refuse it',
    {
      ...judged,
      diff: diff(fleet('v1'), fleet('v1')),
      worse: [{ applied: 'atOnce' as const, deployments: ['ml/q'], down: true }],
    },
    'the gate passes, except with Flux or kubectl',
  ],
  [
    'names the tool for which it passes, where others would leave too few replicas',
    { ...judged, applied: 'perCluster' as const, diff: restarted },
    'the gate passes for Argo CD',
  ],
  [
    'names no tool where all of them leave enough',
    { ...judged, applied: 'perCluster' as const, diff: diff(fleet('v1'), fleet('v1')) },
    'the gate passes',
  ],
])('a heading %s', (_, verdict, want) => {
  expect(summarizeVerdict(verdict, ({ length }) => (length > 0 ? 'edit 1' : undefined))).toBe(want);
});
