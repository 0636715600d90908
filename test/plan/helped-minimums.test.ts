import type { Resource } from '../../src/api/kinds';
import { policyFile } from '../../src/api/policy-file';
import type { FleetDiff } from '../../src/diff/fleet-diff';
import { assemble, type Fleet } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatRemedy } from '../../src/plan/remedy-messages';
import type { OwnRemedy, Remedy } from '../../src/scheduler/remedy';
import { findUnplaced } from '../../src/report/diff/unplaced-findings';
import { formatRemedyLines, listCheapest } from '../../src/report/plan/remedy-text';
import { terminalLines } from '../../src/report/document/write-terminal';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../api/build';

/** A cluster of nodes with 8 GPUs, of a class with its own price. */
const on = (name: string, nodeCount: number, perHour = 10): Resource[] => [
  aClass(name, { price: { perHour } }),
  aCluster(name, { labels: { site: name }, pools: { a: { className: name, nodeCount } } }),
];

const model = (id: string, gpus: number, spec: Doc = {}): Resource =>
  aDeployment(id, { ...spec, engines: [{ name: 'main', members: [aMember({ gpus })] }] });

/** Replicas that take a node each. */
const q = (spec: Doc): Resource => model('ml/q', 8, { replicas: 2, ...spec });

/** One GPU of a site for each replica, on whichever of its nodes. */
const small = (site: string, replicas: number): Resource =>
  model(`ml/${site}`, 1, { replicas, priority: 1, clusterSelector: { matchLabels: { site } } });

const ANYWHERE = model('ml/anywhere', 1, { priority: 1 });

/** The remedies of `ml/q` in a fleet with a budget, as lines. */
function linesOf(resources: Resource[], { before = [], perMonth = 100_000 }: Earlier = {}): string[] {
  const { lock } = before.length > 0 ? decide(assemble(before), byPath, EMPTY_LOCK) : { lock: EMPTY_LOCK };
  const { rules } = policyFile.parse({ rules: [{ name: 'budget', budget: { perMonth } }] });
  const policies = rules.map((rule) => ({ rule, where: 'policy.yaml:2:5', place: () => '' }));
  const { plan } = decide({ ...assemble(resources), policies }, byPath, lock);
  const short = plan.deployments.find(({ deployment }) => deployment === 'ml/q')?.shortfall;
  return short ? terminalLines(formatRemedyLines(short)) : [];
}

interface Earlier {
  /** What ran before. */
  before?: Resource[];
  perMonth?: number;
}

/** The first replica is on us, where one more is cheaper. */
const US_FIRST = [...on('us', 1), ...on('eu', 0, 12)];
const NONE_LEFT = (cluster: string): string =>
  `if cluster ${cluster} then fails, no replica of ml/q is left, below minAvailable: 1`;

test.each<[string, Resource[], string[], Earlier]>([
  [
    'says so, next to the cheapest one that keeps it',
    [...US_FIRST, q({ minAvailable: 1 })],
    [
      `cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month; ${NONE_LEFT('us')})`,
      'or: 1 more node in eu / a (8 GPUs, +$8,760 a month)',
    ],
    {},
  ],
  [
    'comes without one that keeps it where a policy rule denies that',
    [...US_FIRST, q({ minAvailable: 1 })],
    [`cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month; ${NONE_LEFT('us')})`],
    { perMonth: 15_000 },
  ],
  [
    'says so of moves too',
    [...on('us', 2), ...on('eu', 1, 12), ANYWHERE, small('eu', 1), q({ minAvailable: 1 })],
    [
      `cheapest: move 1 replica of ml/anywhere from us to eu, without downtime ($0; ${NONE_LEFT('us')}): fleetwright lock DIR --rebalance ml/anywhere; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR`,
      `or: 1 more node in us / a (8 GPUs, +$7,300 a month; ${NONE_LEFT('us')})`,
      'or: 1 more node in eu / a (8 GPUs, +$8,760 a month)',
    ],
    { before: [...on('us', 2), ...on('eu', 0, 12), ANYWHERE] },
  ],
  [
    'is one as others where nothing has to be left',
    [...US_FIRST, q({})],
    ['cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month)'],
    {},
  ],
  [
    'is one as others where no change keeps it',
    [...US_FIRST, q({ minAvailable: 2 })],
    ['cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month)'],
    {},
  ],
  [
    'is one as others on the only cluster',
    [...on('us', 1), q({ minAvailable: 1 })],
    ['cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month)'],
    {},
  ],
  [
    'is not looked for where the cheapest keeps it',
    [...on('us', 1), ...on('eu', 0, 8), q({ minAvailable: 1 })],
    ['cheapest: 1 more node in eu / a (8 GPUs, +$5,840 a month)'],
    {},
  ],
  [
    'says how many are left, where those that it does not help cannot make up for it',
    [...on('us', 2), ...on('eu', 0, 12), q({ replicas: 4, minAvailable: 2 })],
    [
      'cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month; if cluster us then fails, no replica of ml/q is left, below minAvailable: 2) (for 1 of the 2)',
      'or: 1 more node in eu / a (8 GPUs, +$8,760 a month) (for 1 of the 2)',
    ],
    {},
  ],
  [
    'is one as others where those that it does not help may make up for it',
    [...US_FIRST, q({ replicas: 3, minAvailable: 1 })],
    ['cheapest: 1 more node in us / a (8 GPUs, +$7,300 a month) (for 1 of the 2)'],
    {},
  ],
  [
    'comes with packing that keeps it, and with nodes: not every cloud lets a cluster do packing',
    [...on('a', 3), ...on('b', 2, 12), small('a', 2), small('b', 2), q({ minAvailable: 1 })],
    [
      `cheapest: set packing: BinPack on a / a ($0; ${NONE_LEFT('a')}), once an administrator has configured the scheduler of a to pack pods`,
      'or: set packing: BinPack on b / a ($0), once an administrator has configured the scheduler of b to pack pods',
      `or: 1 more node in a / a (8 GPUs, +$7,300 a month; ${NONE_LEFT('a')})`,
      'or: 1 more node in b / a (8 GPUs, +$8,760 a month)',
    ],
    {},
  ],
])('a change that leaves a deployment below minAvailable without one cluster %s', (_, resources, want, earlier) => {
  expect(linesOf(resources, earlier)).toEqual(want);
});

