import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, MACHINES } from '../../api/build';
import { diff, state } from '../../diff/build';

const H100 = aClass('h100', { provisioning: MACHINES.GKE });
const gke = (name: string, nodeCount: number): Resource =>
  aCluster(name, {
    cluster: { source: 'GKE', gke: { region: 'us-central1' } },
    pools: { h100: { nodeCount, zones: ['us-central1-a'] } },
  });

test.each([
  [
    'is a lower bound, because not all of it is counted',
    [gke('us', 1), gke('us-2', 1)],
    '**at least +$64,598 a month**',
  ],
  ['is exact where only nodes come', [gke('us', 2)], '**+$64,598 a month**'],
])('what a cluster costs more %s', (_, clusters, want) => {
  const [before, after] = [
    [H100, gke('us', 1)],
    [H100, ...clusters],
  ];
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  expect(formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context)).toContain(want);
});
