import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { ShortfallPlan } from '../../src/plan/plan';
import { formatRejectionReason } from '../../src/plan/rejection-messages';
import { formatRemedyLines, formatRemedyOf, listCheapest } from '../../src/report/plan/remedy-text';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { recordRevision } from '../../src/scheduler/previous-revision';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../api/build';
import { terminalLines } from '../../src/report/document/write-terminal';

/** A deployment whose pods take a node each. */
const q = (copies: number, { gpus = 8, ...spec }: Doc & { gpus?: number } = {}) =>
  aDeployment('ml/q', { ...spec, engines: [{ name: 'main', copies, members: [aMember({ gpus })] }] });
const nodes = (count: number, pool: Doc = {}): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: count, ...pool } } }),
];

/** The remedies of a fleet whose first deployment was another one, as lines. */
function remediesOf(...fleet: [place: Resource[], before: Resource[], after: Resource[]]): string[] {
  return shortfallsOf(...fleet).flatMap((one) => terminalLines(formatRemedyLines(one)));
}

function shortfallsOf(place: Resource[], before: Resource[], after: Resource[]): ShortfallPlan[] {
  const { lock, fleet } = decide(assemble([...place, ...before]), byPath, EMPTY_LOCK);
  const former = fleet.deployments.flatMap((one) => recordRevision(one) ?? []);
  const { plan } = decide(assemble([...place, ...after]), byPath, lock, { notes: [], warnings: [], former });
  return plan.deployments.flatMap(({ shortfall }) => shortfall ?? []);
}

const small = (replicas: number) =>
  aDeployment('ml/small', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 1 })] }] });

const four = (replicas: number) =>
  aDeployment('ml/four', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }] });
/** One device of the cluster us, on whichever of its nodes. */
const pinned = aDeployment('ml/pinned', {
  clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'us' } },
  engines: [{ name: 'main', members: [aMember({ gpus: 1 })] }],
});

test('devices that the earlier engines of a replica take are named as its own', () => {
  const texts = ([copies, gpus]: [number, number]): string[] =>
    shortfallsOf(nodes(3), [q(1, { gpus: 7 }), small(1)], [q(copies, { gpus }), small(1)]).flatMap(({ rejections }) =>
      rejections.map(formatRejectionReason),
    );
  expect(texts([4, 8])).toEqual([
    'needs 4 pods of 8 gpu; its 3 nodes can guarantee 1; 8 of 24 devices are in use, 7 of them by its own old replica',
  ]);
  const alone = shortfallsOf(nodes(1), [q(1)], [q(2)]).flatMap(({ rejections }) => rejections);
  expect(alone.map(formatRejectionReason)).toEqual([
    'needs 2 pods of 8 gpu; all its 8 devices are in use, by its own old replica',
  ]);
});

test('an obstacle behind another one has its own remedies', () => {
  const also = [{ pool: 'a', reason: { filter: 'pools' } as const, nodes: 2, packing: true as const }];
  expect(formatRejectionReason({ reason: { filter: 'paused' }, also })).toBe(
    'both obstacles have to go: (1) the cluster is paused; (2) pool a: the cluster declares no pool, so 2 more nodes, or packing: BinPack',
  );
});

test.each<[string, string[], string[]]>([
  [
    'more copies of the same pods restart nothing, and need no nodes next to the present ones',
    remediesOf(nodes(2), [q(2)], [q(3)]),
    ['cheapest: 1 more node in us / h100 (8 GPUs), no restart'],
  ],
  [
    'other pods stop the only replica, which Recreate accepts, or need nodes next to it',
    remediesOf(nodes(2), [q(2, { gpus: 7 })], [q(3)]),
    [
      "cheapest: 1 more node in us / h100 (8 GPUs), with downtime ('rollout: Recreate')",
      'or: 3 more nodes in us / h100 (24 GPUs), without downtime',
    ],
  ],
  [
    'a deployment with Recreate has accepted it',
    remediesOf(nodes(2), [q(2, { gpus: 7 })], [q(3, { rollout: 'Recreate' })]),
    [
      'cheapest: 1 more node in us / h100 (8 GPUs), with downtime of the old replica',
      'or: 3 more nodes in us / h100 (24 GPUs), without downtime',
    ],
  ],
  [
    'of several replicas, each remedy says how many it helps',
    remediesOf(nodes(3), [q(2), small(1)], [q(2), small(10)]),
    [
      'cheapest: set packing: BinPack on us / h100 ($0), once an administrator has configured the scheduler of us to pack pods (for 7 of the 9)',
      'or: 1 more node in us / h100 (8 GPUs) (for 1 of the 9)',
    ],
  ],
  [
    'of equally few nodes without a price, those come first that help the most',
    remediesOf(
      [...nodes(2), aCluster('west', { pools: { h100: { nodeCount: 1 } } })],
      [four(5), pinned],
      [four(7), pinned],
    ),
    ['cheapest: 1 more node in west / h100 (8 GPUs) (for all 2)'],
  ],
  [
    'nodes that help all of them say so',
    remediesOf(nodes(1), [small(1)], [small(10)]),
    ['cheapest: 1 more node in us / h100 (8 GPUs) (for all 2)'],
  ],
])('%s', (_, lines, want) => {
  expect(lines).toEqual(want);
});

