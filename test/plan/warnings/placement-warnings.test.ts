import type { Resource } from '../../../src/api/kinds';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { cluster, deployment, nodeClass } from '../../scheduler/build';

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

const rows: Record<string, { placement: Record<string, unknown>; want: string[] }> = {
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

test.each(Object.entries(rows))('%s', (_, { placement, want }) => {
  const { plan } = decide(assemble(fleetOf(placement)), byPath, LOCK);
  const found = plan.warnings.filter(({ code }) => code === 'exceeded-spread');
  expect(found.map(({ message }) => message)).toEqual(want);
});
