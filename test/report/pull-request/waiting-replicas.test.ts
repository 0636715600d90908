import type { Resource } from '../../../src/api/kinds';
import { diffStates } from '../../../src/diff/fleet-diff';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { computeNextLock } from '../../../src/scheduler/lock/next-lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../../api/build';
import { state } from '../../diff/build';

const site = (name: string, nodeCount = 1): Resource => aCluster(name, { pools: { h100: { nodeCount } } });
const model = (id: string, more: Doc = {}): Resource =>
  aDeployment(id, { engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }], ...more });
const only = (replicas: number, name = 'only'): Resource =>
  model(`ml/${name}`, { replicas, clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'a' } } });

const rest = [aClass('h100'), site('a'), site('b'), model('ml/any')];

/** So many deployments that those to which the same happens share a row. */
const MANY = 13;
const full = [aClass('h100'), site('a', MANY), model('ml/any', { replicas: MANY })];
const several = Array.from({ length: MANY }, (_, i) => only(1, `only-${i}`));

/** The comment on a change that `lock --rebalance` locked. */
function comment(before: readonly Resource[], after: readonly Resource[]): string {
  const earlier = state('main', before);
  const { lock } = earlier.decision;
  const remarks = { notes: [], warnings: [] };
  const { model: compiled, schedule } = decide(assemble(after), byPath, lock, { ...remarks, rebalance: {} });
  const next = computeNextLock(compiled, schedule, lock);
  const decision = decide(assemble(after), byPath, next, remarks);
  const later = { ...earlier, name: 'here', resources: after, decision, cost: decision.plan.cost };
  const diff = diffStates(earlier, later, decide(assemble(after), byPath, lock, remarks));
  return formatPullRequestComment(diff, decision.plan, { name: 'fleet', verdicts: [], earlierWarnings: [] });
}

test.each<[string, Resource[], Resource[], string[]]>([
  [
    'of a deployment that had none',
    [...rest, only(0)],
    [...rest, only(1)],
    ['inds no place for the only replica of `ml/only` until draining replicas are finalized', '| 1 does not fit yet |'],
  ],
  [
    'of a new deployment',
    rest,
    [...rest, only(1)],
    ['inds no place for the new `ml/only` until draining replicas are finalized', '1 does not fit yet'],
  ],
  [
    'of many deployments',
    full,
    [...full, site('b', MANY), ...several],
    ['inds no place for ', ' until draining replicas are finalized', '13 do not fit yet |'],
  ],
])('replicas that a rebalance lets wait, %s, are not said to be accepted', (_, before, after, want) => {
  const text = comment(before, after);
  for (const one of want) expect(text).toContain(one);
  expect(text).toMatch(/\nTotal: .*, \d+ (?:does|do) not fit yet; \d+ old replicas? serves? until 'lock --finalize'/);
  expect(text).not.toMatch(/as accepted|change accepts/);
});
