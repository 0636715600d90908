import type { Resource } from '../../../src/api/kinds';
import { listSpotPools } from '../../../src/fleet/prices/node-price';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, MACHINES } from '../../api/build';
import { diff, state } from '../../diff/build';

const H100 = aClass('h100', { provisioning: MACHINES.GKE });
const OTHER = aClass('other', { provisioning: { provider: 'GKE', gke: { ...MACHINES.GKE.gke, spot: true } } });
const gke = (name: string, className = 'h100'): Resource =>
  aCluster(name, {
    cluster: { source: 'GKE', gke: { region: 'us-central1' } },
    pools: { p: { className, nodeCount: 1, zones: ['us-central1-a'] } },
  });
const model = (id: string, replicas: number): Resource =>
  aDeployment(id, { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }] });

function comment(before: Resource[], after: Resource[]): string {
  const { plan, fleet } = state('here', after).decision;
  const spotPools = listSpotPools(fleet);
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [], spotPools };
  return formatPullRequestComment(diff(before, after), plan, context);
}

const renamed = aCluster('eu', {
  cluster: { source: 'GKE', gke: { region: 'us-central1' } },
  pools: { small: { className: 'h100', nodeCount: 1, zones: ['us-central1-a'] } },
});
const before = [H100, gke('eu'), gke('us')];
const moved = [H100, gke('dc'), gke('us')];

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string }> = {
  'a replica that moves is no downtime where others of its deployment serve': {
    before: [...before, model('ml/q', 2)],
    after: [...moved, model('ml/q', 2)],
    want: 'oves 1 replica of `ml/q` from eu to dc (down while moving; 1 of 2 serve)',
  },
  'its row says so too': {
    before: [...before, model('ml/q', 2)],
    after: [...moved, model('ml/q', 2)],
    want: '| 1 moved, down while moving, about 3 to 17 min plus the time to create the cluster: eu → dc | ≥ 1 of 2 |',
  },
  'several deployments of which others serve share a clause': {
    before: [...before, model('ml/p', 2), model('ml/q', 2)],
    after: [...moved, model('ml/p', 2), model('ml/q', 2)],
    want: 'oves 1 replica each of `ml/p` and `ml/q` from eu to dc (down while moving; other replicas of each serve)',
  },
  'a replica that moves to spot nodes says so': {
    before: [...before, OTHER, model('ml/q', 2)],
    after: [H100, OTHER, gke('dc', 'other'), gke('us'), model('ml/q', 2)],
    want: '| 1 moved, down while moving, about 3 to 17 min plus the time to create the cluster: eu/p → dc/p \\(spot\\) |',
  },
  'downtime is that of the deployment of which no other replica serves': {
    before: [...before, model('ml/p', 1), model('ml/q', 2)],
    after: [...moved, model('ml/p', 1), model('ml/q', 2)],
    want: ' from eu to dc with **downtime** of `ml/p`',
  },
};

describe('a comment', () => {
  test.each(Object.entries(cases))('%s', (_, { before: was, after, want }) => {
    expect(comment(was, after)).toContain(want);
  });
});

const said = (...models: Resource[]): string =>
  comment([OTHER, ...before, ...models], [H100, OTHER, gke('eu', 'other'), gke('us'), ...models]);

describe('a pool with another name', () => {
  const text = comment([...before, model('ml/q', 2)], [H100, renamed, gke('us'), model('ml/q', 2)]);
  test('is left by its replicas, which are counted once', () => {
    expect(text).toContain(
      'Replaces the node pool `eu/p` with `small`, and moves 1 replica of `ml/q` from eu/p to eu/small (down while moving; 1 of 2 serve)',
    );
  });
  test('has them as moved in their row', () => {
    expect(text).toContain(
      '| 1 moved, down while moving, about 3 to 17 min plus the time to create nodes: eu/p → eu/small |',
    );
  });
});

describe('a pool whose nodes are deleted first', () => {
  test('takes down replicas of deployments of which others serve', () => {
    expect(said(model('ml/q', 2))).toContain(
      ': 1 replica is down for about 3 to 17 minutes plus the time to create nodes (others of the deployment serve)',
    );
  });

  test('names the deployment of which no other replica serves', () => {
    expect(said(model('ml/p', 1), model('ml/q', 2))).toContain(
      ': 2 replicas are down for about 3 to 17 minutes plus the time to create nodes, with **downtime** of `ml/p`',
    );
  });
});
