import { judgeMinimums } from '../../src/plan/moved-minimums';
import type { DeploymentPlan } from '../../src/plan/plan';
import { formatRemedy } from '../../src/plan/remedy-messages';
import type { MoveRemedy, Remedy } from '../../src/scheduler/remedy';
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
  moves: MoveRemedy['moves'];
  minAvailable?: number;
  draining?: string;
  unites?: MoveRemedy['unites'];
  /** What the option says that it leads to. */
  want: string;
}

const rows: Record<string, Row> = {
  'a move that leaves fewer than minAvailable without one cluster says so': {
    on: ['us', 'us', 'eu', 'eu'],
    moves: [move('us', 'eu')],
    minAvailable: 2,
    want: ' (if cluster eu then fails, 1 replica of ml/q is left, below minAvailable: 2)',
  },
  'one after which enough are left says nothing': {
    on: ['us', 'us', 'eu', 'eu'],
    moves: [move('us', 'eu')],
    minAvailable: 1,
    want: '',
  },
  'so does one of a deployment without minAvailable': { on: ['us', 'eu'], moves: [move('us', 'eu')], want: '' },
  'one that was below before does not break it': {
    on: ['us', 'eu'],
    moves: [move('us', 'eu')],
    minAvailable: 2,
    want: '',
  },
  'moves that exchange clusters keep it': {
    on: ['us', 'us', 'eu', 'eu'],
    moves: [move('us', 'eu'), move('eu', 'us')],
    minAvailable: 2,
    want: '',
  },
  'a replica that is draining does not count': {
    on: ['us', 'eu'],
    draining: 'us',
    moves: [move('us', 'eu')],
    minAvailable: 1,
    want: ' (if cluster eu then fails, no replica of ml/q is left, below minAvailable: 1)',
  },
  'that all replicas are on one cluster is said once': {
    on: ['us', 'eu'],
    moves: [move('us', 'eu')],
    minAvailable: 1,
    unites: [{ deployment: 'ml/q', replicas: 2, label: 'fleetwright.dev/cluster', domain: 'eu' }],
    want: ' (if cluster eu then fails, no replica of ml/q is left, below minAvailable: 1)',
  },
};

test.each(Object.entries(rows))('%s', (_, { on, moves, minAvailable, draining, unites, want }) => {
  const deployment = aDeployment('ml/q', { replicas: on.length, ...(minAvailable !== undefined && { minAvailable }) });
  const places = [...on.map((cluster) => ({ cluster })), ...(draining ? [{ cluster: draining, draining: true }] : [])];
  const remedies: Remedy[] = [{ kind: 'move', moves, ...(unites && { unites }) }];
  const running = { deployment: 'ml/q', changes: [], staying: places.map((placement) => ({ placement })) };
  const plans = [running, { deployment: 'ml/z', changes: [], shortfall: { remedies } }] as unknown as DeploymentPlan[];
  const [remedy] = judgeMinimums(plans, { fleet: { deployments: [deployment] } })[1]?.shortfall?.remedies ?? [];
  expect(remedy && formatRemedy(remedy)).toContain(`without downtime${want}: fleetwright lock`);
});