test('next to nodes for which a replica stops come nodes for which none does', () => {
  const nodes = { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 } as const;
  const inPlace = { ...nodes, inPlace: 'restart', stopsAll: true } as const;
  const packing = { kind: 'packing', cluster: 'eu', pool: 'a', inPlace: 'restart' } as const;
  const short = { missing: 1, accepted: false, rejections: [], remedies: [inPlace, packing, nodes] };
  expect(listCheapest(short.remedies).map((one) => formatRemedyOf(one, short))).toEqual([
    "1 more node in eu / a (8 GPUs), with downtime ('rollout: Recreate')",
    '1 more node in eu / a (8 GPUs), without downtime',
  ]);
});

test('between packing and nodes for which no replica stops come fewer nodes for which one does', () => {
  const nodes = { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 4, gpus: 32 } as const;
  const inPlace = { ...nodes, nodes: 1, gpus: 8, inPlace: 'restart' } as const;
  const packing = { kind: 'packing', cluster: 'eu', pool: 'a', inPlace: 'restart' } as const;
  expect(listCheapest([packing, inPlace, nodes])).toEqual([packing, inPlace, nodes]);
});

const one = (id: string, replicas: number) =>
  aDeployment(id, { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 1 })] }] });
const packingOf = (others: Resource[]): string[] =>
  remediesOf(nodes(2), others, [...others, q(1)]).filter((line) => line.includes('BinPack'));

test('a change of packing says which replicas of others it restarts, and which of them are the only ones', () => {
  const end = ', once an administrator has configured the scheduler of us to pack pods';
  expect(packingOf([one('ml/a', 1), one('ml/b', 1)])).toEqual([
    `cheapest: set packing: BinPack on us / h100 ($0), with downtime of the only replicas of ml/a and ml/b${end}`,
  ]);
  expect(packingOf([one('ml/a', 2)])).toEqual([
    `cheapest: set packing: BinPack on us / h100 ($0), with a restart of replicas of ml/a${end}`,
  ]);
  const placedAnew = remediesOf(nodes(2), [], [one('ml/a', 2), q(1, { priority: -1 })]).filter((line) =>
    line.includes('BinPack'),
  );
  expect(placedAnew).toEqual([`cheapest: set packing: BinPack on us / h100 ($0)${end}`]);
});

const inCopies = (copies: number): Resource =>
  aDeployment('ml/a', { priority: 1, engines: [{ name: 'main', copies, members: [aMember({ gpus: 1 })] }] });

test('a change of packing stops no copy that starts only with the change, in place of another', () => {
  const place = nodes(2);
  const { lock } = decide(assemble([...place, inCopies(2)]), byPath, EMPTY_LOCK);
  const packing = (count: number, pool = 'h100'): string[] => {
    const placements = lock.placements.map((one) => ({ ...one, pools: { main: pool } }));
    const { plan } = decide(assemble([...place, inCopies(count), q(1)]), byPath, { ...lock, placements });
    const short = plan.deployments.flatMap(({ shortfall }) => shortfall ?? []);
    return short.flatMap((one) => terminalLines(formatRemedyLines(one))).filter((line) => line.includes('BinPack'));
  };
  const without = [expect.stringContaining('($0), once an administrator')];
  expect(packing(2)).toEqual([expect.stringContaining('($0), with a restart of replicas of ml/a, once')]);
  expect(packing(3)).toEqual(without);
  expect(packing(2, 'gone')).toEqual(without);
});

const on = (name: string, pool: Doc): Resource => aCluster(name, { labels: { site: name }, pools: { h100: pool } });

test('replicas that move to nodes which an autoscaler starts say what these cost', () => {
  const priced = aClass('h100', { price: { perHour: 10 } });
  const pinned = aDeployment('ml/big', {
    clusterSelector: { matchLabels: { site: 'dc' } },
    engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }],
  });
  const place = (pool: Doc): Resource[] => [priced, on('dc', { nodeCount: 1 }), on('us', pool)];
  const moves = (pool: Doc): string[] =>
    remediesOf(place(pool), [small(1)], [small(1), pinned]).filter((line) => line.includes('--rebalance'));
  const move = 'cheapest: move 1 replica of ml/small from dc to us, without downtime';
  expect(moves({ minNodeCount: 0, maxNodeCount: 1 })[0]).toContain(`${move} ($0 to +$7,300 a month): fleetwright lock`);
  expect(moves({ nodeCount: 1 })[0]).toContain(`${move} ($0): fleetwright lock`);
});

