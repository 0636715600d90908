import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { assemble, type PreviousRevision } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { type ClusterDecision, decideCluster } from '../../src/plan/decide-cluster';
import type { Decision } from '../../src/plan/decision';
import { renderCluster } from '../../src/render/cluster';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { recordRevision } from '../../src/scheduler/previous-revision';
import { byPath } from '../api/build';
import { EVERY_RULE } from './policy/every-rule';
import { routedFleet } from '../routing/fleets';
import { FEW_UNLUCKY, unlessUnlucky } from '../routing/unlucky';
import { cluster, deployment, nodeClass } from '../scheduler/build';
import { fleetSpec, resourcesOf } from '../scheduler/fleets';
import { daily } from '../daily';

const ruled = (resources: readonly Resource[]) => ({ ...assemble(resources), policies: EVERY_RULE });

function whole(resources: readonly Resource[], lock: Lock, former: readonly PreviousRevision[] = []): Decision {
  return decide(ruled(resources), byPath, lock, { notes: [], warnings: [], former });
}

function share(resources: readonly Resource[], lock: Lock, name: string): ClusterDecision {
  return decideCluster(ruled(resources), byPath, lock, { cluster: name, renderers: [] });
}

/** The objects of each cluster, decided as a whole or cluster by cluster. */
function manifestsOf(resources: readonly Resource[], of: (name: string) => ClusterDecision | Decision): unknown {
  const { clusters } = assemble(resources);
  return clusters.map((one) => {
    const { fleet, replicas, routing } = of(one.metadata.name);
    return JSON.stringify(renderCluster(one, replicas, { fleet, routing }));
  });
}

function expectShares(resources: readonly Resource[], lock: Lock): void {
  const decision = whole(resources, lock);
  expect(decision.outOfDate).toBe(false);
  expect(manifestsOf(resources, (name) => share(resources, lock, name))).toEqual(
    manifestsOf(resources, () => decision),
  );
  for (const { metadata } of assemble(resources).clusters) {
    const { policies, mustExist } = share(resources, lock, metadata.name);
    const there = decision.plan.mustExist.filter((one) => one.cluster === metadata.name);
    expect([policies, mustExist]).toEqual([decision.plan.policies, there]);
  }
}

/** What replicas of a fleet are made of, as `fleetwright lock` keeps it. */
function recorded(resources: readonly Resource[]): PreviousRevision[] {
  return assemble(resources).deployments.flatMap((one) => recordRevision(one) ?? []);
}

test('each share of a routed fleet is, byte by byte, its part of the whole, held to the same rules, and needs what it needs there', () => {
  fc.assert(
    fc.property(routedFleet, (resources) => {
      const { lock } = unlessUnlucky(() => whole(resources, EMPTY_LOCK));
      expectShares(resources, lock);
    }),
    { numRuns: daily(5), ...FEW_UNLUCKY },
  );
});

test('so is each of a fleet whose deployments were others before, which some replicas still are', () => {
  fc.assert(
    fc.property(fleetSpec, fleetSpec, (first, next) => {
      const [before, after] = [first, next].map(resourcesOf) as [Resource[], Resource[]];
      const { lock } = whole(after, whole(before, EMPTY_LOCK).lock, recorded(before));
      // What moves out of the way of others may settle only in the second turn.
      const settled = whole(after, lock).lock;
      expectShares(after, settled);
    }),
    { numRuns: daily(5) },
  );
});

const FLEET = {
  h100: nodeClass('h100'),
  east: cluster('east', { h100: 'h100 x 3' }),
  west: cluster('west', { h100: 'h100 x 3', l4: 'h100 x 0' }),
  both: deployment('ml/both', { replicas: 4 }),
  there: deployment('ml/there', { template: { clusterSelector: { matchLabels: { side: 'west' } } } }),
};
type Part = keyof typeof FLEET;
const SIDES: Partial<typeof FLEET> = {
  east: cluster('east', { h100: 'h100 x 3' }, { labels: { side: 'east' } }),
  west: cluster('west', { h100: 'h100 x 3' }, { labels: { side: 'west' } }),
};

interface Case {
  /** What was locked, next to the fleet of all rows: two replicas of `both` on each side, `there` on the west. */
  before?: Partial<Record<Part, Resource>>;

  /** What is declared now. Undefined: it is gone. */
  change: Partial<Record<Part | 'new', Resource | undefined>>;
  edit?: (lock: Lock) => Lock;

  /** The clusters whose stacks are refused. */
  want: ('east' | 'west')[];
}

const closed = { taints: [{ key: 'gone', effect: 'NoExecute' }] };
const [east, west] = ['east', 'west'].map((side) => ({ labels: { side } }));

