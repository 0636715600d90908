import type { Resource } from '../../src/api/kinds';
import { diffStates, type FleetDiff } from '../../src/diff/fleet-diff';
import { policyFile } from '../../src/api/policy-file';
import { decide } from '../../src/plan/decide';
import { assemble } from '../../src/fleet/fleet';
import { recordRevision } from '../../src/scheduler/previous-revision';
import { findGateFindings } from '../../src/diff/gate-findings';
import { formatReplicaAction, formatReplicaChange } from '../../src/report/diff/change-sentences';
import { diffBlocks } from '../../src/report/diff/diff-text';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { describeOutages, formatOutage } from '../../src/report/diff/outage-sentences';
import { describeRaisedSurges, formatReserved } from '../../src/report/diff/reserved-text';
import { toDeploymentRows } from '../../src/report/pull-request/deployment-rows';
import { formatDeploymentTable } from '../../src/report/pull-request/deployment-table';
import { listMoveClauses } from '../../src/report/pull-request/move-clauses';
import { terminalLines } from '../../src/report/document/write-terminal';
import { aClass, aMember, byPath, gpus, request } from '../api/build';
import { aModel, aSite } from '../routing/build';
import { diff, state } from './build';
import { atLeast } from './gate-fleet';
import { container, model, priced, site, usAndEu } from './rollout-fleet';

function outagesOf(change: FleetDiff): string[] {
  return change.deployments.filter(({ serving }) => serving.withWaves === 0).map((one) => formatOutage(one, change));
}

const outages: Record<string, { nodes: number; after: Resource; want: RegExp }> = {
  'a restart with room for a surge says so': {
    nodes: 2,
    after: model(8, 'v0.24.0'),
    want: /\. Set 'rollout.surge: 1', for which there is room \(cost unchanged; the surge reserves 8 GPUs of us\/h100 worth \$7,300 a month\); or in an earlier change, set 'replicas: 2' \(cost unchanged; the new replica runs on us\/h100\), and apply this change when it serves \(you can undo the earlier one afterwards\); or accept downtime with 'rollout: Recreate' \(cost unchanged\)$/,
  },
  'a restart without room for a surge names the nodes that it needs': {
    nodes: 1,
    after: model(8, 'v0.24.0'),
    want: /\. Add 1 more node of us\/h100 and set 'rollout.surge: 1' \(\+\$7,300 a month; the surge reserves 8 GPUs of us\/h100\); or accept downtime with 'rollout: Recreate' \(cost unchanged\)$/,
  },
  'a new replica does not count in the change that adds it, and may come in an earlier one': {
    nodes: 2,
    after: model(8, 'v0.24.0', 'ml/q', 2),
    want: /\. Add the new replica in an earlier change \(same cost\), and apply the rest when it serves; or add 2 more nodes of us\/h100 and set 'rollout.surge: 1' \(\+\$14,600 a month; the surge reserves 16 GPUs of us\/h100\); or accept/,
  },
  'new replicas do not count next to a surge that has room': {
    nodes: 6,
    after: model(8, 'v0.24.0', 'ml/q', 3),
    want: /\. Set 'rollout.surge: 1', for which there is room \(cost unchanged; the surge reserves 24 GPUs of us\/h100 worth \$21,900 a month\); or add the new replicas in an earlier change \(same cost\), and apply the rest when they serve; or accept downtime with 'rollout: Recreate' \(cost unchanged\)$/,
  },
  'engines of another shape without room for both name the nodes that both need': {
    nodes: 1,
    after: model(4),
    want: /\. Add 1 more node of us\/h100 \(\+\$7,300 a month\), so that old and new replicas fit at the same time; or accept/,
  },
};

test.each(Object.entries(outages))('%s', (_, { nodes, after, want }) => {
  const places = [priced, site('us', nodes)];
  expect(outagesOf(diff([...places, model(8)], [...places, after]))).toEqual([expect.stringMatching(want)]);
});

test('a restart next to free devices says why a surge needs a node', () => {
  const others = [priced, site('us', 2), model(8, 'v0.23.0', 'ml/whole')];
  expect(outagesOf(diff([...others, model(1)], [...others, model(1, 'v0.24.0')]))).toEqual([
    expect.stringContaining(
      ". Add 1 more node of us/h100 and set 'rollout.surge: 1' (+$7,300 a month; 7 devices of us/h100 are free, but no node is sure to have enough of them; ",
    ),
  ]);
});

