import type { Resource } from '../../src/api/kinds';
import { findDeploymentWarnings } from '../../src/diff/deployment-warnings';
import { aClass, aMember, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const base = [aClass('h100'), aSite('eu'), aSite('us'), aDoor(['us'])];
const service = aSplit('ml/q', [to({ app: 'q' })]);
const APPS = { from: [{ namespaceSelector: { matchLabels: { team: 'apps' } } }] };
const model = (replicas: number, more: Doc = {}): Resource =>
  aModel('ml/q', { replicas, replicaLabels: { app: 'q' }, networkPolicy: APPS, ...more });
const engines = (copies: number): Doc => ({ engines: [{ name: 'main', copies, members: [aMember({ gpus: 1 })] }] });

const ALONE =
  'ml/q has 1 replica on us instead of 2, without a PodDisruptionBudget: a drain of its node stops it, and clients on us get no answer until it serves again. Keep two replicas, or two copies of its engines';

const rows: Record<string, { before: Resource[]; after: Resource[]; want: unknown[] }> = {
  'a replica is left alone on a cluster whose pods are its clients': {
    before: [model(3)],
    after: [model(2)],
    want: [ALONE.replaceAll(' us', ' eu')],
  },
  'nothing is said where a service sends requests to the others': {
    before: [model(3), service],
    after: [model(2), service],
    want: [],
  },
  'nothing is said where only gateways are admitted': {
    before: [model(3, { networkPolicy: {} })],
    after: [model(2, { networkPolicy: {} })],
    want: [],
  },
  'nothing is said of a cluster that had one before': { before: [model(2)], after: [model(3)], want: [] },
  'a replica with copies has a budget': {
    before: [model(3, engines(2))],
    after: [model(2, engines(2))],
    want: [],
  },
  'the last replica of all has a warning of its own': {
    before: [model(2, { on: ['us'] })],
    after: [model(1, { on: ['us'] })],
    want: [expect.stringContaining('ml/q has 1 replica instead of 2: ')],
  },
};

test.each(Object.entries(rows))('%s', (_, { before, after, want }) => {
  const [was, is] = [
    [...base, ...before],
    [...base, ...after],
  ];
  const states = { before: state('main', was).decision, after: state('here', is).decision, at: 'here' };
  const found = findDeploymentWarnings(diff(was, is), states).filter(({ code }) => code === 'lost-redundancy');
  expect(found.map(({ message, hint }) => `${message}. ${hint}`)).toEqual(want);
});

test('the warning is at the edit that takes the others away', () => {
  const [was, is] = [
    [...base, model(3)],
    [...base, model(2, { replicaLabels: { app: 'q', version: '2' } })],
  ];
  const states = { before: state('main', was).decision, after: state('here', is).decision, at: 'here' };
  const found = findDeploymentWarnings(diff(was, is), states).filter(({ code }) => code === 'lost-redundancy');
  expect(found.map(({ at }) => at)).toEqual(['ModelDeployment ml/q spec.replicas']);
});
