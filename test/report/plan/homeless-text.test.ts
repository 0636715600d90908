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

const ALTERNATIVE = 'require 79Gi instead of 100Gi in where of gpu, on us / h100';

test.each<[string, Partial<Homeless>, string]>([
  [
    'a bound that the change raised says what fits where the replicas run',
    { changed: true, asked: 'selector' },
    'Undo this change: 79Gi is the most that fits (us / h100)',
  ],
  [
    'a bound has no cost where something else changed: it is that before',
    { changed: true, asked: 'request' },
    `Undo this change, or ${ALTERNATIVE}`,
  ],
  [
    'a bound for pools on which none runs may be the same as before',
    { changed: true, asked: 'selector', lost: ['us / b200'] },
    `Undo this change, or ${ALTERNATIVE}`,
  ],
  [
    'a lower bound has a cost where pools changed',
    {},
    `Undo the change of us / h100, where its replicas run, or ${ALTERNATIVE} (+$420 a month for cache volumes)`,
  ],
])('%s', (_, more, want) => {
  expect(advise(more)).toBe(want);
});

test('a bound with which only some of the replicas fit is an alternative', () => {
  const shortfall = {
    missing: 3,
    remedies: [{ ...BOUND, helps: 1 }],
    rejections: [],
  } as unknown as Homeless['shortfall'];
  expect(advise({ changed: true, asked: 'selector', shortfall })).toBe(
    `Undo this change, or ${ALTERNATIVE} (for 1 of the 3)`,
  );
});
