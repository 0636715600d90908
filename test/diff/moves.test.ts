import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { placeText } from '../../src/base/text';
import type { ReplicaChangeWithCauses } from '../../src/diff/deployment-diff';
import { countReplacedReplicas, diffStates, type FleetDiff } from '../../src/diff/fleet-diff';
import type { FleetState } from '../../src/diff/fleet-state';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { countTotals } from '../../src/plan/deployment-plans';
import type { DeploymentPlan } from '../../src/plan/plan';
import { formatReplicaChange } from '../../src/report/diff/change-sentences';
import { formatTotal } from '../../src/report/plan/total-line';
import { recordRevision } from '../../src/scheduler/previous-revision';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc, gpus } from '../api/build';
import { diff, state } from './build';
import { daily } from '../daily';

const H100 = aClass('h100');
const site = (name: string, nodes: number, more: Doc = {}): Resource =>
  aCluster(name, { pools: { h100: nodes }, ...more });
const drained = (name: string, nodes = 4): Resource =>
  site(name, nodes, { taints: [{ key: 'drain', effect: 'NoExecute' }] });
const q = (more: Doc = {}): Resource => aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], ...more });
const twoPools = (...names: string[]): Resource =>
  aCluster('us', {
    pools: Object.fromEntries(names.map((name) => [name, { className: 'h100', nodeCount: 1 }])),
  });

/** What is known of the engines of an earlier state. */
const remarksOf = ({ decision }: FleetState) => {
  const former = decision.fleet.deployments.flatMap((one) => recordRevision(one) ?? []);
  return { notes: [], warnings: [], former };
};

const reported = ({ deployments }: FleetDiff): string[] =>
  deployments.flatMap(({ changes, serving }) => [
    ...changes.map((change) => `${placeText(change)} ${formatReplicaChange({ ...change, causes: [] })}`),
    `at least ${serving.withWaves}`,
  ]);

describe('what goes and what comes in its place is a move', () => {
  const cases: Record<string, { before: Resource[]; after: Resource[]; want: string[]; moves: number }> = {
    'where the old one serves on, it counts during rollout': {
      before: [H100, site('eu', 4), q({ replicas: 2 })],
      after: [H100, drained('eu'), site('us', 4), q({ replicas: 2 })],
      want: [
        'us/0 moved from eu/0, serving until it is finalized: the taint drain:NoExecute is not tolerated',
        'us/1 moved from eu/1, serving until it is finalized: the taint drain:NoExecute is not tolerated',
        'at least 2',
      ],
      moves: 2,
    },
    'where it goes first, it does not': {
      before: [H100, site('eu', 4), q({ replicas: 2 })],
      after: [H100, site('us', 4), q({ replicas: 2 })],
      want: [
        'us/0 moved from eu/0, with downtime: the cluster is removed; draining it first avoids downtime',
        'us/1 moved from eu/1, with downtime: the cluster is removed; draining it first avoids downtime',
        'at least 0',
      ],
      moves: 2,
    },
    'a replica without a replacement is draining': {
      before: [H100, site('eu', 4), q({ replicas: 2, allowPartial: true })],
      after: [H100, drained('eu'), site('us', 1), q({ replicas: 2, allowPartial: true })],
      want: [
        'eu/1 draining until its replacement fits, the taint drain:NoExecute is not tolerated',
        'us/0 moved from eu/0, serving until it is finalized: the taint drain:NoExecute is not tolerated',
        'at least 2',
      ],
      moves: 1,
    },
    'what comes as well is placed': {
      before: [H100, site('eu', 4), q()],
      after: [H100, drained('eu'), site('us', 4), q({ replicas: 2 })],
      want: [
        'us/0 moved from eu/0, serving until it is finalized: the taint drain:NoExecute is not tolerated',
        'us/1 placed',
        'at least 1',
      ],
      moves: 1,
    },
    'what goes to another pool where it is rolls, and counts as a move': {
      before: [H100, twoPools('a'), q()],
      after: [H100, twoPools('b'), q()],
      want: [
        'us/0 moved from pool a to b, wave 1, stops before its replacement serves, pool a is removed',
        'at least 0',
      ],
      moves: 1,
    },
    'what gets workloads of another kind where it is rolls with downtime': {
      before: [H100, site('us', 2), q()],
      after: [H100, site('us', 2), q({ engines: [anEngine('main', { gpus: 8, workers: 1 })] })],
      want: [
        'us/0 rolled in place, wave 1, stops before its replacement serves, its engines changed, and there is no room to run the old and the new engines side by side',
        'at least 0',
      ],
      moves: 1,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { before, after, want, moves }) => {
    const there = diff(before, after);
    expect(reported(there)).toEqual(want);
    expect(reported(diff(before.toReversed(), after.toReversed()))).toEqual(want);
    expect(countReplacedReplicas(there)).toBe(moves);
  });
});

