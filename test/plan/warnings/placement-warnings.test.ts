import type { Resource } from '../../../src/api/kinds';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
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
