import type { Resource } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import type { Decision } from '../../../src/plan/decision';
import { collectWarnings, withoutLockWarnings } from '../../../src/plan/warnings/collect-warnings';
import { findLimitedSearches } from '../../../src/plan/warnings/placement-warnings';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import type { Shortfall } from '../../../src/scheduler/schedule-result';
import { byPath } from '../../api/build';
import { cache, cluster, deployment, nodeClass } from '../../scheduler/build';

const GPUS = nodeClass('h100');
const POOL = { a: 'h100 x 4' };
const zone = { labels: { zone: 'z1' } };
const fleetOf = (placement: Record<string, unknown>, replicas = 3): Resource[] => [
  GPUS,
  cluster('eu', POOL, zone),
  cluster('us', POOL, zone),
  deployment('ml/q', { replicas, spec: { placement } }),
];

/** The lock of three replicas on one cluster. */
const LOCK = {
  ...EMPTY_LOCK,
  placements: decide(
    assemble([GPUS, cluster('eu', POOL, zone), deployment('ml/q', { replicas: 3 })]),
    byPath,
    EMPTY_LOCK,
  ).schedule.placements,
};

/** The hardware that a fleet has besides the two clusters. */
const ELSEWHERE: Record<string, Resource[]> = {
  suitable: [cluster('ap', POOL, { labels: { zone: 'z2' } })],
  unsuitable: [cluster('ap', {}, { labels: { zone: 'z2' } })],
  full: ['z2', 'z3'].map((name) => cluster(name, { a: 'h100 x 0' }, { labels: { zone: name } })),
};

/** How replicas get to other places, where one more is enough, and where several are. */
const ONE_MORE =
  "Raise 'replicas' to 4, and lower it to 3 again when the new replica serves: the lock then drops a replica where most are";
const moreReplicas = (to: number, back: number): string =>
  `Raise 'replicas' to ${to}, and lower it to ${back} again when the new replicas serve: the lock then drops replicas where most are`;

const rows: Record<
  string,
  {
    placement: Record<string, unknown>;
    replicas?: number;
    elsewhere?: keyof typeof ELSEWHERE;
    lock?: typeof LOCK;
    want: string[];
    hint?: string;
  }
> = {
  'replicas of the lock are in fewer domains than a higher minimum': {
    placement: { spreadBy: 'zone', minDomains: 2 },
    elsewhere: 'suitable',
    want: ['the replicas are in 1 domain (z1), and must be in 2: the lock keeps them'],
    hint: ONE_MORE,
  },
  'of the domains that are too few, those that missing replicas will use need no further ones': {
    placement: { spreadBy: 'zone', minDomains: 3 },
    replicas: 4,
    elsewhere: 'full',
    want: ['the replicas are in 1 domain (z1), and must be in 3: the lock keeps them'],
    hint: "Raise 'replicas' to 5, and lower it to 4 again when the new replica serves",
  },
  'where no other domain has the hardware, the hint asks for that': {
    placement: { spreadBy: 'zone', minDomains: 2 },
    elsewhere: 'unsuitable',
    want: ['the replicas are in 1 domain (z1), and must be in 2: the lock keeps them'],
    hint: 'Only 1 domain has a cluster that can run it',
  },
  'a minimum that they keep is fine': { placement: { spreadBy: 'zone', minDomains: 1 }, want: [] },
  'replicas of the lock exceed a lower limit for each cluster': {
    placement: { maxPerCluster: 2 },
    want: [expect.stringContaining("cluster 'eu' has 3 replicas, and at most 2 may be there") as string],
    hint: ONE_MORE,
  },
  'the hint for each of several clusters is about all of them': {
    placement: { maxPerCluster: 1 },
    replicas: 5,
    lock: decide(assemble(fleetOf({}, 5)), byPath, EMPTY_LOCK).lock,
    want: [
      expect.stringContaining("cluster 'eu' has 3 replicas, and at most 1 may be there") as string,
      expect.stringContaining("cluster 'us' has 2 replicas, and at most 1 may be there") as string,
    ],
    hint: moreReplicas(8, 5),
  },
  'replicas of the lock exceed a lower limit for each domain': {
    placement: { spreadBy: 'zone', maxPerDomain: 1 },
    want: [expect.stringContaining("domain 'z1' has 3 replicas, and at most 1 may be there") as string],
    hint: moreReplicas(5, 3),
  },
  'replicas of the lock within a limit are fine': { placement: { maxPerCluster: 3 }, want: [] },
};