test('totals count a move once', () => {
  const there = diff([H100, site('eu', 4), q()], [H100, drained('eu'), site('us', 4), q({ replicas: 2 })]);
  expect(formatTotal({ deployments: [], totals: countTotals([]) }, there)).toMatch(/^Total: 1 placed, 1 moved; /);
});

test('totals count a replica that goes to another pool of its cluster as moved', () => {
  const there = diff([H100, twoPools('a'), q()], [H100, twoPools('b'), q()]);
  expect(formatTotal({ deployments: [], totals: countTotals([]) }, there)).toMatch(/^Total: 1 moved; /);
});

/** What a comparison says, with the declarations that it comes from. */
const caused = ({ deployments }: FleetDiff): string[] =>
  deployments.flatMap(({ changes }) => changes.map((one) => `${placeText(one)} ${formatReplicaChange(one)}`));

test('what is put elsewhere by hand comes from what there is there', () => {
  const [before, resources] = [state('main', [H100, site('eu', 4), q()]), [H100, site('ap', 4), site('eu', 4), q()]];
  const planned = decide(assemble(resources), byPath, before.decision.lock);
  expect(caused(diffStates(before, state('here', resources), planned))).toEqual([
    'ap/0 moved from eu/0, with downtime; because InferenceCluster ap is new (InferenceCluster ap )',
  ]);
});

test('what is placed next to a move, for no reason of its own, comes from the same', () => {
  const [large, small] = [8, 4].map((gpus) =>
    aDeployment('ml/q', { replicas: 4, allowPartial: true, engines: [anEngine('main', { gpus })] }),
  );
  const there = diff([H100, site('eu', 1), site('us', 2), large!], [H100, site('us', 2), small!]);
  expect(caused(there).slice(2)).toEqual([
    'us/2 moved from eu/0, with downtime: the cluster is removed; draining it first avoids downtime; because InferenceCluster eu is gone (InferenceCluster eu )',
    'us/3 placed; because InferenceCluster eu is gone (InferenceCluster eu )',
  ]);
});

test('what goes with one that moves comes from what that one depended on', () => {
  const eu = aCluster('eu', { pools: { a: { className: 'old', nodeCount: 4 } } });
  const fleet = (count: number): Resource[] => [
    aClass('old', { devices: [gpus(count)] }),
    H100,
    eu,
    site('us', 4),
    q(),
  ];
  const { objects } = diff(fleet(8), fleet(4));
  const gone = objects.filter(({ cluster, action }) => cluster === 'eu' && action === 'delete');
  expect(gone.length).toBeGreaterThan(0);
  expect(new Set(gone.flatMap(({ causes }) => causes.map(({ id }) => id)))).toEqual(new Set(['InferenceClass old']));
});