test('nodes for a surge are also enough for replicas that the same change leaves without a place', () => {
  const members = [{ role: 'Leader' }, { role: 'Worker', worker: { nodes: 1 } }].map((role) => ({
    ...aMember({ gpus: 8, ...container('v0.23.0') }),
    ...role,
  }));
  const gang = aModel('ml/z', { replicas: 1, engines: [{ name: 'main', bootstrap: 'Auto', members }] });
  const [before, after] = [model(8), model(8, 'v0.24.0')];
  const change = diff([priced, site('us', 3), before, gang], [priced, site('us', 2), after, gang]);
  const outage = outagesOf(change).find((text) => text.startsWith('ml/q '));
  expect(outage).toContain(
    ". Declare 4 nodes of us/h100 instead of 2, where ml/z has room too, and set 'rollout.surge: 1' (+$14,600 a month above this change; ",
  );
});

const pair = (tag: string): Resource =>
  aModel('ml/q', { replicas: 2, engines: [{ name: 'main', members: [aMember({ gpus: 8, ...container(tag) })] }] });

/** Two replicas, of which eu loses one to us. */
const losingOne = (us: number): FleetDiff =>
  diff([...usAndEu(us, 1), pair('v0.23.0')], [...usAndEu(us, 0), pair('v0.24.0')]);

const loses: Record<string, { change: FleetDiff; want: string }> = {
  'the place that a replica loses lacks no room for its surge': {
    change: losingOne(4),
    want: "applied. Set 'rollout.surge: 1', for which there is room (cost unchanged; the surge reserves 16 GPUs of us/h100 worth",
  },
  'where a surge has no room at the place that the replica gets, an earlier change adds a replica': {
    change: losingOne(3),
    want: ". In an earlier change, set 'replicas: 3' (cost unchanged; the new replica runs on us/h100), and apply this change when it serves: at least 1 of 3 serves then, with up to 2 times the requests of a replica today (you can undo the earlier one afterwards); or add 1 more node of us/h100 and set 'rollout.surge: 1' (+$7,300 a month; ",
  },
};

test.each(Object.entries(loses))('%s', (_, { change, want }) => {
  expect(change.deployments.flatMap(({ changes }) => changes.map(({ action }) => action)).sort()).toEqual([
    'move',
    'roll',
  ]);
  expect(outagesOf(change)).toEqual([expect.stringContaining(want)]);
});

/** Replicas on us and eu, of which one gets another pool, and the other another cluster. */
const onOther = (h100s: number, minAvailable?: number): FleetDiff => {
  const small = aClass('l4', { devices: [gpus(8, { memory: '23034Mi', architecture: 'Ada' })], price: { perHour: 1 } });
  const l4 = { className: 'l4', nodeCount: 3 };
  const h100 = { className: 'h100', nodeCount: h100s };
  const places = [
    priced,
    small,
    aSite('us', { pools: { h100, l4 } }),
    aSite('eu', { pools: { l4 } }),
    aSite('dc', { pools: { h100 } }),
  ];
  const asking = (architecture: string): Resource => {
    const cel = `device.attributes["gpu.nvidia.com"].architecture == "${architecture}"`;
    const members = [aMember({ devices: [request('gpu', 8, cel)] })];
    const model = aModel('ml/q', { replicas: 2, engines: [{ name: 'main', members }] });
    return minAvailable === undefined ? model : atLeast(minAvailable, model);
  };
  return diff([...places, asking('Ada')], [...places, asking('Hopper')]);
};

