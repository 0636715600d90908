import type { Resource } from '../../src/api/kinds';
import { diffStates } from '../../src/diff/fleet-diff';
import { findLeftClusters } from '../../src/diff/left-clusters';
import { findGateFindings } from '../../src/diff/gate-findings';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { aClass, aMember, byPath, type Doc, gpus, MACHINES } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { change, state } from './build';
import { made, q, site } from './lost-nodes-build';

const US = aSite('us', { pools: { h100: { nodeCount: 20 } } });
const EU = aSite('eu', { pools: { h100: { nodeCount: 20 } } });
const [ONE_NODE, NO_NODE] = [1, 0].map((nodeCount) => aSite('eu', { pools: { h100: { nodeCount } } })) as [
  Resource,
  Resource,
];
const DRAINED = aSite('eu', { pools: { h100: { nodeCount: 20 } }, taints: [{ key: 'drain', effect: 'NoExecute' }] });
const base = [aClass('h100'), US, EU, aDoor(['us'])];
const narrow = [aClass('h100'), aSite('us', { pools: { h100: { nodeCount: 1 } } }), EU, aDoor(['us'])];
const APPS = { from: [{ namespaceSelector: { matchLabels: { team: 'apps' } } }] };
const model = (on: string[], more: Doc = {}): Resource =>
  aModel('ml/coder', { on, replicaLabels: { app: 'coder' }, networkPolicy: APPS, ...more });
const whole = model(['eu', 'us'], { replicas: 2, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });
const service = aSplit('ml/code', [to({ app: 'coder' })]);
const other = [aModel('ml/other', { replicaLabels: { app: 'other' } }), aSplit('ml/other', [to({ app: 'other' })])];

const moved = (more?: Doc, ...others: Resource[]): Pick<Case, 'before' | 'after'> => ({
  before: [...base, model(['eu'], more), ...others],
  after: [...base, model(['us'], more), ...others],
});

interface Case {
  before: Resource[];
  after: Resource[];
  accept?: boolean;
  want: unknown[];
}

const LEFT =
  /^ml\/coder and its Service coder-\w+ leave eu: clients there get no answer any more; because .*\. Wait until no client there uses it, and then add --accept-removals to plan --gate$/;
const KEPT =
  "until no client uses it: leave out that edit until then, and run 'fleetwright lock DIR --from main'; or if";
const NOT_SURE = 'Keep a replica there until no client uses it; or if no client does, add ';
const LEFT_LATER = expect.stringContaining(' leave eu once old replicas are finalized: clients there get no answer ');

const cases: Record<string, Case> = {
  'refuses that a deployment leaves a cluster whose pods its NetworkPolicy admits': { ...moved(), want: [LEFT_LATER] },
  'refuses that it leaves a cluster whose pods may be clients, because it has no NetworkPolicy': {
    ...moved({ networkPolicy: { enabled: false } }),
    want: [LEFT_LATER],
  },
  'refuses that fewer replicas leave one of its clusters': {
    before: [...base, model(['us', 'eu'], { replicas: 2 })],
    after: [...base, model(['us'], { replicas: 1 })],
    want: [expect.stringMatching(LEFT)],
  },
  'refuses that a cluster is drained': {
    before: [...base, model(['eu', 'us'], { replicas: 2 })],
    after: [...base.filter((one) => one !== EU), DRAINED, model(['eu', 'us'], { replicas: 2 })],
    want: [LEFT_LATER],
  },
  'says that the nodes can be left where another edit takes no room': {
    before: [...base.filter((one) => one !== EU), ONE_NODE, model(['eu', 'us'], { replicas: 2 })],
    after: [
      ...base.filter((one) => one !== EU),
      NO_NODE,
      model(['eu', 'us'], { replicas: 2 }),
      aModel('ml/more', { on: ['us'] }),
    ],
    want: [expect.stringContaining(KEPT)],
  },
  'does not say so where not all edits that cause it are of nodes': {
    before: [...base.filter((one) => one !== EU), ONE_NODE, model(['eu', 'us'], { replicas: 2 })],
    after: [
      ...base.filter((one) => one !== EU),
      NO_NODE,
      model(['us'], { replicas: 2 }),
      aModel('ml/more', { on: ['us'] }),
    ],
    want: [expect.stringContaining(NOT_SURE)],
  },
  'says where those that leave it have no other place yet': {
    before: [...narrow, whole],
    after: [...narrow.filter((one) => one !== EU), DRAINED, whole],
    want: [expect.stringContaining(' leave eu once old replicas are replaced: clients there get no answer ')],
  },
  'passes it where that is accepted': { ...moved(), accept: true, want: [] },
  'passes it where no pod is admitted, but gateways': { ...moved({ networkPolicy: {} }), want: [] },
  'passes it where a service sends requests to the other replicas': { ...moved({}, service), want: [] },
  'refuses it where the services send requests to others': { ...moved({}, ...other), want: [LEFT_LATER] },
  'passes it where the cluster is no longer declared': {
    before: [...base, model(['eu', 'us'], { replicas: 2 })],
    after: [...base.filter((one) => one !== EU), model(['eu', 'us'], { replicas: 2 })],
    want: [],
  },
  'passes that one of two replicas on a cluster leaves it': {
    before: [...base, model(['eu'], { replicas: 2 })],
    after: [...base, model(['eu'], { replicas: 1 })],
    want: [],
  },
  'passes that no replica is declared any more': {
    before: [...base, model(['eu'])],
    after: [...base, model(['eu'], { replicas: 0 })],
    want: [],
  },
};

test.each(Object.entries(cases))('the gate %s', (_, { before, after, accept = false, want }) => {
  const earlier = state('main', before);
  const { later, diff } = change(earlier, after);
  const context = { before: earlier.decision, after: later.decision, applied: 'withWaves' as const };
  const located = { fleet: later.decision.fleet, locate: byPath };
  const found = findGateFindings(diff, { ...context, acceptRemovals: accept });
  expect(found.map((one) => formatGateFinding(one, located))).toEqual(want);
});

test('the gate says nothing again where the old replica is finalized', () => {
  const { before, after } = moved();
  const { later: draining } = change(state('main', before), after);
  const { lock } = draining.decision;
  const placements = lock.placements.filter((one) => !one.draining);
  expect(placements.length).toBeLessThan(lock.placements.length);
  const finalized = state('here', after, { ...lock, placements }, draining);
  const diff = diffStates(draining, finalized, draining.decision);
  const context = { before: draining.decision, after: finalized.decision, applied: 'withWaves' as const };
  expect(findGateFindings(diff, { ...context, acceptRemovals: false })).toEqual([]);
});

test('the gate says nothing of a deployment whose replicas are not known, because of errors', () => {
  const own = q({ networkPolicy: APPS });
  const earlier = state('main', [made('GKE'), site('GKE'), own]);
  const { provider, gke } = MACHINES.GKE;
  const smaller = aClass('h100', { devices: [gpus(4)], provisioning: { provider, gke: { ...gke, spot: true } } });
  const resources = [smaller, site('GKE'), own];
  const options = { notes: [], warnings: [], held: new Set(['ml/q']) };
  const decision = decide(assemble(resources), byPath, earlier.decision.lock, options);
  const later = { name: 'here', resources, locate: byPath, warnings: [], decision, cost: decision.plan.cost };
  const diff = diffStates(earlier, later, decision);
  const context = { before: earlier.decision, after: decision };
  expect(decision.held.unknown).not.toEqual([]);
  expect(diff.deployments).not.toEqual([]);
  expect(findLeftClusters(diff, context)).toEqual([]);
});
