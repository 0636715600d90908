import { aClass, aCluster, MACHINES } from '../../api/build';
import { ask, cluster, deployment, engine, fleetOf, nodeClass, nodeClassWith } from '../../scheduler/build';
import type { CostRow, CostTable, MapData } from '../../../src/report/map/map-data';
import { formatMonth } from '../../../src/report/map/page/display-text';
import { buildFleetView } from '../../../src/report/map/page/fleet-view';
import { comparison, mapOf } from './drawn';

const gke = (name: string, region: string, nodeCount: number) =>
  aCluster(name, {
    cluster: { source: 'GKE', gke: { region } },
    pools: { h100: { nodeCount, zones: [`${region}-a`] } },
  });

const usOf = (nodes: number) => cluster('us', { a: `h100 x ${nodes}` });

test('costs are of their own state, and each names the state', () => {
  const priced = nodeClassWith('h100', { price: 10 });
  const map = comparison([priced, usOf(1), deployment('ml/p')], [priced, usOf(3), deployment('ml/p')]);
  expect(map.states.map(({ name, cost }) => [name, cost.currency, cost.total])).toEqual([
    ['main', 'USD', 7300],
    ['plan', 'USD', 21900],
  ]);
  expect(map.states[1]!.cost.parts).toEqual([
    ['Nodes that always run', 21900, '+$14,600 (+200 %)'],
    ['Idle, of all nodes', 14600, '+$14,600'],
  ]);
});

const onClustersAt = (place: string, replicas: number) => ({
  replicas,
  template: { clusterSelector: { matchLabels: { at: place } } },
});

test('idle capacity that changes has its known part, and the pools without a price, as in the terminal', () => {
  const states = [1, 2].map((replicas) => [
    nodeClassWith('h100', { price: 10 }),
    nodeClass('l4'),
    cluster('us', { a: 'h100 x 3' }, { labels: { at: 'us' } }),
    cluster('eu', { a: 'l4 x 3' }, { labels: { at: 'eu' } }),
    deployment('ml/p', onClustersAt('us', replicas)),
    deployment('ml/q', onClustersAt('eu', replicas)),
  ]);
  const map = comparison(states[0]!, states[1]!);
  expect(map.states[1]!.cost.parts.at(-1)).toEqual([
    'Idle, of all nodes',
    [7300, 7300, 1, 1],
    '-$7,300, and 1 pool without a price',
  ]);
});

test('pools without a known price are estimated by another region, in the total, the ranks and the differences', () => {
  const machine = aClass('h100', { provisioning: MACHINES.GKE });
  const us = gke('us', 'us-central1', 1);
  const before = [machine, us, gke('eu', 'europe-west4', 1), gke('old', 'us-central1', 1)];
  const map = comparison(before, [machine, us, gke('eu', 'europe-west4', 2)]);
  const { cost } = map.states[1]!;
  expect([formatMonth(cost.total, 'USD'), cost.change, cost.notes]).toEqual([
    '≈ $194,000',
    '$0',
    ['≈: pools without a known price are priced as in us-central1'],
  ]);
  expect(cost.tables.slice(0, 2).map((table) => rowsOf(map, table))).toEqual([
    ['Clusters that change', 'eu ≈ $129,000 ≈ +$64,600', 'removed: old $64,598 -$64,598'],
    ['Clusters', 'eu ≈ $129,000 ≈ +$64,600', 'us $64,598', 'removed: old $64,598 -$64,598'],
  ]);
  const [eu] = map.states[1]!.clusters.map((place) => map.clusters[place]!);
  const { price } = map.pools[eu!.pools[0]!.facts]!;
  expect(map.texts[price]).toBe('unknown (us-central1: $88.49)');
});

function rowsOf({ texts }: MapData, { title, rows, removed = [] }: CostTable): string[] {
  const format = ([name, month, , change = -1]: CostRow): string =>
    [...name.map((ref) => texts[ref]), formatMonth(month, 'USD'), texts[change] ?? ''].join(' ').trim();
  return [title, ...rows.map(format), ...removed.map((row) => `removed: ${format(row)}`)];
}

test('the prices of both states are in one list, by whose numbers each names its own', () => {
  const [a, b] = ['a100', 'b200'].map((name) => nodeClassWith(name, { price: 10 }));
  const map = comparison([a!, b!, cluster('us', { a: 'a100 x 1' })], [a!, b!, cluster('us', { a: 'b200 x 1' })]);
  const list = ['InferenceClass b200 (undated)', 'InferenceClass a100 (undated)'];
  expect(map.states.map(({ cost }) => cost.sources)).toEqual([list, list]);
  expect(map.states.map(({ cost }) => map.texts[cost.tables[0]!.rows[0]![2]])).toEqual(['2', '1']);
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
    ...rows.map(([name, month, prices]) => {
      return `${name.map((ref) => map.texts[ref]).join(' ')} ${month} ${map.texts[prices]}`;
    }),
  ]);
  expect(rows.slice(0, 2)).toEqual([
    ['Clusters', 'us 21900 1', 'eu null '],
    ['Pools', 'us b 14600 1', 'us a 7300 1', 'eu a null '],
  ]);
  expect(map.states[0]!.cost.sources).toEqual(['InferenceClass h100 (undated)']);
  expect(map.states[0]!.cost.total).toEqual([21900, 21900, 1, 1]);
  expect(map.states[0]!.cost.unpriced).toEqual(['eu / a']);
  expect(buildFleetView(map).clusters.map(({ name, unpriced }) => [name, unpriced])).toEqual([
    ['eu', ['a']],
    ['us', []],
  ]);
  const [, , known] = map.standings.find(([, , cost]) => map.texts[cost] !== 'cost unknown')!;
  expect(map.texts[known]).toBe('$7,300 a month, by InferenceClass h100 (undated)');
});

test('a namespace and a deployment whose copies scale cost between their bounds', () => {
  const scaled = engine('main', [ask('gpu', 8, 'true')], { copies: { min: 1, max: 3 } });
  const map = mapOf(
    fleetOf(
      nodeClassWith('h100', { price: 10 }),
      cluster('us', { a: 'h100 x 4' }, { monitoring: {} }),
      deployment('ml/q', { engines: [scaled] }),
    ),
  );
  const rows = map.states[0]!.cost.tables.flatMap(({ title, rows }) => rows.map(([, month]) => [title, month]));
  expect(rows.slice(2)).toEqual([
    ['Namespaces', [7300, 21900, 0, 0]],
    ['Deployments', [7300, 21900, 0, 0]],
  ]);
});
