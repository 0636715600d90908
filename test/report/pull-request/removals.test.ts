import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import type { DeploymentRow } from '../../../src/report/pull-request/deployment-rows';
import { describeActions } from '../../../src/report/pull-request/deployment-table';
import { NO_ACTIONS } from '../../../src/report/pull-request/replica-actions';
import { aCache, aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aSplit, to } from '../../routing/build';

const site = (nodeCount: number): Resource =>
  aCluster('us', { pools: { h100: { nodeCount } }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } });
const EU = aCluster('eu', { pools: { h100: { nodeCount: 1 } } });
const model = (replicas: number): Resource =>
  aDeployment('ml/q', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });
const ELSEWHERE = [aDeployment('ml/r', { replicaLabels: { app: 'r' } }), aSplit('ml/chat', [to({ app: 'r' })])];
const files = { huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) } };
const caches = ['w', 'x'].map((name) => aCache(`ml/${name}`, files));
const users = (mounts: boolean): Resource[] =>
  ['w', 'x'].map((cache) => aDeployment(`ml/${cache}`, mounts ? { cache } : {}));

test.each<[string, Resource[], Resource[], string]>([
  [
    'a replica that loses its place is removed where it is not declared any more',
    [site(2), model(2)],
    [site(1), model(1)],
    'emoves 1 replica of `ml/q`, and declares 1 node instead of 2 in the node pool `us/h100`. ',
  ],
  [
    'a replica that is removed has its cluster',
    [site(2), EU, model(3)],
    [site(2), EU, model(2)],
    '| `ml/q` | 3 → 2 | 24 → 16 | 1 removed from us | ≥ 2 of 3 |',
  ],
  [
    'of replicas that lose their place, those that are still declared are evicted',
    [site(3), model(3)],
    [site(1), model(2)],
    '| `ml/q` | 3 → 1 placed, of 2 declared | 24 → 8 | 1 removed from us; 1 evicted: no place any more | ≥ 1 of 3 |',
  ],
  [
    'a deployment that no service selected is removed without a loss for clients',
    [site(2), model(1), ...ELSEWHERE],
    [site(2), ...ELSEWHERE],
    '| `ml/q` | 1 → 0 | 8 → 0 | no longer declared, and no service selected it; 1 removed |',
  ],
  [
    'of a fleet that routes nothing it is not known who uses a deployment',
    [site(1), model(1)],
    [site(1)],
    '| `ml/q` | 1 → 0 | 8 → 0 | no longer declared; 1 removed |',
  ],
  [
    'volume claims that are no longer needed on the same clusters are named together',
    [site(1), ...caches, ...users(true)],
    [site(1), ...caches, ...users(false)],
    'o longer needs the volume claims of the caches `ml/w` and `ml/x` on `us` (they are deleted with their files where manifests are pruned; Argo CD, Flux: `prune: true`)',
  ],
])('%s', (_, before, after, want) => {
  const [was, is] = [before, after].map((all) => [aClass('h100'), ...all]) as [Resource[], Resource[]];
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  expect(formatPullRequestComment(diff(was, is), state('here', is).decision.plan, context)).toContain(want);
});

const row = (remove: number, removedFrom: string[]): DeploymentRow =>
  ({ deployments: ['ml/q'], actions: { ...NO_ACTIONS, remove }, removedFrom }) as unknown as DeploymentRow;

test.each<[string, DeploymentRow, string]>([
  ['each cluster once', row(3, ['us', 'eu', 'us']), '3 removed from eu and us'],
  ['no cluster where that of another replica is not known', row(2, ['us']), '2 removed'],
  ['none of many', row(4, ['a', 'b', 'c', 'd']), '4 removed'],
])('a row of removed replicas names %s', (_, given, want) => {
  expect(describeActions(given)).toBe(want);
});
