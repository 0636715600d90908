import { priceFile } from '../../src/api/price-file';
import type { Cost } from '../../src/cost/cost';
import { assemble } from '../../src/fleet/fleet';
import { BUILT_IN_HARDWARE } from '../../src/fleet/hardware/hardware';
import { buildPriceBook } from '../../src/fleet/prices/price-book';
import type { DeploymentPlan } from '../../src/plan/plan';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { addRemedyPrices } from '../../src/plan/remedy-prices';
import type { RemedyTrial } from '../../src/plan/remedy-trials';
import type { Placement } from '../../src/scheduler/placement';
import type { Remedy } from '../../src/scheduler/remedy';
import { aCache, aCluster, aDeployment } from '../api/build';

const nodes = (pool: string, count: number): Remedy => {
  return { kind: 'nodes', cluster: 'us', pool, nodes: count, gpus: 8 * count };
};
const toleration: Remedy = { kind: 'toleration', cluster: 'us', taints: [] };
const bound = (to: string): Remedy => {
  return { kind: 'bound', cluster: 'us', pool: to, engine: 'main', request: 'gpu', selector: 0, from: '90Gi', to };
};

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

const NO_LOOKUPS = { usageAt: () => [], trialOf: () => undefined };

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
    const [priced] = addRemedyPrices([plan], PRICED, assemble([SCALED]), NO_LOOKUPS)[0]?.shortfall?.remedies ?? [];
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
const boundAt = (cluster: string, also: string): Remedy => {
  return { ...bound('40Gi'), cluster, pool: 'h100', also: [{ cluster: also, pool: 'h100' }] } as Remedy;
};
const WEIGHTS = aCache('ml/w', { sizeGiB: 9 });
const STORAGE = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const PAID = { fileSystem: 'nfs', perGiBMonth: 2, source: 'invoice', asOf: '2026-09-01' };
const HARDWARE = { ...BUILT_IN_HARDWARE, prices: buildPriceBook(priceFile.parse({ storage: [PAID] })) };
const SITES = [aCluster('dc', STORAGE), aCluster('us', STORAGE), aCluster('own')];

test.each<[string, Remedy, { cached?: boolean; on?: string }, number | undefined, string?]>([
  ['packing of a pool of a fixed size costs nothing', packing('us', 'h100'), {}, 0, '($0'],
  ['packing of a pool that an autoscaler sizes may start nodes', packing('us', 'l4'), {}, undefined],
  ['a limit on a cluster of fixed pools costs nothing', limit('dc'), {}, 0, '($0; the replica then goes to dc)'],
  ['a limit on a cluster with an autoscaled pool may start nodes', limit('us'), {}, undefined],
  ['a bound may start nodes of any pool that it opens', boundOn('h100', 'l4'), {}, undefined],
  ['a bound on fixed pools costs nothing', boundOn('h100', 'h100'), {}, 0, ' ($0)'],
  [
    'a cache that the cluster does not stage yet costs the volume',
    packing('dc', 'h100'),
    { cached: true },
    18,
    ' (+$18 a month for cache volumes), once an administrator ',
  ],
  [
    'the replica of a limit needs the volume where it goes',
    limit('dc'),
    { cached: true },
    18,
    '; the replica then goes',
  ],
  [
    'of places where the volume is there and where it is not, the price is that of the latter',
    boundAt('us', 'dc'),
    { cached: true, on: 'us' },
    18,
    ' (+$18 a month for cache volumes)',
  ],
  [
    'a place where the price of the volume is not known has no price',
    boundAt('dc', 'own'),
    { cached: true },
    undefined,
  ],
  [
    'a cache that a replica has there already costs nothing more',
    packing('dc', 'h100'),
    { cached: true, on: 'dc' },
    0,
    ' ($0)',
  ],
])('%s', (_, remedy, { cached = false, on = '' }, perMonth, text = '') => {
  const fleet = assemble([...SITES, WEIGHTS, aDeployment('ml/q', cached ? { cache: 'w' } : {})], HARDWARE);
  const staying = on === '' ? [] : [{ placement: { deployment: 'ml/q', cluster: on } }];
  const shortfall = { missing: 1, accepted: false, rejections: [], remedies: [remedy] };
  const plan = { deployment: 'ml/q', changes: [], staying, shortfall } as unknown as DeploymentPlan;
  const [priced] = addRemedyPrices([plan], PRICED, fleet, NO_LOOKUPS)[0]?.shortfall?.remedies ?? [];
  expect(priced).toEqual(perMonth === undefined ? remedy : { ...remedy, cost: { perMonth, currency: 'USD' } });
  expect(formatRemedy(priced ?? remedy)).toContain(text);
});

const MOVE = {
  kind: 'move',
  moves: [{ deployment: 'ml/q', from: 'us', to: 'dc', fromPools: ['h100'], toPools: ['h100'], surgeFirst: true }],
} as const satisfies Remedy;

