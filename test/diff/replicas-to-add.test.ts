import { findServiceWarnings } from '../../src/diff/service-warnings';
import type { Resource } from '../../src/api/kinds';
import { aClass, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const onNodes = (nodeCount: number): Resource[] => [
  aClass('h100', { price: { perHour: 10 } }),
  aSite('us', { pools: { h100: { nodeCount } } }),
  aDoor(['us']),
];
const base = onNodes(8);
const model = (name: string, replicas: number): Resource =>
  aModel(`ml/${name}`, { replicas, replicaLabels: { app: name } });
const split = (a: number, b: number, spec: Doc = {}): Resource =>
  aSplit('ml/s', [to({ app: 'a' }, { weight: a }), to({ app: 'b' }, { weight: b })], spec);

const cases: Record<
  string,
  { nodes?: number; replicas: [a: number, b: number]; before: Resource; after: Resource; want: string }
> = {
  'as many as keep what a replica of the busiest deployment gets': {
    replicas: [4, 1],
    before: split(90, 10),
    after: split(50, 50),
    want: 'Requests beyond what it can take get 429. Add 2 replicas first (room on us/h100; cost unchanged): each of 3 then gets no more than one gets today',
  },
  'one where a share of a third needs no rounding up': {
    replicas: [3, 2],
    before: split(90, 10),
    after: split(10, 90),
    want: 'Change the weights in smaller steps, and add 1 replica first (room on us/h100; cost unchanged): each of 3 then gets no more than one gets today',
  },
  'without room on the nodes that there are': {
    nodes: 1,
    replicas: [7, 1],
    before: split(90, 10),
    after: split(50, 50),
    want: 'Requests beyond what it can take get 429. Add 3 replicas first (there is no room for all of them yet): each of 4 then gets no more than one gets today',
  },
};

test.each(Object.entries(cases))('a warning says how many replicas to add: %s', (_, given) => {
  const [a, b] = given.replicas;
  const places = onNodes(given.nodes ?? 8);
  const [before, after] = [given.before, given.after].map((one) => [...places, model('a', a), model('b', b), one]) as [
    Resource[],
    Resource[],
  ];
  const states = { before: state('main', before).decision, after: state('here', after).decision, at: 'here' };
  const found = findServiceWarnings(diff(before, after), states).filter(({ code }) => code === 'fewer-replicas');
  expect(found.map(({ hint }) => hint)).toEqual([given.want]);
});

test('a warning is at the weights of all entries that change a share', () => {
  const [before, after] = [split(90, 10), split(50, 50)].map((one) => [...base, model('a', 4), model('b', 1), one]) as [
    Resource[],
    Resource[],
  ];
  const states = { before: state('main', before).decision, after: state('here', after).decision, at: 'here' };
  const [found] = findServiceWarnings(diff(before, after), states);
  expect([found?.at, ...(found?.alsoAt ?? [])]).toEqual([
    'ModelService ml/s spec.endpoints.0.weight',
    'ModelService ml/s spec.endpoints.1.weight',
  ]);
});
