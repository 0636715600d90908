import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { ask, cluster, deployment, engine, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled, settledFrom } from './build';

const H100 = nodeClassWith('h100', { price: 10 });
const on = (name: string, nodes: number, options = {}) => cluster(name, { a: `h100 x ${nodes}` }, options);
const q = (replicas: number, options = {}) => deployment('ml/q', { replicas, ...options });
const MONITORED = { monitoring: {} };
const scaled = (min: number, max: number) =>
  deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { copies: { min, max } })] });
const EU = { labels: { 'topology.kubernetes.io/region': 'eu' } };
const FINALIZE =
  "Old replicas serve until they are finalized: 'fleetwright lock --finalize', once their replacements serve.";
const FOR_GOOD =
  'That is for good. Of a node that comes back, nothing moves: its pods start on other nodes of the pool that have room, or wait for it.';
const stays = 'Cost an hour: unchanged.';
const prices = '  prices: InferenceClass h100 (undated)';

interface Row {
  resources: Resource[];
  steps: string[];
  want: string[];
}

const rows: Record<string, Row> = {
  'a drain moves replicas with no gap': {
    resources: [H100, on('eu', 2), on('us', 2), q(2)],
    steps: ['drain eu'],
    want: [
      '  ml/q   2 replicas',
      '    > us/1   pool a: 1 whole node (8 gpu)   from eu/0, serving until it is finalized: the cluster is drained',
      'drain of eu: can finish, because its 1 replica has a replacement',
      FINALIZE,
      stays,
      'Total: 1 moved, 1 keeps its place.',
    ],
  },
  'a drain that cannot finish says so': {
    resources: [H100, on('eu', 2), on('us', 1), q(3)],
    steps: ['drain eu'],
    want: [
      '  ml/q   1 of 3 replicas has a place',
      '    ~ eu/0   pool a: 1 whole node (8 gpu)   draining, until its replacement fits',
      '    ~ eu/1   pool a: 1 whole node (8 gpu)   draining, until its replacement fits',
      '    ! 2 replicas do not fit (0 of 2 clusters fit: 1 without room, 1 with a taint)',
      '        eu       taint      the cluster is drained',
      '        us / a   capacity   needs 8 gpu on one node; all its 8 devices are in use',
      '        cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month) (for 1 of the 2)',
      'With 2 more nodes all 2 missing replicas fit (the smallest set in existing pools):',
      '  2 in us / a (16 GPUs)',
      '  cost an hour: +$20',
      `  ${prices.trim()}`,
      'drain of eu: cannot finish, 2 of 2 replicas cannot move: ml/q eu/0 has no replacement; ml/q eu/1 has no replacement. Cheapest for ml/q: 1 more node in us / a (8 GPUs, +$7,300 a month) (for 1 of the 2), or lower the number of replicas',
      stays,
      'Total: 2 kept until a replacement fits, 1 keeps its place, 2 do not fit.',
    ],
  },
  'a replica that tolerates everything stays through a drain': {
    resources: [H100, on('eu', 2), q(1, { template: { tolerations: [{ operator: 'Exists' }] } })],
    steps: ['drain eu'],
    want: [stays, 'Total: 1 keeps its place.'],
  },
  'what is lost goes at once, and is not paid any more': {
    resources: [H100, on('eu', 1), on('us', 2), q(2)],
    steps: ['lose eu'],
    want: [
      ...afterLoss('1 of 2'),
      '  ml/q   2 replicas',
      '    > us/1   pool a: 1 whole node (8 gpu)   from eu/0, with downtime: the cluster fails',
      'Cost an hour: $30, then $20 (-$10, or -$7,300 a month).',
      prices,
      'Total: 1 moved, 1 keeps its place.',
    ],
  },
  'a failure domain takes all its clusters': {
    resources: [H100, on('eu1', 1, EU), on('eu2', 1, EU), on('us', 3), q(3)],
    steps: ['lose-domain region=eu'],
    want: [
      ...afterLoss('1 of 3'),
      '  ml/q   3 replicas',
      '    > us/1   pool a: 1 whole node (8 gpu)   from eu1/0, with downtime: the cluster fails',
      '    > us/2   pool a: 1 whole node (8 gpu)   from eu2/0, with downtime: the cluster fails',
      'Cost an hour: $50, then $30 (-$20, or -$14,600 a month).',
      prices,
      'Total: 2 moved, 1 keeps its place.',
    ],
  },
  'a pool that is removed takes its replicas, and leaves the others': {
    resources: [H100, cluster('eu', { a: 'h100 x 1', b: 'h100 x 2' }), q(2)],
    steps: ['remove-pool eu/a'],
    want: [
      '  ml/q   2 replicas; at least 1 serves during rollout',
      '    > eu/0   pool b: 1 whole node (8 gpu)   from eu/0, with downtime: pool a is removed',
      'Cost an hour: $30, then $20 (-$10, or -$7,300 a month).',
      prices,
      'Total: 1 moved, 1 keeps its place.',
    ],
  },
  'nodes that are added take what had no place, and cost': {
    resources: [H100, on('eu', 1), q(3, { spec: { allowPartial: true } })],
    steps: ['add-nodes eu/a=1'],
    want: [
      '  ml/q   2 of 3 replicas have a place',
      '    + eu/1   pool a: 1 whole node (8 gpu)',
      '    ! 1 replica does not fit, as accepted (0 of 1 cluster fits: 1 without room)',
      '        eu / a   capacity   needs 8 gpu on one node; all its 16 devices are in use',
      '        cheapest: 1 more node in eu / a (8 GPUs, +$7,300 a month)',
      'Cost an hour: $10, then $20 (+$10, or +$7,300 a month).',
      prices,
      'Total: 1 placed, 1 keeps its place, 1 does not fit, as accepted.',
    ],
  },
  'what has no place before and after is not accepted unless the lock says so': {
    resources: [H100, on('eu', 1), q(4)],
    steps: ['add-nodes eu/a=1'],
    want: [
      '  ml/q   2 of 4 replicas have a place',
      '    + eu/1   pool a: 1 whole node (8 gpu)',
      '    ! 2 replicas do not fit (0 of 1 cluster fits: 1 without room)',
      '        eu / a   capacity   needs 8 gpu on one node; all its 16 devices are in use',
      '        cheapest: 1 more node in eu / a (8 GPUs, +$7,300 a month) (for 1 of the 2)',
      'With 2 more nodes all 2 missing replicas fit (the smallest set in existing pools):',
      '  2 in eu / a (16 GPUs)',
      '  cost an hour: +$20',
      'Cost an hour: $10, then $20 (+$10, or +$7,300 a month).',
      prices,
      'Total: 1 placed, 1 keeps its place, 2 do not fit.',
    ],
  },
  'nodes that are removed evict what they carried, which moves where there is room, and are saved': {
    resources: [H100, on('eu', 2), on('us', 2), q(2), deployment('ml/r')],
    steps: ['add-nodes eu/a=-1'],
    want: [
      '  ml/r   1 replica; at least 0 serve during rollout',
      '    > us/0   pool a: 1 whole node (8 gpu)   from eu/0, with downtime: pool a: needs 8 gpu on one node; all its 8 devices are in use',
      "warning: what-if: eu/a loses 1 of its 2 nodes: pods of ml/q on this node restart on the node that stays, which may have no room for them until this change has removed other pods there. Neither merging nor 'pulumi up' removes nodes of this cluster. Last, when manifests are applied and the pods that they stop are gone, choose 1 node with the fewest pods of ml/q, and in this order: 1. drain it with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data' (one replica of a deployment at a time stops); 2. remove it, not with a lower node count, which may remove another node.",
      FOR_GOOD,
      'Cost an hour: $40, then $30 (-$10, or -$7,300 a month).',
      prices,
      'Total: 1 moved, 2 keep their places.',
    ],
  },
  'of a pool with an autoscaler the bound is lowered, also below its minimum': {
    resources: [H100, on('eu', 2, { pool: { minNodeCount: 2, maxNodeCount: 3 } }), q(2)],
    steps: ['add-nodes eu/a=-2'],
    want: [
      '  ml/q   1 of 2 replicas has a place; at least 1 serves during rollout',
      '    - eu/1   pool a: needs 8 gpu on one node; all its 8 devices are in use',
      '    ! 1 replica does not fit (0 of 1 cluster fits: 1 without room)',
      '        eu / a   capacity   needs 8 gpu on one node; all its 8 devices are in use',
      '        cheapest: raise maxNodeCount of eu / a from 1 to 2 (8 GPUs, +$7,300 a month: up to 1 node run today)',
      FOR_GOOD,
      'Cost an hour: $20 to $30, then $10 (-$10 to -$20, or -$7,300 to -$14,600 a month).',
      prices,
      'Total: 1 removed, 1 keeps its place, 1 does not fit.',
    ],
  },
  'nodes are added before others are removed, in any order of steps': {
    resources: [H100, on('eu', 2), q(1)],
    steps: ['add-nodes eu/a=-2', 'add-nodes eu/a=-2', 'add-nodes eu/a=3'],
    want: [
      "warning: what-if: eu/a loses 1 of its 2 nodes: pods of ml/q on this node restart on the node that stays; it has no replica to spare. Neither merging nor 'pulumi up' removes nodes of this cluster. Before or after merging, as no manifest changes, choose 1 node without pods of ml/q, and in this order: 1. drain it with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data' (one replica of a deployment at a time stops); 2. remove it, not with a lower node count, which may remove another node.",
      'Cost an hour: $20, then $10 (-$10, or -$7,300 a month).',
      prices,
      'Total: 1 keeps its place.',
    ],
  },
  'of a pool with an autoscaler the bound is added to': {
    resources: [H100, on('eu', 1, { pool: { maxNodeCount: 2 } }), q(2)],
    steps: ['add-nodes eu/a=1', 'scale ml/q=3'],
    want: [
      '  ml/q   3 replicas',
      '    + eu/2   pool a: 1 whole node (8 gpu)',
      'Cost an hour: $20, then $30 (+$10, or +$7,300 a month).',
      prices,
      'Total: 1 placed, 2 keep their places.',
    ],
  },
  'a deployment that asks for fewer loses some': {
    resources: [H100, on('eu', 3), q(3)],
    steps: ['scale ml/q=1'],
    want: [
      '  ml/q   1 replica',
      '    - eu/1   the deployment has fewer replicas',
      '    - eu/2   the deployment has fewer replicas',
      stays,
      'Total: 2 removed, 1 keeps its place.',
    ],
  },
  'an engine that needs more copies than its pool holds goes where they fit': {
    resources: [H100, on('eu', 2, MONITORED), on('us', 1, MONITORED), scaled(1, 2)],
    steps: ['add-nodes us/a=2', 'scale-engine ml/q/main=3'],
    want: [
      '  ml/q   1 replica',
      '    > us/0   pool a: 3 whole nodes (24 gpu)   from eu/0, with downtime: pool a: needs 3 pods of 8 gpu; its 2 nodes have 16 devices',
      'Cost an hour: $30, then $50 (+$20, or +$14,600 a month).',
      prices,
      'Total: 1 moved.',
    ],
  },
  'an engine with as many copies as its upper bound stays': {
    resources: [H100, on('eu', 2, MONITORED), on('us', 3, MONITORED), scaled(1, 2)],
    steps: ['scale-engine ml/q/main=2'],
    want: [stays, 'Total: 1 keeps its place.'],
  },
  'a price decides for those who ask for the cheapest': {
    resources: [H100, on('eu', 1), on('us', 1), q(0, { spec: { placement: { policy: 'Cheapest' } } })],
    steps: ['scale ml/q=1', 'price us/a=4'],
    want: [
      '  ml/q   1 replica',
      '    + us/0   pool a: 1 whole node (8 gpu)',
      'Cost an hour: $20, then $14 (-$6, or -$4,380 a month).',
      `${prices}; the scenario (undated)`,
      'Total: 1 placed.',
    ],
  },
  'a shortfall that was there before is counted, and not described again': {
    resources: [H100, on('eu', 1), on('us', 1), q(3), deployment('ml/r', { replicas: 0 })],
    steps: ['price eu/a=10'],
    want: [stays, 'Total: 2 keep their places, 1 does not fit.'],
  },
  'one that a deployment allows is reported, and is no failure': {
    resources: [H100, on('eu', 1), on('us', 1), q(2, { spec: { allowPartial: true } })],
    steps: ['lose eu'],
    want: [
      ...afterLoss('1 of 2'),
      '  ml/q   1 of 2 replicas has a place',
      '    - eu/0   the cluster fails',
      '    ! 1 replica does not fit, as accepted (0 of 1 cluster fits: 1 without room)',
      '        us / a   capacity   needs 8 gpu on one node; all its 8 devices are in use',
      '        cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month)',
      'Cost an hour: $20, then $10 (-$10, or -$7,300 a month).',
      prices,
      'Total: 1 removed, 1 keeps its place, 1 does not fit, as accepted.',
    ],
  },
  'steps are taken together, whatever their order: nodes come before a cluster goes': {
    resources: [H100, on('eu', 1), on('us', 1), q(2)],
    steps: ['lose eu', 'add-nodes us/a=1', 'add-nodes eu/a=5'],
    want: [
      ...afterLoss('1 of 2'),
      '  ml/q   2 replicas',
      '    > us/1   pool a: 1 whole node (8 gpu)   from eu/0, with downtime: the cluster fails',
      stays,
      'Total: 1 moved, 1 keeps its place.',
    ],
  },
};

