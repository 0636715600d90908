import { decide } from '../../../src/plan/decide';
import { formatExplanation } from '../../../src/report/explain/deployment-explanation';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { explainDeployment } from '../../../src/scheduler/explain-deployment';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { cluster, deployment as declared, fleetOf, nodeClass } from '../../scheduler/build';

interface Row {
  /** The `placement` of the deployment. */
  placement?: Record<string, unknown>;
  replicas?: number;
  /** Another deployment, of this many GPUs a replica. */
  other?: number;
  /** Whether the plan is locked and made again. */
  again?: true;
  /** The text after the pool, by replica. */
  want: Record<string, string>;
}

const cases: Record<string, Row> = {
  'the line of the lock': { again: true, want: { 'eu/0': 'locked' } },
  'Spread, with its ties': {
    want: { 'eu/0': 'new: Spread, the fewest replicas of the deployment, then the most free room' },
  },
  'a domain before the policy': {
    placement: { spreadBy: 'zone' },
    want: {
      'eu/0':
        'new: Spread, the fewest replicas in a domain (zone a), then the fewest replicas of the deployment, then the most free room',
    },
  },
  Pack: {
    placement: { policy: 'Pack' },
    want: { 'eu/0': 'new: Pack, the fullest cluster with room, then the first by name' },
  },
  Cheapest: {
    placement: { policy: 'Cheapest' },
    want: { 'eu/0': 'new: Cheapest, the lowest price with room, then the first by name' },
  },
  'the selector that a preferred cluster matches, and that another matches none': {
    placement: { policy: 'Preferred', preferred: [{ matchLabels: { zone: 'b' } }] },
    replicas: 3,
    want: {
      'eu/0': 'new: Preferred, the earliest selector with room (it matches no selector), then the first by name',
      'us/0': 'new: Preferred, the earliest selector with room (it matches selector 1 of 1), then the first by name',
      'us/1': 'new: Preferred, the earliest selector with room (it matches selector 1 of 1), then the first by name',
    },
  },
  'a place that another new replica needs to fit': {
    replicas: 2,
    other: 8,
    want: {
      'us/0': 'new: Spread, the fewest replicas of the deployment, then the most free room',
      'us/1': 'new: arranged with other new replicas, so that more of them fit',
    },
  },
};

test.each(Object.entries(cases))('explain gives as the reason for a place %s', (_, row) => {
  const { placement, replicas = 1, other, again, want } = row;
  const large = other === undefined ? [] : [declared('ml/large', { gpus: other })];
  const fleet = fleetOf(
    nodeClass('h100'),
    cluster('eu', { h100: 'h100 x 1' }, { labels: { zone: 'a' } }),
    cluster('us', { h100: 'h100 x 1' }, { labels: { zone: 'b' } }),
    declared('ml/q', { replicas, gpus: 4, spec: { priority: 1, ...(placement && { placement }) } }),
    ...large,
  );
  const first = decide(fleet, byPath, EMPTY_LOCK);
  const decided = again ? decide(fleet, byPath, first.lock) : first;
  const deployment = decided.model.deployments.find(({ id }) => id === 'ml/q');
  if (!deployment) throw new Error('the deployment is not compiled');
  const explanation = explainDeployment({ ...decided, given: decided.given.placements }, deployment);
  const plan = decided.plan.deployments.find((one) => one.deployment === 'ml/q');
  const lines = terminalLines(formatExplanation(explanation, plan));
  const reasons = lines.flatMap((line) => /^ *[=+] (\S+) .*gpu {3}(.*)$/.exec(line)?.slice(1, 3) ?? []);
  expect(reasons).toEqual(Object.entries(want).flat());
});
