import type { DeploymentPlan } from '../../src/plan/plan';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { addRemedyPrices, keepBestRemedies } from '../../src/plan/remedy-prices';
import type { Cost } from '../../src/cost/cost';
import { assemble } from '../../src/fleet/fleet';
import { aCluster, aDeployment, parsed } from '../api/build';
import type { Remedy } from '../../src/scheduler/remedy';

const nodes = (pool: string, count: number, perMonth?: number, asIn?: string): Remedy => ({
  kind: 'nodes',
  cluster: 'us',
  pool,
  nodes: count,
  gpus: 8 * count,
  ...(perMonth !== undefined && { cost: { perMonth, currency: 'USD', autoscaled: false, ...(asIn && { asIn }) } }),
});
const inPlace = (replaced: 'restart' | 'grow', count: number, perMonth: number): Remedy => {
  return { ...nodes('a', count, perMonth), inPlace: replaced } as Remedy;
};
const finalize: Remedy = { kind: 'finalize', cluster: 'us' };
const PACKED = { kind: 'packing', cluster: 'us', pool: 'a' } as const;
const FREE = { perMonth: 0, currency: 'USD' } as const;
const moved = (surgeFirst: boolean): Remedy => ({
  kind: 'move',
  moves: [{ deployment: 'ml/a', from: 'us', to: 'eu', fromPools: ['a'], toPools: ['a'], surgeFirst }],
});
const toleration: Remedy = { kind: 'toleration', cluster: 'us', taints: [] };
const bound = (to: string): Remedy => {
  return { kind: 'bound', cluster: 'us', pool: to, engine: 'main', request: 'gpu', selector: 0, from: '90Gi', to };
};

const cases: Record<string, { remedies: Remedy[]; want: Remedy[] }> = {
  'the cheapest nodes are kept, though there are more of them': {
    remedies: [nodes('h100', 1, 60), nodes('l4', 2, 14), nodes('a100', 2, 30)],
    want: [nodes('l4', 2, 14)],
  },
  'the fewest nodes are kept where the prices are equal': {
    remedies: [nodes('a', 1, 60), nodes('b', 2, 60)],
    want: [nodes('a', 1, 60)],
  },
  'the fewest nodes are kept where no price is known': {
    remedies: [nodes('a', 1), nodes('b', 2)],
    want: [nodes('a', 1)],
  },
  'nodes without a price are kept behind the cheapest ones, and say so': {
    remedies: [nodes('a', 1), nodes('b', 2, 60), nodes('c', 3, 14)],
    want: [nodes('c', 3, 14), { ...nodes('a', 1), unpriced: true } as Remedy],
  },
  'of nodes that cost as much, those whose price is known come before estimates': {
    remedies: [nodes('a', 1, 60, 'us-central1'), nodes('b', 1, 60)],
    want: [nodes('b', 1, 60)],
  },
  'an estimate is compared with known prices': {
    remedies: [nodes('a', 1, 60), nodes('b', 1, 50, 'us-central1')],
    want: [nodes('b', 1, 50, 'us-central1')],
  },
  'nodes that cost nothing have a price': {
    remedies: [nodes('a', 1, 60), nodes('own', 2, 0), nodes('b', 1)],
    want: [nodes('own', 2, 0)],
  },
  'a change of another kind is kept': {
    remedies: [finalize, nodes('a', 1, 60)],
    want: [finalize, nodes('a', 1, 60)],
  },
  'of what costs as much, that without downtime comes first': {
    remedies: [moved(false), { ...PACKED, cost: FREE }, finalize],
    want: [finalize, { ...PACKED, cost: FREE }, moved(false)],
  },
  'what costs nothing comes before nodes, and a toleration last': {
    remedies: [toleration, nodes('a', 1, 60), bound('40Gi'), finalize],
    want: [bound('40Gi'), finalize, nodes('a', 1, 60), toleration],
  },
  'packed pods that cost nothing come before nodes': {
    remedies: [nodes('a', 1, 60), { ...PACKED, cost: { perMonth: 0, currency: 'USD' } }],
    want: [{ ...PACKED, cost: { perMonth: 0, currency: 'USD' } }, nodes('a', 1, 60)],
  },
  'packed pods of which the cost is not known come after nodes, because the cluster has to pack them, and before a toleration':
    {
      remedies: [toleration, PACKED, nodes('a', 1, 60)],
      want: [nodes('a', 1, 60), PACKED, toleration],
    },
  'nodes in the place of an earlier replica and nodes next to it are both kept': {
    remedies: [inPlace('restart', 1, 60), nodes('a', 3, 180)],
    want: [inPlace('restart', 1, 60), nodes('a', 3, 180)],
  },
  'nodes next to an earlier replica are not kept where its pods stay and fewer are enough': {
    remedies: [inPlace('grow', 1, 60), nodes('a', 3, 180)],
    want: [inPlace('grow', 1, 60)],
  },
  'nodes in the place of an earlier replica are not kept where as many let it serve': {
    remedies: [inPlace('restart', 1, 60), nodes('b', 1, 60)],
    want: [nodes('b', 1, 60)],
  },
  'each bound of a selector opens other hardware, up to three': {
    remedies: ['80Gi', '40Gi', '24Gi', '16Gi'].map(bound),
    want: ['80Gi', '40Gi', '24Gi'].map(bound),
  },
};

test.each(Object.entries(cases))('%s', (_, { remedies, want }) => {
  const shortfall = { missing: 1, accepted: false, rejections: [], remedies };
  const [plan] = keepBestRemedies([{ shortfall } as unknown as DeploymentPlan]);
  expect(plan?.shortfall?.remedies).toEqual(want);
});