interface MovedRow {
  cached?: boolean;
  before: string[];
  /** Undefined: it is not tried. */
  after?: string[];
  perMonth?: number;
  text?: string;
}

const movedRows: Record<string, MovedRow> = {
  'a move to nodes of a fixed number costs nothing': { before: ['us'], perMonth: 0, text: ' ($0)' },
  'a move costs the volumes of the moved replica and of the one that gets its place': {
    cached: true,
    before: ['us'],
    after: ['us', 'dc'],
    perMonth: 18,
    text: ' (+$18 a month for cache volumes)',
  },
  'a move saves the volume that no replica mounts any more': {
    cached: true,
    before: ['us', 'dc'],
    after: ['dc', 'dc'],
    perMonth: -18,
    text: ' (-$18 a month for cache volumes)',
  },
  'a move to where another replica mounts the cache costs nothing': {
    cached: true,
    before: ['us', 'dc'],
    after: ['us', 'dc', 'dc'],
    perMonth: 0,
    text: ' ($0)',
  },
  'a move to where the price of the volume is not known has no known price': {
    cached: true,
    before: ['us'],
    after: ['us', 'own'],
  },
  'a move of replicas with caches that was not tried has no known price': { cached: true, before: ['us'] },
};

const placed = (names: string[]) =>
  names.map((cluster) => ({ deployment: 'ml/q', cluster, pools: { main: 'h100' } }) as unknown as Placement);
const useOneNode = () => [{ pool: 'h100', nodes: 1, devices: {}, share: 1 }];

test.each(Object.entries(movedRows))('%s', (_, { cached = false, before: on, after, perMonth, text = ', without' }) => {
  const fleet = assemble([...SITES, WEIGHTS, aDeployment('ml/q', cached ? { cache: 'w' } : {})], HARDWARE);
  const shortfall = { missing: 1, accepted: false, rejections: [], remedies: [MOVE] };
  const staying = placed(on).map((placement) => ({ placement }));
  const plan = { deployment: 'ml/q', changes: [], staying, shortfall } as unknown as DeploymentPlan;
  const trial = after && ({ before: placed(on), placements: placed(after) } as unknown as RemedyTrial);
  const lookups = { usageAt: useOneNode, trialOf: () => trial };
  const [priced] = addRemedyPrices([plan], PRICED, fleet, lookups)[0]?.shortfall?.remedies ?? [];
  const volumes = perMonth === 0 ? {} : { volumes: perMonth };
  const cost = { perMonth, leastPerMonth: perMonth, currency: 'USD', autoscaled: true, ...volumes };
  expect(priced).toEqual(perMonth === undefined ? MOVE : { ...MOVE, cost });
  expect(priced && formatRemedy(priced)).toContain(`without downtime${text.replace(', without', ': fleetwright')}`);
});

const nodesOn = (cluster: string, pool: string): Remedy => ({ ...nodes(pool, 1), cluster }) as Remedy;

test.each<[string, Remedy, string | undefined, string]>([
  [
    'nodes cost the volume that the replica needs there too',
    nodesOn('us', 'l4'),
    undefined,
    'up to +$1,478 a month for these nodes with cache volumes',
  ],
  [
    'nodes where another replica mounts the cache cost nothing more',
    nodesOn('us', 'l4'),
    'us',
    'up to +$1,460 a month for these nodes)',
  ],
  [
    'nodes where the price of the volume is not known say so',
    nodesOn('own', 'l4'),
    undefined,
    'up to +$1,460 a month for these nodes, and cache volumes without a price',
  ],
  [
    'draining replicas whose place needs a volume say what it costs',
    { kind: 'finalize', cluster: 'dc' },
    undefined,
    'replicas of dc (+$18 a month for cache volumes) with fleetwright lock',
  ],
  [
    'draining replicas whose place needs no volume name no cost',
    { kind: 'finalize', cluster: 'dc' },
    'dc',
    'replicas of dc with fleetwright lock',
  ],
  [
    'a toleration whose place needs a volume says what it costs',
    { ...toleration, cluster: 'dc' } as Remedy,
    undefined,
    'on dc (+$18 a month for cache volumes)',
  ],
])('%s', (_, remedy, on, text) => {
  const fleet = assemble([...SITES, WEIGHTS, aDeployment('ml/q', { cache: 'w' })], HARDWARE);
  const staying = on === undefined ? [] : [{ placement: { deployment: 'ml/q', cluster: on } }];
  const shortfall = { missing: 1, accepted: false, rejections: [], remedies: [remedy] };
  const plan = { deployment: 'ml/q', changes: [], staying, shortfall } as unknown as DeploymentPlan;
  const own = { cluster: 'own', pools: PRICED.clusters.flatMap(({ pools }) => pools) };
  const cost = { ...PRICED, clusters: [...PRICED.clusters, own] } as Cost;
  const [priced] = addRemedyPrices([plan], cost, fleet, NO_LOOKUPS)[0]?.shortfall?.remedies ?? [];
  expect(priced && formatRemedy(priced)).toContain(text);
});
