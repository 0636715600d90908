import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aCache, aClass, aCluster, aDeployment, aMember, type Doc, MACHINES } from '../../api/build';
import { change, state } from '../../diff/build';

const H100 = aClass('h100', { provisioning: MACHINES.GKE });
const WEIGHTS = aCache('ml/w', { sizeGiB: 20 });
const engines = [{ name: 'main', members: [aMember({ gpus: 4 })] }];
const MODEL = aDeployment('ml/q', { engines, cache: 'w' });

/** A cluster with one node, and Filestore for caches. */
function site(name: string, more: Doc = {}): Resource {
  return aCluster(name, {
    cluster: { source: 'GKE', gke: { region: 'us-central1' } },
    pools: { h100: { nodeCount: 1, zones: ['us-central1-a'] } },
    storage: { sharedFilesystem: {} },
    ...more,
  });
}

describe('a cluster is drained', () => {
  const before = state('main', [H100, site('eu'), WEIGHTS, MODEL]);
  const drained = site('eu', { taints: [{ key: 'drain', effect: 'NoExecute' }] });
  const { diff, later } = change(before, [H100, drained, site('us'), WEIGHTS, MODEL]);
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const text = formatPullRequestComment(diff, later.decision.plan, context);

  test('once nothing runs on it, it costs its nodes, without the volumes that go with its replicas', () => {
    expect(text).toContain('Nothing runs on `eu` then, but it costs $64,598 a month until it is removed.');
  });

  test('what idle nodes and volumes cost then is next to what they cost until then', () => {
    expect(text).toContain(
      '| idle capacity |  | 4 → 8 until finalized, then 12 |  |  | $32,299 | $64,598 until finalized, then $96,897 | +$32,299 until finalized, then +$64,598 |',
    );
    expect(text).toContain('| $461 | $922 until finalized, then $461 | +$461 until finalized, then $0 |');
  });
});