const cases: Record<string, Case> = {
  'a lock that is up to date is fine on both sides': { change: {}, want: [] },
  'engines that are others are refused where they run': {
    change: {
      there: deployment('ml/there', {
        gpus: 4,
        template: { clusterSelector: { matchLabels: { side: 'west' } } },
      }),
    },
    want: ['west'],
  },
  'and on all clusters where they run': {
    change: { both: deployment('ml/both', { replicas: 4, gpus: 4 }) },
    want: ['east', 'west'],
  },
  'one replica more is refused where there are some': {
    change: { both: deployment('ml/both', { replicas: 5 }) },
    want: ['east', 'west'],
  },
  'and one fewer': { change: { both: deployment('ml/both', { replicas: 3 }) }, want: ['east', 'west'] },
  'one more is not seen where fewer would do too': {
    before: { both: deployment('ml/both', { replicas: 4, spec: { allowPartial: true } }) },
    change: { both: deployment('ml/both', { replicas: 5, spec: { allowPartial: true } }) },
    want: [],
  },
  'one fewer is': {
    before: { both: deployment('ml/both', { replicas: 4, spec: { allowPartial: true } }) },
    change: { both: deployment('ml/both', { replicas: 3, spec: { allowPartial: true } }) },
    want: ['east', 'west'],
  },
  'a deployment that is gone is refused where it runs': { change: { there: undefined }, want: ['west'] },
  'a new one that no one placed is not seen': {
    change: { new: deployment('ml/new', { gpus: 1 }) },
    want: [],
  },
  'a pool with fewer nodes than are taken is refused': {
    change: { west: cluster('west', { h100: 'h100 x 2' }, west) },
    want: ['west'],
  },
  'one that has enough of them is not': {
    change: { east: cluster('east', { h100: 'h100 x 2' }, east) },
    want: [],
  },
  'a pool that is removed is refused': { change: { east: cluster('east', {}, east) }, want: ['east'] },
  'a cluster that nothing may stay on is refused': {
    change: { east: cluster('east', { h100: 'h100 x 3' }, { ...east, ...closed }) },
    want: ['east'],
  },
  'a cluster that a deployment does not want any more is refused': {
    change: {
      there: deployment('ml/there', { template: { clusterSelector: { matchLabels: { side: 'east' } } } }),
    },
    want: ['west'],
  },
  'a cluster that is gone is missed wherever replicas of its deployments are': {
    change: { west: undefined, there: undefined },
    want: ['east'],
  },
  'a shortfall that was accepted stays so': {
    before: { both: deployment('ml/both', { replicas: 9 }) },
    change: {},
    want: [],
  },
  'a larger one does not': {
    before: { both: deployment('ml/both', { replicas: 9 }) },
    change: { both: deployment('ml/both', { replicas: 10 }) },
    want: ['east', 'west'],
  },
  'nor does a smaller one': {
    before: { both: deployment('ml/both', { replicas: 9 }) },
    change: { both: deployment('ml/both', { replicas: 8 }) },
    want: ['east', 'west'],
  },
  'a paused deployment keeps what it has, however many it asks for': {
    change: { both: deployment('ml/both', { replicas: 3, spec: { paused: true } }) },
    want: [],
  },
  'more replicas than are asked for stay where all their clusters are paused': {
    change: {
      both: deployment('ml/both', { replicas: 3 }),
      east: cluster('east', { h100: 'h100 x 3' }, { ...east, paused: true }),
      west: cluster('west', { h100: 'h100 x 3' }, { ...west, paused: true }),
    },
    want: [],
  },
  'and are refused where one of these is not': {
    change: {
      both: deployment('ml/both', { replicas: 3 }),
      east: cluster('east', { h100: 'h100 x 3' }, { ...east, paused: true }),
    },
    want: ['east', 'west'],
  },
  'a replica that leaves for a reason that is over is refused where one is missing': {
    change: {},
    edit: (lock) => ({
      ...lock,
      unplaced: new Map([['ml/both', 1]]),
      placements: lock.placements.map((line) =>
        line.deployment === 'ml/both' && line.cluster === 'east' && line.index === 0
          ? { ...line, draining: true }
          : line,
      ),
    }),
    want: ['east'],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, change, edit = (lock) => lock, want }) => {
  const declared = { ...FLEET, ...SIDES, ...before };
  const accepted = whole(Object.values(declared), EMPTY_LOCK);
  const short = accepted.schedule.shortfalls.map(({ deployment: id, missing }) => [id, missing] as const);
  const lock = edit({ ...accepted.lock, unplaced: new Map(short) });
  const now = Object.values({ ...declared, ...change }).filter((one): one is Resource => one !== undefined);
  const names = assemble(now).clusters.map(({ metadata }) => metadata.name);
  expect(names.filter((name) => share(now, lock, name).outOfDate)).toEqual(want);
  // No one is refused who is not when the whole fleet is decided.
  if (want.length > 0) {
    const { outOfDate, plan } = whole(now, lock);
    expect(outOfDate || plan.deployments.some(({ shortfall }) => shortfall && !shortfall.accepted)).toBe(true);
  }
});

test('what is frozen on the cluster and could not stay is refused in its own words', () => {
  const frozen = deployment('ml/both', { replicas: 4, gpus: 4, spec: { paused: true } });
  const { lock } = whole(Object.values({ ...FLEET, ...SIDES }), EMPTY_LOCK);
  const now = Object.values({ ...FLEET, ...SIDES, both: frozen });
  expect(() => share(now, lock, 'east')).toThrow('east/0 is frozen, because the deployment is paused');
});

test('a renderer sees the wave of a replica among all of its deployment', () => {
  const { lock } = whole(Object.values({ ...FLEET, ...SIDES }), EMPTY_LOCK);
  const { replicas } = share(Object.values({ ...FLEET, ...SIDES }), lock, 'west');
  const waves = replicas.filter(({ deployment: { metadata } }) => metadata.name === 'both').map(({ wave }) => wave);
  expect(waves).toEqual([
    { fleet: 3, cluster: 1 },
    { fleet: 4, cluster: 2 },
  ]);
});
