import type { DeploymentPlan } from '../../src/plan/plan';
import { keepBestRemedies } from '../../src/plan/remedy-prices';
import type { Remedy } from '../../src/scheduler/schedule-result';

const nodes = (pool: string, count: number, perMonth?: number): Remedy => ({
  kind: 'nodes',
  cluster: 'us',
  pool,
  nodes: count,
  ...(perMonth !== undefined && { cost: { perMonth, currency: 'USD', autoscaled: false } }),
});
const finalize: Remedy = { kind: 'finalize', cluster: 'us' };

const cases: Record<string, { remedies: Remedy[]; want: Remedy[] }> = {
  'the cheapest nodes are kept, though there are more of them': {
    remedies: [nodes('h100', 1, 60), nodes('l4', 2, 14), nodes('a100', 2, 30)],
    want: [nodes('l4', 2, 14)],
  },
  'the fewest nodes are kept where the prices are equal': {
    remedies: [nodes('a', 1, 60), nodes('b', 2, 60)],
    want: [nodes('a', 1, 60)],
  },
  'the fewest nodes are kept where no price is known': {
    remedies: [nodes('a', 1), nodes('b', 2)],
    want: [nodes('a', 1)],
  },
  'nodes without a price are kept next to the cheapest ones': {
    remedies: [nodes('a', 1), nodes('b', 2, 60), nodes('c', 3, 14)],
    want: [nodes('a', 1), nodes('c', 3, 14)],
  },
  'a change of another kind is kept': {
    remedies: [finalize, nodes('a', 1, 60)],
    want: [finalize, nodes('a', 1, 60)],
  },
};

test.each(Object.entries(cases))('%s', (_, { remedies, want }) => {
  const shortfall = { missing: 1, accepted: false, rejections: [], remedies };
  const [plan] = keepBestRemedies([{ shortfall } as unknown as DeploymentPlan]);
  expect(plan?.shortfall?.remedies).toEqual(want);
});
