import type { MoreNodes } from '../../../src/analyze/survive/more-nodes';
import type { Resource } from '../../../src/api/kinds';
import { diffStates } from '../../../src/diff/fleet-diff';
import { supposeLost } from '../../../src/diff/suppose-lost';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import type { OutOfDateLock } from '../../../src/report/pull-request/refusal-lines';
import { aClass, aCluster, aDeployment, aMember, byPath } from '../../api/build';
import { state } from '../../diff/build';

/** Replicas that each take one of two nodes. */
export const fleet = (replicas: number, allowPartial = false): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 2 } } }),
  aDeployment('ml/q', { replicas, allowPartial, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
];

/** A change of which replicas have no place, and its plan. */
export function compare(before: Resource[], after: Resource[]) {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  // The lock of the later state no longer has the replicas that go.
  const planned = decide(assemble(after), byPath, earlier.decision.lock);
  const { decision } = later;
  return { diff: diffStates(supposeLost(earlier, decision.model), later, planned), plan: decision.plan, decision };
}

/** The comment on such a change. */
export function comment(
  before: Resource[],
  after: Resource[],
  outOfDate?: OutOfDateLock,
  moreNodes?: MoreNodes,
): string {
  const { diff, plan } = compare(before, after);
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [], outOfDate, moreNodes };
  return formatPullRequestComment(diff, plan, context);
}
