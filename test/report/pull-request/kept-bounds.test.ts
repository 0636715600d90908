import type { Resource } from '../../../src/api/kinds';
import { describeKeptBounds } from '../../../src/report/pull-request/kept-bounds';
import { aClass, aCluster, aDeployment, aMember, anEngine, type Doc } from '../../api/build';
import { comment } from './unplaced-comment';
import { readCells } from './table-cells';

/** Nodes of 8 GPUs, so that a node costs 7,300 a month. */
const H100 = aClass('h100', { price: { perHour: 10 } });
const site = (name: string, pool: Doc): Resource => aCluster(name, { pools: { h100: pool }, monitoring: {} });
const SCALED = { minNodeCount: 1, maxNodeCount: 4 };
const us = site('us', SCALED);

/** Another cluster, whose nodes are what a change of the fleet costs. */
const eu = (nodeCount: number): Resource => site('eu', { nodeCount });
const onUs = (name: string, replicas: number, gpus = 2): Resource =>
  aDeployment(name, {
    replicas,
    clusterSelector: { matchLabels: { at: 'us' } },
    engines: [{ name: 'main', members: [aMember({ gpus })] }],
  });

/** A deployment that may take the whole of the node that always runs, so that no part of it is sure to be idle. */
const scaled = aDeployment('ml/scaled', {
  clusterSelector: { matchLabels: { at: 'us' } },
  engines: [anEngine('main', { copies: { min: 1, max: 8 }, scaling: { on: [{ queue: 4 }] } })],
});

const marked = (cluster: Resource): Resource => ({
  ...cluster,
  metadata: { ...cluster.metadata, labels: { at: 'us' } },
});

interface Case {
  readonly before: Resource[];
  readonly after: Resource[];
  readonly want: string;
}

const LESS = '`eu/h100` 2 → 1 node: -$7,300';
const STAYS = '`us/h100` stays at 1 to 4 nodes: ';

const cases: Record<string, Case> = {
  'what replicas that go used is not sure to be saved': {
    before: [scaled, onUs('ml/a', 1), onUs('ml/b', 1), eu(2)],
    after: [scaled, onUs('ml/b', 1), eu(1)],
    want: `${LESS}; ${STAYS}what \`ml/a\` used is not sure to be saved`,
  },
  'new replicas fit within the bounds': {
    before: [scaled, eu(2)],
    after: [scaled, onUs('ml/a', 1), onUs('ml/b', 1), eu(1)],
    want: `${LESS}; ${STAYS}\`ml/a\` and \`ml/b\` fit within these`,
  },
  'replicas that go are named before those that are new': {
    before: [scaled, onUs('ml/a', 2), eu(2)],
    after: [scaled, onUs('ml/a', 1), onUs('ml/b', 1, 4), eu(1)],
    want: `${LESS}; ${STAYS}what \`ml/a\` used is not sure to be saved and \`ml/b\` fits within these`,
  },
  'a larger replica in the place of the old one fits within the bounds': {
    before: [scaled, onUs('ml/a', 1), eu(2)],
    after: [scaled, onUs('ml/a', 1, 4), eu(1)],
    want: `${LESS}; ${STAYS}\`ml/a\` fits within these`,
  },
  'the cost of a pool of other bounds follows replicas': {
    before: [scaled, eu(2)],
    after: [scaled, onUs('ml/a', 2, 4), eu(1)],
    want: `${LESS}; \`us/h100\` 1 to 4 → 2 to 4 nodes: $0 to +$7,300`,
  },
  'rows that add up with idle capacity say nothing': {
    before: [onUs('ml/a', 1), eu(2)],
    after: [eu(1)],
    want: LESS,
  },
  'the headline says it of a fleet that costs the same': {
    before: [scaled, onUs('ml/a', 1)],
    after: [scaled],
    want: '',
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  const text = comment([H100, marked(us), ...before], [H100, marked(us), ...after]);
  expect(readCells(text, '| **fleet**')['what happens']).toBe(want);
});

test.each([
  [-0.02, []],
  [-20, ['`us/h100` stays at 1 to 4 nodes: what `ml/a` used is not sure to be saved']],
])('a restart whose replica costs %d more a month says of its pool: %j', (perMonth, want) => {
  const sum = { perMonth, unknown: 0 };
  const none = { perMonth: 0, unknown: 0 };
  const nodes = { perMonth: 2921, unknown: 0 };
  const cost = {
    delta: { least: nodes, most: nodes },
    deployments: [{ deployment: 'ml/a', before: none, after: sum, delta: sum }],
    idle: { before: none, after: none, delta: none },
    storage: { before: none, after: none, delta: none },
    clusters: [],
  };
  const changes = [{ action: 'roll', cluster: 'us', index: 0, pools: { main: 'h100' } }];
  const pool = { pool: 'h100', autoscaled: true, price: {}, nodes: { least: 1, most: 4 } };
  const [diff, later] = [[{ deployment: 'ml/a', changes }], { clusters: [{ cluster: 'us', pools: [pool] }] }];
  expect(describeKeptBounds(...([cost, diff, later] as unknown as Parameters<typeof describeKeptBounds>))).toEqual(
    want,
  );
});