const elsewhere: Record<string, { change: FleetDiff; want: RegExp }> = {
  'a surge with room is enough where one replica changes its pool and another its cluster': {
    change: onOther(2),
    want: /applied\. Set 'rollout\.surge: 1', for which there is room/,
  },
  'without room, it needs nodes of the new pools of both': {
    change: onOther(1),
    want: /\. Add 2 more nodes \(1 of dc\/h100, 1 of us\/h100\) and set 'rollout\.surge: 1' \(\+\$14,600 a month: \+\$7,300 for dc\/h100, \+\$7,300 for us\/h100; /,
  },
  'a surge of one of two replicas is not offered where both have to serve': {
    change: onOther(2, 2),
    want: /applied\. Accept downtime with 'rollout: Recreate', which also voids 'minAvailable: 2' \(cost unchanged\)$/,
  },
};

test.each(Object.entries(elsewhere))('%s', (_, { change, want }) => {
  expect(change.deployments[0]?.changes.map(({ action }) => action).sort()).toEqual(['move', 'roll']);
  expect(outagesOf(change)).toEqual([expect.stringMatching(want)]);
});

/** A deployment of 4 GPUs a pod: of one pod, or of a gang of two. */
const named = (name: string, tag: string, workers = false): Resource => {
  const pod = { gpus: 4, ...container(tag) };
  const gang = [{ role: 'Leader' }, { role: 'Worker', worker: { nodes: 1 } }].map((role) => ({
    ...aMember(pod),
    ...role,
  }));
  const engine = workers
    ? { name: 'main', bootstrap: 'None', members: gang }
    : { name: 'main', members: [aMember(pod)] };
  return aModel(name, { replicas: 1, engines: [engine] });
};

/** A gang and two others. */
const allOf = (tag: string): Resource[] => [named('ml/a', tag, true), named('ml/b', tag), named('ml/c', tag)];

test('room for surges is room for all that are proposed, and a gang names the nodes that it needs next to the others', () => {
  const places = [priced, site('us', 3)];
  const [gang, first, second] = outagesOf(diff([...places, ...allOf('v0.23.0')], [...places, ...allOf('v0.24.0')]));
  expect(first).toContain("Set 'rollout.surge: 1', for which there is room");
  expect(second).toContain("Set 'rollout.surge: 1', for which there is room");
  expect(gang).toContain(
    "Add 1 more node of us/h100 and set 'rollout.surge: 1' next to those of ml/b, ml/c (+$7,300 a month; the surge reserves 8 GPUs of us/h100); or accept downtime with 'rollout: Recreate' (cost unchanged)",
  );
});

test('nodes for a surge that a budget denies say how far to raise it', () => {
  const [rule] = policyFile.parse({ rules: [{ name: 'all', budget: { perMonth: 8000 } }] }).rules;
  const places = [priced, site('us', 1)];
  const policies = rule ? [{ rule, where: 'policy.yaml:2:5', place: () => '' }] : [];
  const before = state('main', [...places, model(8)]);
  const { decision, ...after } = state('here', [...places, model(8, 'v0.24.0')], before.decision.lock, before);
  const denied = { ...decision, fleet: { ...decision.fleet, policies } };
  expect(outagesOf(diffStates(before, { ...after, decision: denied }, denied))).toEqual([
    expect.stringContaining(
      ". Do all of this: add 1 more node of us/h100, set 'rollout.surge: 1' and raise budget.perMonth of rule 'all' (policy.yaml:2:5) from 8000 to 14600 (+$7,300 a month; the surge reserves 8 GPUs of us/h100)",
    ),
  ]);
});

const surging = (surge: number, replicas = 1): Resource =>
  aModel('ml/q', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }], rollout: { surge } });

test('a surge on many pools names some of them, and counts the others as pools', () => {
  const reserved = ['a', 'b', 'c', 'd', 'e'].map((pool) => ({ pool, gpus: 4 }));
  expect(formatReserved(reserved)).toBe('4 GPUs of a, 4 GPUs of b, 4 GPUs of c and those of 2 more pools');
  expect(formatReserved(reserved.slice(1))).toBe('4 GPUs of b, 4 GPUs of c, 4 GPUs of d and 4 GPUs of e');
});

test('a surge that a change raises says what it reserves, of each pool', () => {
  const places = [priced, site('us', 2), site('eu', 1)];
  const raised = diff([...places, surging(0, 2)], [...places, surging(1, 2)]);
  expect(describeRaisedSurges(raised.surges)).toEqual([
    'the surge of ml/q reserves 4 GPUs of eu/h100 worth $3,650 a month and 4 GPUs of us/h100 worth $3,650 a month, idle between rollouts',
  ]);
  expect(terminalLines(diffBlocks(raised)).join('\n')).toContain('\n  The surge of ml/q reserves 4 GPUs of eu/h100');
});

const scaling = (name: string): Resource => aSite(name, { pools: { h100: { nodeCount: 1, maxNodeCount: 2 } } });

test.each([
  ['one pool', [scaling('us')], 'the pool scales'],
  ['all pools', [scaling('us'), scaling('eu')], 'the pools scale'],
  ['a pool', [scaling('us'), site('eu', 1)], 'a pool scales'],
])('a surge need not be idle between rollouts where %s can scale down', (_, places, want) => {
  const { surges } = diff([priced, ...places, surging(0, 2)], [priced, ...places, surging(1, 2)]);
  expect(describeRaisedSurges(surges)).toEqual([expect.stringMatching(`, idle between rollouts unless ${want} down$`)]);
});

test('a surge that stays or goes is not said to reserve anything', () => {
  const places = [priced, site('us', 2)];
  expect(diff([...places, surging(1)], [...places, surging(1, 2)]).surges).toBeUndefined();
  expect(diff([...places, surging(1)], [...places, surging(0)]).surges).toBeUndefined();
});

const shared: Record<string, { nodes: number; gpus?: number; want: string[] }> = {
  'what each of several deployments lacks alone is less than what they need together': {
    nodes: 2,
    want: ['ml/a, ml/b together need 2 more nodes of us/h100 (+$14,600 a month) to keep serving.'],
  },
  'where one of them has room, the other says what it needs next to it': { nodes: 3, want: [] },
  'where one more node is enough for both, no line says so again': { nodes: 1, gpus: 4, want: [] },
  'with the nodes that they need together, both have room': { nodes: 4, want: [] },
};