const PRICED = {
  currency: 'USD',
  clusters: [
    {
      cluster: 'us',
      pools: [
        { pool: 'l4', price: { perHour: 2 }, autoscaled: true, nodes: { least: 1, most: 4 }, taken: 0 },
        { pool: 'h100', autoscaled: false },
      ],
    },
    { cluster: 'dc', pools: [{ pool: 'h100', autoscaled: false }] },
  ],
} as unknown as Cost;

/** A pool of four nodes at most, of which the autoscaler keeps one. */
const SCALED = aCluster('us', { pools: { l4: { minNodeCount: 1, maxNodeCount: 4 } } });

test.each<[string, object, [number | undefined, number, object?], string]>([
  [
    'nothing at the least where the fewest copies fit on nodes that always run',
    { pods: 3, scaled: 2 },
    [0, 1460],
    '8 GPUs, $0 to +$1,460 a month: up to 4 nodes run today',
  ],
  [
    'exactly the added nodes where the replica always takes as many',
    { pods: 2 },
    [1460, 1460, { gpus: 16, from: 1, to: 2 }],
    '+$1,460 a month: the replica takes 16 GPUs there, so 2 to 5 nodes run instead of 1 to 4',
  ],
  [
    'up to all nodes that the replica always takes and that need not run today',
    { pods: 3 },
    [1460, 2920, { gpus: 24, from: 1, to: 3 }],
    '+$1,460 to +$2,920 a month: the replica takes 24 GPUs there, so 3 to 5 nodes run instead of 1 to 4',
  ],
  [
    'the most alone where other engines of the replica count too',
    { pods: 3, several: true },
    [undefined, 1460],
    '8 GPUs, up to +$1,460 a month for these nodes: up to 4 nodes run today',
  ],
])(
  'more nodes of an autoscaled pool add to the cost of today %s',
  (_, of, [leastPerMonth, perMonth, started], text) => {
    const reason = { filter: 'capacity', surge: 0, perPod: { gpu: 8 }, ...of };
    const rejections = [{ cluster: 'us', pool: 'l4', reason }];
    const shortfall = { missing: 1, accepted: false, rejections, remedies: [nodes('l4', 1)] };
    const plan = { deployment: 'ml/q', changes: [], shortfall } as unknown as DeploymentPlan;
    const [priced] = addRemedyPrices([plan], PRICED, assemble([SCALED]), () => [])[0]?.shortfall?.remedies ?? [];
    const least: { leastPerMonth?: number } = leastPerMonth === undefined ? {} : { leastPerMonth };
    const cost = { perMonth, ...least, currency: 'USD', autoscaled: true };
    const takes = started && { started };
    expect(priced).toEqual({ ...nodes('l4', 1), maxNodeCount: { from: 4, to: 5 }, ...takes, cost });
    expect(priced && formatRemedy(priced)).toBe(`raise maxNodeCount of us / l4 from 4 to 5 (${text})`);
  },
);

const packing = (cluster: string, pool: string): Remedy => ({ kind: 'packing', cluster, pool });
const limit = (cluster: string): Remedy => ({
  kind: 'limit',
  deployment: 'ml/q',
  field: 'maxPerCluster',
  from: 1,
  to: 2,
  cluster,
});
const boundOn = (pool: string, also: string): Remedy => {
  return { ...bound('40Gi'), pool, also: [{ cluster: 'us', pool: also }] } as Remedy;
};
const WEIGHTS = parsed('ModelCache', 'ml/w', { source: 'HuggingFace', huggingFace: { repo: 'a/b', sizeGiB: 9 } });

test.each([
  ['packing of a pool of a fixed size costs nothing', packing('us', 'h100'), {}, true],
  ['packing of a pool that an autoscaler sizes may start nodes', packing('us', 'l4'), {}, false],
  ['a limit on a cluster of fixed pools costs nothing', limit('dc'), {}, true],
  ['a limit on a cluster with an autoscaled pool may start nodes', limit('us'), {}, false],
  ['a bound may start nodes of any pool that it opens', boundOn('h100', 'l4'), {}, false],
  ['a bound on fixed pools costs nothing', boundOn('h100', 'h100'), {}, true],
  ['a cache that the cluster does not stage yet costs storage', packing('dc', 'h100'), { cached: true }, false],
  [
    'a cache that a replica has there already costs nothing more',
    packing('dc', 'h100'),
    { cached: true, on: 'dc' },
    true,
  ],
])('%s', (_, remedy, { cached = false, on = '' }: { cached?: boolean; on?: string }, free) => {
  const q = aDeployment('ml/q');
  const { spec } = q.spec.template;
  const template = { ...q.spec.template, spec: { ...spec, ...(cached && { modelCacheRef: { name: 'w' } }) } };
  const fleet = assemble([WEIGHTS, { ...q, spec: { ...q.spec, template } }]);
  const staying = on === '' ? [] : [{ placement: { cluster: on } }];
  const shortfall = { missing: 1, accepted: false, rejections: [], remedies: [remedy] };
  const plan = { deployment: 'ml/q', changes: [], staying, shortfall } as unknown as DeploymentPlan;
  const [priced] = addRemedyPrices([plan], PRICED, fleet, () => [])[0]?.shortfall?.remedies ?? [];
  expect(priced).toEqual(free ? { ...remedy, cost: { perMonth: 0, currency: 'USD' } } : remedy);
  expect(/ \(\$0[;)]/.test(formatRemedy(priced ?? remedy))).toBe(free);
});
