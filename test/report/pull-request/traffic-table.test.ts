import type { Resource } from '../../../src/api/kinds';
import { formatTrafficTable } from '../../../src/report/pull-request/traffic-table';
import { aClass } from '../../api/build';
import { diff } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const base: Resource[] = [
  aClass('h100'),
  aSite('us', { pools: { h100: { nodeCount: 4 } } }),
  aDoor(['us']),
  aModel('ml/stable', { replicas: 2, replicaLabels: { track: 'stable' } }),
  aModel('ml/next', { replicaLabels: { track: 'next' } }),
];
const chat = (...weights: readonly number[]) =>
  aSplit(
    'ml/chat',
    weights.map((weight, i) => to({ track: i === 0 ? 'stable' : 'next' }, { weight })),
  );

const tables: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'what part of the requests each target of a new service gets': {
    before: [],
    after: [chat(9, 1)],
    want: [
      '| `ml/chat` | `ml/next` (1 replica) | no routes | new, 10.0 % |',
      '| `ml/chat` | `ml/stable` (2 replicas) | no routes | new, 90.0 % |',
    ],
  },
  'what part each target of a removed service got': {
    before: [chat(9, 1)],
    after: [],
    want: [
      '| `ml/chat` | `ml/next` (1 replica) | 10.0 % | no routes |',
      '| `ml/chat` | `ml/stable` (2 replicas) | 90.0 % | no routes |',
    ],
  },
  'what part a new target of a service gets': {
    before: [chat(1)],
    after: [chat(9, 1)],
    want: [
      '| `ml/chat` | `ml/next` on `us` (1 replica) | 0.0 % | 10.0 % |',
      '| `ml/chat` | `ml/stable` on `us` (2 replicas) | 100.0 % | 90.0 % |',
    ],
  },
};

test.each(Object.entries(tables))('the table of requests says %s', (_, { before, after, want }) => {
  const { routes } = diff([...base, ...before], [...base, ...after]);
  const rows = formatTrafficTable(routes).filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(want);
});
