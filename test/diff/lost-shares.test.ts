import type { Resource } from '../../src/api/kinds';
import { findSharesOf } from '../../src/diff/lost-shares';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { aClass } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { change, state } from './build';
import { NEWER } from './gate-fleet';

const base = [aClass('h100'), aSite('eu'), aSite('us'), aDoor(['us'])];
const service = aSplit('ml/chat', [to({ app: 'a' }, { weight: 20 }), to({ app: 'b' }, { weight: 80 })]);
const models = (more: object): Resource[] => [
  aModel('ml/a', { replicas: 1, on: ['us'], replicaLabels: { app: 'a' }, ...more }),
  aModel('ml/b', { replicas: 4, replicaLabels: { app: 'b' }, ...more }),
];

test.each<[ApplyMode, string]>([
  ['withWaves', ' (4 replicas, of which 1 restarts at a time)'],
  ['perCluster', ' (4 replicas, of which 2 restart at a time)'],
])('of those that serve others, as many restart at a time as a change lets that is applied %s', (applied, want) => {
  const earlier = state('main', [...base, service, ...models({})]);
  const { later, diff } = change(earlier, [...base, service, ...models({ engines: [NEWER] })]);
  const states = { before: earlier.decision, after: later.decision };
  const [share] = findSharesOf('ml/a', diff, { ...states, applied });
  expect(share?.load).toBe(want);
});