test.each(Object.entries(rows))('%s', (_, { placement, replicas, elsewhere, lock = LOCK, want, hint = '' }) => {
  const others = elsewhere === undefined ? [] : (ELSEWHERE[elsewhere] ?? []);
  const { plan } = decide(assemble([...fleetOf(placement, replicas), ...others]), byPath, lock);
  const found = plan.warnings.filter(({ code }) => code === 'exceeded-spread');
  expect(found.map(({ message }) => message)).toEqual(want);
  for (const one of found) expect(one.hint).toContain(hint);
});

/** A fleet with further room, whose replicas spread by a rule, decided from a lock. */
const spreadFrom = (lock: Decision['lock'], placement: Record<string, unknown>, replicas: number): Decision =>
  decide(assemble([...fleetOf(placement, replicas), ...(ELSEWHERE.suitable ?? [])]), byPath, lock);
const hintOf = ({ plan }: Decision): string | undefined =>
  plan.warnings.find(({ code }) => code === 'exceeded-spread')?.hint;

test.each<[string, Record<string, unknown>]>([
  ['too few domains', { spreadBy: 'zone', minDomains: 2 }],
  ['a cluster with too many', { maxPerCluster: 2 }],
  ['a domain with too many', { spreadBy: 'zone', maxPerDomain: 2 }],
])('to raise and lower the replicas as the hint says spreads those of %s', (_, placement) => {
  const counts =
    /'replicas' to (\d+), and lower it to (\d+) again/.exec(hintOf(spreadFrom(LOCK, placement, 3)) ?? '') ?? [];
  const [raised, lowered] = counts.slice(1).map(Number) as [number, number];
  expect(hintOf(spreadFrom(spreadFrom(LOCK, placement, raised).lock, placement, lowered))).toBeUndefined();
});

const UNLABELLED = "no replica is placed on cluster us, without the label 'zone'";
const spread = (us: Resource, template: Record<string, unknown> = {}): Resource[] => [
  GPUS,
  cache('ml/c'),
  cluster('eu', POOL, { ...zone, storage: true }),
  us,
  deployment('ml/q', { spec: { placement: { spreadBy: 'zone' } }, template }),
];

const domains: Record<string, { resources: Resource[]; want: string[] }> = {
  'a cluster without the label of spreadBy gets no replica': {
    resources: spread(cluster('us', POOL)),
    want: [UNLABELLED],
  },
  'so does one that also lacks storage for a cache': {
    resources: spread(cluster('us', POOL), { modelCacheRef: { name: 'c' } }),
    want: [UNLABELLED],
  },
  'one with the label may get one': { resources: spread(cluster('us', POOL, zone)), want: [] },
  'one without GPUs needs no label': { resources: spread(cluster('us', {})), want: [] },
};

test.each(Object.entries(domains))('%s', (_, { resources, want }) => {
  const { plan } = decide(assemble(resources), byPath, EMPTY_LOCK);
  const found = plan.warnings.filter(({ code }) => code === 'no-domain-label');
  expect(found.map(({ message }) => message)).toEqual(want);
});

const least = (spec: Record<string, unknown> = {}): Resource =>
  deployment('ml/q', { replicas: 4, spec: { minAvailable: 3, ...spec } });
const FEW =
  "ModelDeployment ml/q spec.minAvailable: 2 of 4 replicas of ml/q have a place, fewer than minAvailable: 3. Make room for more replicas, or lower 'minAvailable'.";

const short: Record<string, { before?: Resource[]; after: Resource[]; want: unknown[] }> = {
  'too few replicas with a place are fewer than minAvailable': {
    after: [cluster('eu', { a: 'h100 x 2' }), least()],
    want: [FEW],
  },
  'so are those of a cluster that is left, where the other one is lost': {
    before: [cluster('eu', { a: 'h100 x 2' }), cluster('us', { a: 'h100 x 2' }), least()],
    after: [cluster('eu', { a: 'h100 x 2' }), least()],
    want: [FEW],
  },
  'and those whose deployment allows that some have none': {
    after: [cluster('eu', { a: 'h100 x 2' }), least({ allowPartial: true })],
    want: [FEW],
  },
  'one replica with a place is in the singular': {
    after: [cluster('eu', { a: 'h100 x 1' }), least()],
    want: [expect.stringContaining(': 1 of 4 replicas of ml/q has a place, ')],
  },
  'as many as minAvailable are enough': { after: [cluster('eu', { a: 'h100 x 3' }), least()], want: [] },
  'draining ones serve until others replace them': {
    before: [cluster('eu', { a: 'h100 x 2' }), cluster('us', { a: 'h100 x 2' }), least()],
    after: [
      cluster('eu', { a: 'h100 x 2' }),
      cluster('us', { a: 'h100 x 2' }, { taints: [{ key: 'drain', effect: 'NoExecute' }] }),
      least(),
    ],
    want: [],
  },
  'without minAvailable any number is enough': {
    after: [cluster('eu', { a: 'h100 x 2' }), deployment('ml/q', { replicas: 4 })],
    want: [],
  },
};

