import type { DeploymentPlan } from '../../src/plan/plan';
import { formatRemedyLines } from '../../src/report/plan/remedy-text';
import { keepBestRemedies } from '../../src/plan/best-remedies';
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
const packed = (pool: string, perMonth: number): Remedy => {
  return { ...PACKED, pool, cost: { perMonth, currency: 'USD' } };
};
const FREE = { perMonth: 0, currency: 'USD' } as const;
const moved = (surgeFirst: boolean): Remedy => ({
  kind: 'move',
  moves: [{ deployment: 'ml/a', from: 'us', to: 'eu', fromPools: ['a'], toPools: ['a'], surgeFirst }],
});
const toleration: Remedy = { kind: 'toleration', cluster: 'us', taints: [] };
const bound = (to: string): Remedy => {
  return { kind: 'bound', cluster: 'us', pool: to, engine: 'main', request: 'gpu', selector: 0, from: '90Gi', to };
};

const slip = (from: string, to: string, perMonth = 0): Remedy => {
  return { ...bound(to), from, cost: { perMonth, currency: 'USD' } } as Remedy;
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
    remedies: [moved(false), { ...PACKED, cost: FREE }],
    want: [{ ...PACKED, cost: FREE }, moved(false)],
  },
  'no replica moves where it is enough to finalize': {
    remedies: [moved(true), finalize],
    want: [finalize],
  },
  'moves are offered where what drains replicas comes first': {
    remedies: [moved(true), { ...finalize, drainsFirst: true } as Remedy],
    want: [moved(true), { ...finalize, drainsFirst: true } as Remedy],
  },
  'what costs nothing comes before nodes, and a toleration last': {
    remedies: [toleration, nodes('a', 1, 60), bound('40Gi'), finalize],
    want: [bound('40Gi'), finalize, nodes('a', 1, 60), toleration],
  },
  'packed pods that cost nothing come before nodes': {
    remedies: [nodes('a', 1, 60), { ...PACKED, cost: { perMonth: 0, currency: 'USD' } }],
    want: [{ ...PACKED, cost: { perMonth: 0, currency: 'USD' } }, nodes('a', 1, 60)],
  },
  'packed pods that need a volume come before nodes, of which one costs more': {
    remedies: [nodes('a', 1, 60), { ...PACKED, cost: { perMonth: 4, currency: 'USD' } }, finalize],
    want: [finalize, { ...PACKED, cost: { perMonth: 4, currency: 'USD' } }, nodes('a', 1, 60)],
  },
  'what needs a volume that costs more than nodes comes after these': {
    remedies: [{ ...bound('40Gi'), cost: { perMonth: 70, currency: 'USD' } } as Remedy, nodes('a', 1, 60)],
    want: [nodes('a', 1, 60), { ...bound('40Gi'), cost: { perMonth: 70, currency: 'USD' } } as Remedy],
  },
  'a quantity that was probably meant comes first, though volumes cost more than what keeps it': {
    remedies: [finalize, slip('790Gi', '79Gi', 70), nodes('a', 1, 60)],
    want: [slip('790Gi', '79Gi', 70), finalize, nodes('a', 1, 60)],
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
  'of packed pods, the cheapest are kept where all have a price': {
    remedies: [packed('a', 4), packed('b', 0)],
    want: [packed('b', 0)],
  },
  'the smallest change of packing is kept where the price of one is not known': {
    remedies: [PACKED, packed('b', 0)],
    want: [PACKED],
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

test.each<[string, Remedy, boolean]>([
  ['one digit too many', slip('790Gi', '79Gi'), true],
  ['the nominal size of a GPU', slip('80Gi', '81559Mi'), true],
  ['another size', slip('80Gi', '40Gi'), false],
  ['as much in another unit with one digit more', slip('790Gi', '79Mi'), false],
  ['a version', { ...bound('8.9'), from: '9.0' } as Remedy, false],
])('of bounds, %s is what was probably meant, or not', (_, remedy, isMeant) => {
  const [title] = formatRemedyLines({ missing: 1, remedies: [remedy] });
  expect(title).toMatch(isMeant ? /^probably meant: require / : /^cheapest: require /);
});
