import type { DeploymentPlan, Drain } from '../../../src/plan/plan';
import { hintAtDrain } from '../../../src/report/plan/drain-text';
import type { Remedy } from '../../../src/scheduler/remedy';

const finalize: Remedy = { kind: 'finalize', cluster: 'us' };
const bound: Remedy = {
  kind: 'bound',
  cluster: 'us',
  pool: 'a',
  engine: 'main',
  request: 'gpu',
  selector: 0,
  from: '790Gi',
  to: '79Gi',
};

const FINALIZE =
  'remove the draining replicas of us with fleetwright lock DIR --finalize; in the same change: fleetwright lock DIR';
const BOUND = 'require 79Gi instead of 790Gi in selector 1 of gpu, on us / a';

const rows: Record<string, { remedies: Record<string, Remedy>; want: string }> = {
  'the cheapest change says so': { remedies: { 'ml/a': finalize }, want: `Cheapest for ml/a: ${FINALIZE}` },
  'a quantity that was probably meant says so': {
    remedies: { 'ml/a': bound },
    want: `Probably meant for ml/a: ${BOUND}`,
  },
  'changes for several deployments say that each was tried alone': {
    remedies: { 'ml/a': finalize, 'ml/b': finalize },
    want: `Cheapest for ml/a alone: ${FINALIZE}; for ml/b alone: ${FINALIZE}`,
  },
  'changes of both kinds have titles of their own': {
    remedies: { 'ml/a': finalize, 'ml/b': bound },
    want: `Cheapest for ml/a alone: ${FINALIZE}; probably meant for ml/b alone: ${BOUND}`,
  },
};

test.each(Object.entries(rows))('where a drain cannot finish, %s', (_, { remedies, want }) => {
  const ids = Object.keys(remedies);
  const stuck = ids.map((deployment) => ({ placement: { deployment }, why: 'no-replacement' }));
  const plans = ids.map((deployment) => ({ deployment, shortfall: { missing: 1, remedies: [remedies[deployment]] } }));
  expect(hintAtDrain({ stuck } as unknown as Drain, plans as unknown as DeploymentPlan[])).toBe(want);
});
