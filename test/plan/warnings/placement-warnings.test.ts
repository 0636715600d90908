import type { Resource } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { collectWarnings, withoutLockWarnings } from '../../../src/plan/warnings/collect-warnings';
import { findLimitedSearches } from '../../../src/plan/warnings/placement-warnings';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import type { Shortfall } from '../../../src/scheduler/schedule-result';
import { byPath } from '../../api/build';
import { cache, cluster, deployment, nodeClass } from '../../scheduler/build';

const GPUS = nodeClass('h100');
const POOL = { a: 'h100 x 4' };
const zone = { labels: { zone: 'z1' } };
const fleetOf = (placement: Record<string, unknown>): Resource[] => [
  GPUS,
  cluster('eu', POOL, zone),
  cluster('us', POOL, zone),
  deployment('ml/q', { replicas: 3, spec: { placement } }),
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
};

const rows: Record<
  string,
  { placement: Record<string, unknown>; elsewhere?: keyof typeof ELSEWHERE; want: string[]; hint?: string }
> = {
  'replicas of the lock are in fewer domains than a higher minimum': {
    placement: { spreadBy: 'zone', minDomains: 2 },
    elsewhere: 'suitable',
    want: ['the replicas are in 1 domain (z1), and must be in 2: the lock keeps them'],
    hint: "Raise 'replicas' by the surplus",
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
  },
  'replicas of the lock exceed a lower limit for each domain': {
    placement: { spreadBy: 'zone', maxPerDomain: 1 },
    want: [expect.stringContaining("domain 'z1' has 3 replicas, and at most 1 may be there") as string],
  },
  'replicas of the lock within a limit are fine': { placement: { maxPerCluster: 3 }, want: [] },
};

test.each(Object.entries(rows))('%s', (_, { placement, elsewhere, want, hint = '' }) => {
  const others = elsewhere === undefined ? [] : (ELSEWHERE[elsewhere] ?? []);
  const { plan } = decide(assemble([...fleetOf(placement), ...others]), byPath, LOCK);
  const found = plan.warnings.filter(({ code }) => code === 'exceeded-spread');
  expect(found.map(({ message }) => message)).toEqual(want);
  for (const one of found) expect(one.hint).toContain(hint);
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
