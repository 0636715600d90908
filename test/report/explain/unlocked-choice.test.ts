import { decide } from '../../../src/plan/decide';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatExplanation } from '../../../src/report/explain/deployment-explanation';
import { explainDeployment } from '../../../src/scheduler/explain-deployment';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { cluster, deployment, fleetOf, nodeClassWith } from '../../scheduler/build';

/** A fleet of two clusters, and a deployment of 4 GPUs a replica. */
interface State {
  /** The price of a node. Absent: none is stated. */
  eu?: number;
  us?: number;
  /** Nodes of `us`. */
  nodes?: number;
  replicas?: number;
  placement?: Record<string, unknown>;
  rollout?: Record<string, unknown>;
  /** The GPUs of a replica of another deployment, which has priority. */
  other?: number;
}

interface Row {
  before: State;
  /** What changes after the lock. Absent: the plan is made once. */
  after?: State;
  want: string[];
}

const CHEAPEST = { policy: 'Cheapest' };

const cases: Record<string, Row> = {
  'a new place has no lock to compare with': {
    before: { replicas: 1, nodes: 0 },
    want: [
      '+ eu/0   pool h100: 4 gpu   new: Spread, the cluster with the fewest replicas of the deployment, then with the most free devices for it',
    ],
  },
  'what the policy would choose again is said with its order': {
    before: { placement: CHEAPEST, eu: 8, us: 16 },
    after: {},
    want: [
      'The lock keeps these places, and placement.policy Cheapest would choose the same today: the cluster with room at the lowest price, then the first by name.',
      '= eu/0   pool h100: 4 gpu, $4.00 an hour   locked',
      'room for 1 more replica   pool h100, $4.00 an hour',
      'room for 4 more replicas   next: pool h100, $8.00 an hour',
    ],
  },
  'a place that became cheaper is named with the one that stays': {
    before: { placement: CHEAPEST, eu: 8, us: 16 },
    after: { us: 4 },
    want: [
      'Places of the lock that are still valid stay, so that nothing moves. Without it, placement.policy Cheapest would choose others today: the cluster with room at the lowest price, then the first by name.',
      'us, pool h100, $2.00 an hour, instead of eu, pool h100, $4.00 an hour',
    ],
  },
  'room for rollouts costs a replica nothing': {
    before: { eu: 8, replicas: 1, nodes: 0, rollout: { surge: 1 } },
    want: ['+ eu/0   pool h100: 8 gpu (4 gpu of it for rollouts), $4.00 an hour   '],
  },
  'a place without a price says so next to one that has one': {
    before: { eu: 8 },
    after: {},
    want: ['room for 3 more replicas   next: pool h100, price unknown'],
  },
  'further replicas are counted up to the limit of the deployment': {
    before: { placement: { maxPerCluster: 2 } },
    after: {},
    want: ['room for 1 more replica   pool h100'],
  },
  'of a plan that adds a replica, the number of places that are from the lock is said': {
    before: { replicas: 1 },
    after: { replicas: 2 },
    want: ['The lock keeps 1 of the 2 places, and placement.policy Spread would choose the same today'],
  },
  'a deployment that lacks a place does not take that of the explained one in the comparison': {
    before: { replicas: 1, nodes: 0 },
    after: { other: 8 },
    want: ['The lock keeps these places, and placement.policy Spread would choose the same today'],
  },
};

function fleetWith({ eu, us, nodes = 2, replicas = 1, placement, rollout, other }: State) {
  const spec = { ...(placement && { placement }), ...(rollout && { rollout }) };
  return fleetOf(
    nodeClassWith('eu', eu === undefined ? {} : { price: eu }),
    nodeClassWith('us', us === undefined ? {} : { price: us }),
    cluster('eu', { h100: 'eu x 1' }),
    cluster('us', { h100: `us x ${nodes}` }),
    deployment('ml/q', { replicas, gpus: 4, spec }),
    ...(other === undefined ? [] : [deployment('ml/large', { gpus: other, spec: { priority: 1 } })]),
  );
}

test.each(Object.entries(cases))('explain: %s', (_, { before, after, want }) => {
  const first = decide(fleetWith(before), byPath, EMPTY_LOCK);
  const decided = after ? decide(fleetWith({ ...before, ...after }), byPath, first.lock) : first;
  const model = decided.model.deployments.find(({ id }) => id === 'ml/q');
  if (!model) throw new Error('the deployment is not compiled');
  const explanation = explainDeployment({ ...decided, given: decided.given.placements }, model);
  const plan = decided.plan.deployments.find((one) => one.deployment === 'ml/q');
  const text = terminalLines(formatExplanation(explanation, plan, 'USD')).join('\n');
  for (const line of want) expect(text).toContain(line);
  expect(/the lock/i.test(text)).toBe(after !== undefined);
});
