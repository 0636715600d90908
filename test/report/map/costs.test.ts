import { cluster, deployment, fleetOf, nodeClass, nodeClassWith } from '../../scheduler/build';
import { comparison, mapOf } from './drawn';

const usOf = (nodes: number) => cluster('us', { a: `h100 x ${nodes}` });

test('costs are of their own state, and each names the state', () => {
  const priced = nodeClassWith('h100', { price: 10 });
  const map = comparison([priced, usOf(1), deployment('ml/p')], [priced, usOf(3), deployment('ml/p')]);
  expect(map.changes).toEqual(['Cost an hour: $10 -> $30 (+$20); a month of 730 hours: $7,300 -> $21,900 (+$14,600)']);
  expect(map.states.map(({ name, cost }) => `${name}: ${cost.lines[0]}`)).toEqual([
    'main: Cost: $10 an hour, $7,300 a month of 730 hours',
    'plan: Cost: $30 an hour, $21,900 a month of 730 hours',
  ]);
});

test('the prices of both states are in one list, by whose numbers each names its own', () => {
  const [a, b] = ['a100', 'b200'].map((name) => nodeClassWith(name, { price: 10 }));
  const map = comparison([a!, b!, cluster('us', { a: 'a100 x 1' })], [a!, b!, cluster('us', { a: 'b200 x 1' })]);
  const list = ['InferenceClass b200 (undated)', 'InferenceClass a100 (undated)'];
  expect(map.states.map(({ cost }) => cost.sources)).toEqual([list, list]);
  expect(map.states.map(({ cost }) => map.texts[cost.tables[0]!.rows[0]![3]])).toEqual(['2', '1']);
});

test('costs come by what they are, the highest first, and the unknown last', () => {
  const map = mapOf(
    fleetOf(
      nodeClassWith('h100', { price: 10 }),
      nodeClass('l4'),
      cluster('eu', { a: 'l4 x 2' }),
      cluster('us', { a: 'h100 x 1', b: 'h100 x 2' }),
      deployment('ml/p', { replicas: 2, template: { clusterSelector: { matchLabels: {} } } }),
    ),
  );
  const rows = map.states[0]!.cost.tables.map(({ title, rows }) => [
    title,
    ...rows.map(([name, ...figures]) => [...name, ...figures].map((ref) => map.texts[ref]).join(' ')),
  ]);
  expect(rows.slice(0, 2)).toEqual([
    ['Clusters', 'us $30 $21,900 1', 'eu unknown unknown '],
    ['Pools', 'us b $20 $14,600 1', 'us a $10 $7,300 1', 'eu a unknown unknown '],
  ]);
  expect(map.states[0]!.cost.sources).toEqual(['InferenceClass h100 (undated)']);
  const [, , known] = map.standings.find(([, , cost]) => map.texts[cost] !== 'its cost is unknown')!;
  expect(map.texts[known]).toBe('$10 an hour, by InferenceClass h100 (undated)');
});