test('next to the cheapest change comes one of another kind', () => {
  const nodes = { kind: 'nodes', cluster: 'eu', pool: 'a', nodes: 1, gpus: 8 } as const;
  const finalize = { kind: 'finalize', cluster: 'eu' } as const;
  expect(listCheapest([nodes, { ...nodes, cluster: 'us' }, finalize])).toEqual([nodes, finalize]);
});

/** A deployment that takes all of a node, and runs only on a site. */
const big = (id: string, site: string): Resource =>
  aDeployment(id, {
    clusterSelector: { matchLabels: { site } },
    engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }],
  });

const PRICED = aClass('h100', { price: { perHour: 10 } });
const surging = (spec: Doc, { copies = 1, gpus = 4 } = {}): Resource =>
  aDeployment('ml/q', {
    rollout: { surge: 1 },
    ...spec,
    engines: [{ name: 'main', copies, members: [aMember({ gpus })] }],
  });

test.each<[string, Resource[], Resource, string | undefined]>([
  [
    'costs nothing, and says how many replicas then serve during rollouts that each cluster does on its own',
    [on('dc', { nodeCount: 1 }), on('us', { nodeCount: 1 })],
    surging({ replicas: 4, minAvailable: 2 }),
    'cheapest: remove rollout.surge ($0; at least 2 of 4 replicas then serve during rollouts in waves) (for all 2)',
  ],
  [
    'counts as many as roll at a time',
    [on('us', { nodeCount: 2 })],
    surging({ replicas: 4, rollout: { surge: 1, parallel: 2 } }),
    'cheapest: remove rollout.surge ($0; at least 2 of 4 replicas then serve during rollouts in waves) (for all 2)',
  ],
  [
    'is left out where fewer than minAvailable would serve',
    [on('dc', { nodeCount: 1 }), on('us', { nodeCount: 1 })],
    surging({ replicas: 4, minAvailable: 3 }),
    undefined,
  ],
  ['is left out where none would serve', [on('us', { nodeCount: 1 })], surging({}, { gpus: 8 }), undefined],
  [
    'keeps replicas serving whose engines have a second copy',
    [on('us', { nodeCount: 1 })],
    surging({}, { copies: 2 }),
    'cheapest: remove rollout.surge ($0; the replica then still serves during rollouts)',
  ],
  [
    'has no price where an autoscaler may start nodes for what then has a place',
    [on('us', { minNodeCount: 1, maxNodeCount: 1 })],
    surging({ replicas: 2 }),
    'cheapest: remove rollout.surge (at least 1 of 2 replicas then serve during rollouts in waves)',
  ],
])('the removal of a surge %s', (_, clusters, deployment, want) => {
  const lines = remediesOf([PRICED, ...clusters], [], [deployment]);
  expect(lines.find((line) => line.includes('surge'))).toBe(want);
});

test('a command that leaves replicas of another deployment without a place accepts that', () => {
  const place = [aClass('h100'), on('dc', { nodeCount: 1 }), on('us', { nodeCount: 1 })];
  const commands = (...added: Resource[]): string[] =>
    remediesOf(place, [small(1)], [small(1), ...added]).flatMap((line) => /--rebalance[^;]*/.exec(line)?.[0] ?? []);
  expect(commands(big('ml/big', 'dc'))).toEqual(['--rebalance ml/small']);
  const accepting = '--rebalance ml/small --accept-unplaced';
  expect(commands(big('ml/big', 'dc'), big('ml/big2', 'dc'))).toEqual([accepting, accepting]);
});

test('replicas that only the change drains drain in a change before it, and others are removed', () => {
  const place = [aClass('h100'), on('dc', { nodeCount: 1 }), on('us', { nodeCount: 1 })];
  const after = [big('ml/a', 'us'), big('ml/b', 'dc')];
  expect(remediesOf(place, [big('ml/a', 'dc')], after)[0]).toBe(
    'cheapest: first merge what drains replicas of dc, in a change of its own; when the moved replicas serve: fleetwright lock DIR --finalize; then make the rest of this change',
  );
  const before = decide(assemble([...place, big('ml/a', 'dc')]), byPath, EMPTY_LOCK);
  const moved = decide(assemble([...place, big('ml/a', 'us')]), byPath, before.lock);
  const { plan } = decide(assemble([...place, ...after]), byPath, moved.lock);
  expect(plan.deployments.flatMap(({ shortfall }) => (shortfall ? formatRemedyLines(shortfall) : []))[0]).toBe(
    'cheapest: remove the draining replicas of dc with fleetwright lock DIR --finalize; in the same change: fleetwright lock DIR',
  );
});
