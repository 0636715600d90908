import type { DeploymentPlan } from '../../../src/plan/plan';
import { formatRebalance } from '../../../src/report/plan/rebalance-text';

/** A deployment of which one replica has no place. */
function lacking(deployment: string, waiting?: number): DeploymentPlan {
  const shortfall = { missing: 1, accepted: true, ...(waiting !== undefined && { waiting }) };
  return { deployment, changes: [], shortfall } as unknown as DeploymentPlan;
}

test.each([
  [
    'others move once draining replicas are gone',
    [lacking('ml/late'), lacking('ml/waits', 1)],
    [
      "Rebalance: replicas of ml/waits get their place after 'lock --finalize' and 'lock', in one change.",
      'Rebalance: nothing moves before that. Run it again afterwards for replicas of ml/late.',
    ],
  ],
  [
    'nothing helps where nothing drains',
    [lacking('ml/late')],
    ['Rebalance: no move was found that gives replicas of ml/late a place.'],
  ],
])('a rebalance without moves says that %s', (_, deployments, want) => {
  expect(formatRebalance(deployments, true)).toEqual(want);
});
