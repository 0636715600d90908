import type { DeploymentPlan } from '../../src/plan/plan';
import { judgeVacating } from '../../src/plan/vacating-moves';
import type { Routing } from '../../src/routing/routing';
import type { Remedy } from '../../src/scheduler/remedy';
import { aDeployment } from '../api/build';

const move = (from: string, to: string) => ({
  deployment: 'ml/q',
  from,
  to,
  fromPools: ['a'],
  toPools: ['a'],
  surgeFirst: true,
});

interface Row {
  /** The clusters of the replicas. */
  on: string[];
  moves: ReturnType<typeof move>[];
  draining?: string;
  routed?: boolean;
  closed?: boolean;
  vacates?: string[];
}

const rows: Record<string, Row> = {
  'the last replica that leaves a cluster takes its Service along': {
    on: ['us', 'eu'],
    moves: [move('us', 'eu')],
    vacates: ['us'],
  },
  'so do all replicas of it together': {
    on: ['us', 'us', 'eu'],
    moves: [move('us', 'eu'), move('us', 'eu')],
    vacates: ['us'],
  },
  'another replica that stays there keeps it': { on: ['us', 'us'], moves: [move('us', 'eu')] },
  'another replica that comes there keeps it': { on: ['us', 'eu'], moves: [move('us', 'eu'), move('eu', 'us')] },
  'a replica that is draining there does not': {
    on: ['us'],
    draining: 'us',
    moves: [move('us', 'eu')],
    vacates: ['us'],
  },
  'clients of a service are sent elsewhere': { on: ['us'], moves: [move('us', 'eu')], routed: true },
  'no pod is a client of replicas that admit none': { on: ['us'], moves: [move('us', 'eu')], closed: true },
};

test.each(Object.entries(rows))('%s', (_, { on, moves, draining, routed, closed, vacates }) => {
  const networkPolicy = closed ? {} : { networkPolicy: { enabled: false } };
  const deployment = aDeployment('ml/q', networkPolicy);
  const members = routed ? [{ target: { namespace: 'ml', name: 'q' } }] : [];
  const routing = { services: [{ rules: [{ members }] }] } as unknown as Pick<Routing, 'services'>;
  const places = [...on.map((cluster) => ({ cluster })), ...(draining ? [{ cluster: draining, draining: true }] : [])];
  const remedies: Remedy[] = [{ kind: 'move', moves }];
  const running = { deployment: 'ml/q', changes: [], staying: places.map((placement) => ({ placement })) };
  const plans = [running, { deployment: 'ml/z', changes: [], shortfall: { remedies } }] as unknown as DeploymentPlan[];
  const judged = judgeVacating(plans, { fleet: { deployments: [deployment] }, routing });
  const [remedy] = judged[1]?.shortfall?.remedies ?? [];
  const found = remedy?.kind === 'move' ? remedy.vacates : undefined;
  expect(found).toEqual(vacates && [{ deployment: 'ml/q', clusters: vacates }]);
});