test.each(Object.entries(short))('%s', (_, { before = [], after, want }) => {
  const { lock } = decide(assemble([GPUS, ...before]), byPath, EMPTY_LOCK);
  const { warnings } = decide(assemble([GPUS, ...after]), byPath, lock).plan;
  expect(warnings.filter(({ code }) => code === 'too-few-placed').map(formatDiagnostic)).toEqual(want);
  expect(withoutLockWarnings(warnings).filter(({ code }) => code === 'too-few-placed')).toEqual([]);
});

const missing = { deployment: 'ml/q', missing: 2, rejections: [], remedies: [] };
const LIMIT = 'ended at its limit of steps, so that there may be a place';

const searches: Record<string, { found: Partial<Shortfall>; want: string[] }> = {
  'a search for moves that ends at its limit asks for a deployment to move': {
    found: { limitedMoves: true },
    want: [
      `the search for moves of locked replicas that make room for 2 missing replicas ${LIMIT}. Try 'fleetwright plan DIR --rebalance'. If it finds no place, name a deployment that can move: '--rebalance NAMESPACE/NAME' looks at its replicas alone.`,
    ],
  },
  'in a rebalance, it does not advise the rebalance': {
    found: { limitedMoves: true, moved: { limited: true } },
    want: [
      `the search for moves of locked replicas that make room for 2 missing replicas ${LIMIT}. Name a deployment that can move: '--rebalance NAMESPACE/NAME' looks at its replicas alone. Or add nodes.`,
    ],
  },
  'where the replicas of the named deployment make no room, that is said': {
    found: { limitedMoves: true, moved: { deployment: 'ml/p' } },
    want: [
      'moving replicas of ml/p alone makes no room for 2 missing replicas. Name another deployment that can move, or add nodes.',
    ],
  },
  'the search for moves of the named deployment may end at its limit, too': {
    found: { limitedMoves: true, moved: { deployment: 'ml/p', limited: true } },
    want: [
      `the search for moves of replicas of ml/p that make room for 2 missing replicas ${LIMIT}. Name another deployment that can move, or add nodes.`,
    ],
  },
  'a search for a place that ends at its limit asks for an order': {
    found: { limited: true },
    want: [
      `the search for a place for 2 missing replicas ${LIMIT}. Give a deployment that can run on few clusters a higher 'priority', so that it is placed before the others, or narrow the 'clusterSelector' of the others.`,
    ],
  },
  'a search that did not end at its limit is no warning': { found: { moved: { deployment: 'ml/p' } }, want: [] },
};

test.each(Object.entries(searches))('limited search: %s', (_, { found, want }) => {
  const fleet = assemble([GPUS, cluster('eu', POOL), deployment('ml/q')]);
  const warnings = findLimitedSearches(fleet, [{ ...missing, ...found }]);
  expect(warnings.map(({ message, hint }) => `${message}. ${hint}.`)).toEqual(want);
});

test('a search that ended at its limit is the last warning', () => {
  const spread = { spec: { placement: { maxPerCluster: 2 } } };
  const fleet = assemble([
    GPUS,
    cluster('eu', POOL, zone),
    cluster('us', POOL, zone),
    deployment('ml/q', { replicas: 3, ...spread }),
  ]);
  const decision = decide(fleet, byPath, LOCK);
  const { warnings } = collectWarnings(
    fleet,
    decision.model,
    {
      ...decision,
      ...decision.schedule,
      shortfalls: [{ ...missing, limitedMoves: true }],
      routes: { routing: decision.routing, warnings: [] },
      engines: [],
      loads: [],
      remarks: { warnings: [], notes: [] },
    },
    byPath,
  );
  expect(warnings.map(({ code }) => code)).toEqual(['exceeded-spread', 'search-limit']);
});