/** Two deployments that take nodes of us. */
const twoOn = (replicas: number): Fleet => {
  const two = ['ml/q', 'ml/r'].map((id) => model(id, 8, { replicas, minAvailable: 1 }));
  return assemble([...on('us', 2), ...on('eu', 0, 12), ...two]);
};

test('deployments that all changes leave below minAvailable alike are one problem', () => {
  const { plan } = decide(twoOn(2), byPath, decide(twoOn(1), byPath, EMPTY_LOCK).lock);
  const diff = { deployments: [], declarations: [] } as unknown as FleetDiff;
  const found = findUnplaced({ diff, plan, problems: [], findings: [] });
  expect(found.map(({ deployments }) => deployments.map(({ id }) => id))).toEqual([['ml/q', 'ml/r']]);
});

const nodes = (cluster: string, lost?: string) =>
  ({
    kind: 'nodes',
    cluster,
    pool: 'a',
    nodes: 1,
    gpus: 8,
    ...(lost && { minimums: [{ deployment: 'ml/q', cluster: lost, left: 0, minAvailable: 1 }] }),
  }) as const;
const packing = (cluster: string, lost?: string) => {
  const { minimums } = nodes(cluster, lost) as Remedy;
  return { kind: 'packing', cluster, pool: 'a', ...(minimums && { minimums }) } as const;
};

test.each<[string, Remedy[], Remedy[]]>([
  ['come with one that keeps it', [nodes('us', 'us'), nodes('eu')], [nodes('us', 'us'), nodes('eu')]],
  [
    'come with nodes rather than packing that keep it',
    [packing('us', 'us'), packing('eu'), nodes('us', 'us'), nodes('eu')],
    [packing('us', 'us'), nodes('us', 'us'), nodes('eu')],
  ],
  [
    'come alone where one of them keeps it',
    [nodes('us', 'us'), packing('eu'), nodes('eu')],
    [nodes('us', 'us'), packing('eu')],
  ],
  ['come alone where none is known to', [nodes('us', 'us')], [nodes('us', 'us')]],
])('the cheapest changes that leave a deployment below minAvailable %s', (_, remedies, want) => {
  expect(listCheapest(remedies)).toEqual(want);
});

const AT = { cluster: 'us', pool: 'a' };
const REQUEST = { engine: 'main', request: 'gpu' };
const FREE = { perMonth: 0, currency: 'USD' };

/** What a change of each kind says, with the loss that it leads to in place of `LOSS`. */
const TEXTS: {
  readonly [K in OwnRemedy['kind']]: [remedy: Omit<Extract<OwnRemedy, { kind: K }>, 'kind'>, want: string];
} = {
  nodes: [{ ...AT, nodes: 1, gpus: 0 }, '1 more node in us / a (LOSS)'],
  packing: [AT, 'set packing: BinPack on us / a (LOSS), once'],
  finalize: [{ cluster: 'us' }, 'remove the draining replicas of us (LOSS) with fleetwright'],
  declare: [{ cluster: 'us', storage: ['BlockDevice'] }, 'of cluster us, if it has such storage (LOSS)'],
  toleration: [{ cluster: 'us', taints: [{ key: 'k', effect: 'NoSchedule' }] }, 'tolerate k:NoSchedule on us (LOSS)'],
  limit: [
    { deployment: 'ml/q', field: 'maxPerCluster', from: 1, to: 2, cluster: 'us', cost: FREE },
    'from 1 to 2 ($0; the replica then goes to us; LOSS)',
  ],
  bound: [{ ...AT, ...REQUEST, selector: 0, from: '80Gi', to: '79Gi', cost: FREE }, 'of gpu, on us / a ($0; LOSS)'],
  count: [{ ...AT, ...REQUEST, from: 8, to: 4 }, 'in gpu, on us / a (LOSS)'],
  copies: [{ ...AT, engine: 'main', from: 4, to: 2 }, 'for which us / a has room (LOSS)'],
  surge: [
    { ...AT, serving: { least: 1, of: 2 } },
    'remove rollout.surge (at least 1 of 2 replicas then serve during rollouts in waves; LOSS)',
  ],
};

test.each(Object.entries(TEXTS))(
  'a change of %s says what the loss of a cluster then leaves',
  (kind, [remedy, want]) => {
    const { minimums } = nodes('us', 'us') as Remedy;
    const text = formatRemedy({ ...remedy, kind, minimums } as unknown as Remedy);
    expect(text).toContain(want.replace('LOSS', NONE_LEFT('us')));
  },
);
