import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { cluster, deployment, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled, settledFrom } from './build';

const H100 = nodeClassWith('h100', { price: 10 });
const on = (name: string, nodes: number, options = {}) => cluster(name, { a: `h100 x ${nodes}` }, options);
const q = (replicas: number, options = {}) => deployment('ml/q', { replicas, ...options });
const only = (site: string) => ({ template: { clusterSelector: { matchLabels: { site } } } });
const prices = '  prices: InferenceClass h100 (undated)';

const rows: Record<string, { resources: Resource[]; steps: string[]; want: string[] }> = {
  'the only cluster is lost: there is none on which more nodes would help': {
    resources: [H100, on('us', 2), q(2)],
    steps: ['lose us'],
    want: [
      'Right after the loss:',
      '  ml/q   0 of 2 replicas serve',
      '  ml/q   0 of 2 replicas have a place',
      '    - us/0   the cluster fails',
      '    - us/1   the cluster fails',
      '    ! 2 replicas do not fit (there is no cluster)',
      'Cost an hour: $20, then $0 (-$20, or -$14,600 a month).',
      prices,
      'Total: 2 removed, 2 do not fit.',
    ],
  },
  'a cluster is lost on which one of two deployments runs: the other serves as before': {
    resources: [
      H100,
      on('eu', 1, { labels: { site: 'eu' } }),
      on('us', 1, { labels: { site: 'us' } }),
      q(1, only('us')),
      deployment('ml/r', only('eu')),
    ],
    steps: ['lose us'],
    want: [
      'Right after the loss:',
      '  ml/q   its 1 replica stops serving',
      '  as before: 1 other deployment',
      '  ml/q   0 of 1 replica has a place',
      '    - us/0   the cluster fails',
      '    ! 1 replica does not fit (0 of 1 cluster fits: 1 left out by clusterSelector)',
      "        eu   selector   site=us is not met: it is 'eu'",
      'Cost an hour: $20, then $10 (-$10, or -$7,300 a month).',
      prices,
      'Total: 1 removed, 1 keeps its place, 1 does not fit.',
    ],
  },
};

test.each(Object.entries(rows))('what if: %s', (_, { resources, steps, want }) => {
  const decision = settled(...resources);
  const lines = terminalLines(formatOutcomes(whatIf(decision, [scenarioOf(decision, ...steps)]), decision.fleet));
  expect(lines.slice(1).filter((line) => line !== '')).toEqual(want);
});

test('what a scenario changes are no replicas of a cluster that is declared lost before', () => {
  const eight = q(2, { gpus: 8 });
  const lost = on('eu', 1, { taints: [{ key: 'lost', effect: 'NoExecute' }] });
  const before = settled(H100, on('eu', 1), on('us', 1), eight);
  const decision = settledFrom(before, H100, lost, on('us', 1), on('west', 1, { paused: true }), eight);
  const [outcome] = whatIf(decision, [scenarioOf(decision, 'scale ml/q=3')]);
  expect(outcome?.deployments.flatMap(({ changes }) => changes)).toEqual([]);
});