function afterLoss(serving: string): string[] {
  return ['Right after the loss:', `  ml/q   ${serving} replicas serves`];
}

test.each(Object.entries(rows))('what if: %s', (_, { resources, steps, want }) => {
  const decision = settled(...resources);
  const lines = terminalLines(formatOutcomes(whatIf(decision, [scenarioOf(decision, ...steps)]), decision.fleet));
  expect(lines.slice(1).filter((line) => line !== '')).toEqual(want);
});

test('scenarios all start from the same fleet', () => {
  const decision = settled(H100, on('eu', 1), on('us', 2), q(2));
  const lose = scenarioOf(decision, 'lose eu');
  const [first, second] = whatIf(decision, [lose, lose]);
  expect(second).toEqual(first);
});

test('a replica that was draining before is not reported again, nor the drain', () => {
  const taints = { taints: [{ key: 'x', effect: 'NoExecute' }] };
  const before = settled(H100, on('eu', 1), on('us', 1), q(1));
  const decision = settledFrom(before, H100, on('eu', 1, taints), on('us', 2), q(1));
  const [outcome] = whatIf(decision, [scenarioOf(decision, 'add-nodes us/a=1')]);
  expect(outcome).toMatchObject({ deployments: [], drains: [], totals: { draining: 1, keep: 1 } });
});

test('fewer replicas than domains that they must be in are refused, and none are not', () => {
  const placement = { spreadBy: 'topology.kubernetes.io/region', minDomains: 2 };
  const decision = settled(H100, on('eu', 1, EU), on('us', 1), q(2, { spec: { placement } }));
  expect(() => scenarioOf(decision, 'scale ml/q=1')).toThrow('the replicas of ml/q must be in 2 domains');
  expect(scenarioOf(decision, 'scale ml/q=0').steps).toHaveLength(1);
  expect(scenarioOf(decision, 'scale ml/q=2').steps).toHaveLength(1);
});