test('what is replaced where it is takes the place of no other', () => {
  const [before, resources] = [
    state('main', [H100, site('eu', 4), site('us', 4), q({ replicas: 2 })]),
    [H100, drained('eu'), site('us', 4), aDeployment('ml/q', { engines: [anEngine('main', { gpus: 4 })] })],
  ];
  const planned = decide(assemble(resources), byPath, before.decision.lock, remarksOf(before));
  expect(reported(diffStates(before, state('here', resources), planned))).toEqual([
    'eu/0 removed, the taint drain:NoExecute is not tolerated',
    'us/0 rolled in place, wave 1, stops before its replacement serves',
    'at least 0',
  ]);
});

test('what was final before is no move, whatever comes', () => {
  const before = state('main', [H100, site('eu', 4), q()]);
  const moving = [H100, drained('eu'), site('us', 4), q()];
  const left = state('left', moving, before.decision.lock, before);
  const after = state('after', [H100, site('us', 4), q({ replicas: 2 })], left.decision.lock);
  expect(reported(diffStates(left, after, after.decision))).toEqual([
    'eu/0 drained and removed',
    'us/1 placed',
    'at least 1',
  ]);
});

const replicas = fc.integer({ min: 1, max: 4 });
const count = fc.constantFrom(8, 8, 8, 4);

/** A fleet, of which clusters are drained or lost and deployments get another shape and number. */
const story = fc
  .record({
    clusters: fc.array(fc.record({ nodes: replicas, fate: fc.constantFrom('stays', 'stays', 'drained', 'lost') }), {
      minLength: 2,
      maxLength: 4,
    }),
    deployments: fc.array(fc.tuple(fc.record({ replicas, gpus: count }), fc.record({ replicas, gpus: count })), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ clusters, deployments }) => {
    const at = (time: 0 | 1): Resource[] => [
      H100,
      ...clusters.flatMap(({ nodes, fate }, i) => {
        if (time === 1 && fate === 'lost') return [];
        return [time === 1 && fate === 'drained' ? drained(`c${i}`, nodes) : site(`c${i}`, nodes)];
      }),
      ...deployments.map((two, i) => {
        const { replicas, gpus } = two[time];
        return aDeployment(`ml/d${i}`, {
          replicas,
          allowPartial: true,
          engines: [anEngine('main', { gpus })],
        });
      }),
    ];
    return [at(0), at(1)] as const;
  });

type Told = Pick<ReplicaChangeWithCauses, 'cluster' | 'index' | 'from' | 'reason' | 'surgeFirst'>;

const text = (deployment: string, { from, reason, surgeFirst, ...to }: Told): string =>
  [deployment, from && placeText(from), JSON.stringify(from?.pools), placeText(to), surgeFirst, reason?.kind].join(' ');

/** What moves from one place to another, as the plan against the lock tells it. */
const planned = ({ deployment, changes }: DeploymentPlan): string[] =>
  changes.flatMap((change) => {
    if (change.action !== 'move') return [];
    const { placement: to } = change.replica;
    return placeText(change.from) === placeText(to) ? [] : [text(deployment, { ...change, ...to })];
  });

test('a comparison reports the moves that the plan against the earlier lock tells', () => {
  let moves = 0;
  fc.assert(
    fc.property(story, ([earlier, resources]) => {
      const before = state('main', earlier);
      const decision = decide(assemble(resources), byPath, before.decision.lock, remarksOf(before));
      const { plan } = decision;
      const there = diffStates(before, { ...before, resources, decision, cost: plan.cost }, decision);
      const ours = there.deployments.flatMap(({ deployment, changes }) =>
        changes.filter(({ action }) => action === 'move').map((change) => text(deployment, change)),
      );
      const theirs = plan.deployments.flatMap(planned);
      expect(ours.sort()).toEqual(theirs.sort());
      // Where only the number of pods changes, nothing happens to those that are there.
      expect(countReplacedReplicas(there)).toBeLessThanOrEqual(plan.totals.move);
      moves += theirs.length;
    }),
    { numRuns: daily(20), seed: 11 },
  );
  expect(moves).toBeGreaterThan(daily(10));
});
