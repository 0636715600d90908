import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { byPath } from '../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from './build';

const unreached = aSite('east', { gateway: { reach: 'Cluster' } });
const rows: Record<string, { resources: Resource[]; want: string[] }> = {
  'a deployment that a service selects goes where gateways reach it, among equal clusters': {
    resources: [
      aModel('ml/llama', { replicas: 1, replicaLabels: { app: 'chat' } }),
      aSplit('ml/chat', [to({ app: 'chat' })]),
    ],
    want: ['west'],
  },
  'a deployment that no service selects goes to the first of equal clusters': {
    resources: [
      aModel('ml/llama', { replicas: 1 }),
      aSplit('ml/chat', [to({ app: 'chat' })]),
      aModel('ml/other', { replicas: 0, replicaLabels: { app: 'chat' } }),
    ],
    want: ['east'],
  },
};

test.each(Object.entries(rows))('%s', (_, { resources, want }) => {
  const { lock } = decide(
    assemble([H100, unreached, aSite('west'), aDoor(['west']), ...resources]),
    byPath,
    EMPTY_LOCK,
  );
  expect(lock.placements.map(({ cluster }) => cluster)).toEqual(want);
});
