import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { cluster, deployment, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled } from './build';

const H100 = nodeClassWith('h100', { price: 10 });
const on = (name: string, nodes: number) => cluster(name, { a: `h100 x ${nodes}` });
const q = (replicas: number, options = {}) => deployment('ml/q', { replicas, ...options });
const ONLY_US = { matchLabels: { 'fleetwright.dev/cluster': 'us' } };
const prices = '  prices: InferenceClass h100 (undated)';

const rows: Record<string, { resources: Resource[]; steps: string[]; want: string[] }> = {
  'added nodes make room for further replicas of each deployment that they suit': {
    resources: [H100, on('eu', 2), q(1), deployment('ml/w', { replicas: 1 })],
    steps: ['add-nodes eu/a=2'],
    want: [
      'Room for further replicas on eu, of each deployment alone:',
      '  ml/q   2 more replicas (none before)',
      '  ml/w   2 more replicas (none before)',
      'Cost an hour: $20, then $40 (+$20, or +$14,600 a month).',
      prices,
    ],
  },
  'the room before is next to it': {
    resources: [H100, on('eu', 2), q(1)],
    steps: ['add-nodes eu/a=1'],
    want: [
      'Room for further replicas on eu, of each deployment alone:',
      '  ml/q   2 more replicas (1 before)',
      'Cost an hour: $20, then $30 (+$10, or +$7,300 a month).',
      prices,
    ],
  },
  'added nodes that suit no deployment are said to': {
    resources: [H100, on('eu', 2), on('us', 1), q(1, { template: { clusterSelector: ONLY_US } })],
    steps: ['add-nodes eu/a=1'],
    want: [
      'No deployment has more room on eu than before.',
      'Cost an hour: $30, then $40 (+$10, or +$7,300 a month).',
      prices,
    ],
  },
  'nodes that replicas take at once leave no room to name': {
    resources: [H100, on('eu', 1), q(1)],
    steps: ['add-nodes eu/a=1', 'scale ml/q=2'],
    want: [
      '  ml/q   2 replicas',
      '    + eu/1   pool a: 1 whole node (8 gpu)',
      'Cost an hour: $10, then $20 (+$10, or +$7,300 a month).',
      prices,
    ],
  },
};

test.each(Object.entries(rows))('what if: %s', (_, { resources, steps, want }) => {
  const decision = settled(...resources);
  const lines = terminalLines(formatOutcomes(whatIf(decision, [scenarioOf(decision, ...steps)]), decision.fleet));
  expect(lines.slice(1, -1).filter((line) => line !== '')).toEqual(want);
});
