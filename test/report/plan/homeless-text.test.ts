import { adviseHomeless, type Homeless } from '../../../src/report/plan/homeless-text';
import type { Remedy } from '../../../src/scheduler/remedy';

const BOUND = {
  kind: 'bound',
  cluster: 'us',
  pool: 'h100',
  engine: 'main',
  request: 'gpu',
  selector: 0,
  where: true,
  from: '100Gi',
  to: '79Gi',
  cost: { perMonth: 420, currency: 'USD' },
} as const satisfies Remedy;

function advise(more: Partial<Homeless>): string {
  const shortfall = { missing: 1, remedies: [BOUND], rejections: [] } as unknown as Homeless['shortfall'];
  const homeless = { deployment: 'ml/q', replicas: 1, shortfall, lost: ['us / h100'], services: [], command: 'fleet' };
  return adviseHomeless({ ...homeless, losesHardware: false, removes: false, ...more });
}

test.each<[string, Partial<Homeless>, string]>([
  ['a lower bound has no cost where the request changed: it is that before', { changed: true }, 'on us / h100'],
  ['a lower bound has a cost where pools changed', {}, 'on us / h100 (+$420 a month for cache volumes)'],
])('%s', (_, more, want) => {
  expect(advise(more).split(', or ').at(-1)).toBe(`require 79Gi instead of 100Gi in where of gpu, ${want}`);
});