test.each(Object.entries(shared))('%s', (_, { nodes, gpus = 8, want }) => {
  const places = [priced, site('us', nodes)];
  const both = (tag: string): Resource[] => ['ml/a', 'ml/b'].map((name) => model(gpus, tag, name));
  const change = diff([...places, ...both('v0.23.0')], [...places, ...both('v0.24.0')]);
  const lines = describeOutages(change);
  expect(lines).toHaveLength(2 + want.length);
  expect(lines.slice(2)).toEqual(want);
});

/** The states of a change, with a lock from which the replicas that drain were removed before anything was applied. */
function finalize(before: readonly Resource[], after: readonly Resource[]) {
  const earlier = state('main', before);
  const { lock } = state('here', after, earlier.decision.lock, earlier).decision;
  const placements = lock.placements.filter(({ draining }) => !draining);
  const later = state('here', after, { ...lock, placements }, earlier);
  const former = earlier.decision.fleet.deployments.flatMap((one) => recordRevision(one) ?? []);
  const planned = decide(assemble(after), byPath, earlier.decision.lock, { notes: [], warnings: [], former });
  return { change: diffStates(earlier, later, planned), before: earlier.decision, after: later.decision };
}

const twoSites = [priced, site('eu', 1), site('us', 1)];

test('a replica moves because old engines fill its cluster until they are finalized', () => {
  const moved = diff([...twoSites, model(8)], [...twoSites, model(4)]);
  expect(moved.deployments.flatMap(({ changes }) => changes.map(formatReplicaAction))).toEqual([
    'moved from eu/0, serving until it is finalized: its engines changed, and eu has no room for both until the old one is finalized',
  ]);
});

test('downtime of a replica that was finalized too early names that, and what to do', () => {
  const [only, ...more] = outagesOf(finalize([...twoSites, model(8)], [...twoSites, model(4)]).change);
  expect(more).toEqual([]);
  expect(only).toBe(
    "ml/q has no serving replica for about 2 to 17 minutes while the change is applied: eu/0 left the lock by 'lock --finalize' before its replacement serves. Run 'fleetwright lock DIR --from main', which takes the old replica back into the lock, and run 'fleetwright lock DIR --finalize' in a later change, when the new replica serves",
  );
});

test('downtime of a replica that only the lock moves says how it stays, and how the downtime is accepted', () => {
  const earlier = state('main', [...twoSites, model(8)]);
  const [first] = earlier.decision.lock.placements;
  const moved = { ...earlier.decision.lock, placements: [{ ...first!, cluster: 'us' }] };
  const [only] = outagesOf(diffStates(earlier, state('here', [...twoSites, model(8)], moved), earlier.decision));
  expect(only).toBe(
    "ml/q has no serving replica for about 2 to 17 minutes while the change is applied. Run 'fleetwright lock DIR --from main', which leaves replicas where they serve; or accept downtime with 'rollout: Recreate' (cost unchanged)",
  );
});

test('an edit is why a replica that was finalized too early moves, and not why it is down', () => {
  const { change, ...states } = finalize([...twoSites, model(8)], [...twoSites, model(4)]);
  const [only] = findGateFindings(change, { ...states, applied: 'withWaves', acceptRemovals: false });
  const located = { fleet: states.after.fleet, locate: byPath };
  expect(only && formatGateFinding(only, located)).not.toContain('because');
  expect(change.deployments.flatMap(({ changes }) => changes.map((one) => formatReplicaChange(one)))).toEqual([
    expect.stringMatching(
      /until the old one is finalized; because ModelDeployment ml\/q .*; eu\/0 left the lock by 'lock --finalize' before its replacement serves$/,
    ),
  ]);
  const [row] = toDeploymentRows(change, states.after.plan);
  expect(row && formatDeploymentTable([row], change, { clusters: [] })[2]).toContain(
    '| 1 moved with downtime, about 2 to 17 min: eu → us, because this change also finalizes the old one |',
  );
  expect(row && listMoveClauses([row], String).map(({ text }) => text)).toEqual([
    'moves 1 replica of `ml/q` from eu to us on 4 GPUs instead of 8 with **downtime of about 2 to 17 minutes**',
  ]);
});

test('to finalize a replica that drained before is no downtime', () => {
  const earlier = state('main', [...twoSites, model(8)]);
  const later = [...twoSites, model(4)];
  const draining = state('main', later, earlier.decision.lock, earlier);
  const lock = {
    ...draining.decision.lock,
    placements: draining.decision.lock.placements.filter((one) => !one.draining),
  };
  const finalized = state('here', later, lock, earlier);
  const change = diffStates(draining, finalized, draining.decision);
  expect(
    change.deployments.flatMap(({ changes }) => changes.map((one) => [formatReplicaAction(one), one.finalized])),
  ).toEqual([['drained and removed', undefined]]);
});
