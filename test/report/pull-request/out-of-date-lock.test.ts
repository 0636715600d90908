import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aCluster, byPath } from '../../api/build';
import { compare, fleet } from './unplaced-comment';

const [H100, , Q] = fleet(2);
const TAINTED = aCluster('us', {
  pools: { h100: { nodeCount: 2 } },
  taints: [{ key: 'retired', effect: 'NoExecute' }],
});

const LOCK = {
  path: 'fleet.lock.yaml',
  command: 'fleetwright lock fleet',
  missing: false,
  removes: false,
  short: true,
};

test.each([
  [{}, false],
  [{ removal: { what: 'most replicas are removed', hint: 'Keep them' } }, true],
])('to keep old replicas solves no other problem: %j', (more, isSaid) => {
  const { diff, plan, decision } = compare(fleet(2), [H100!, TAINTED, Q!]);
  const located = { fleet: decision.fleet, locate: byPath };
  const gate = { applied: 'perCluster' as const, findings: [], worse: [], acceptsRemovals: false, located, ...more };
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [], outOfDate: LOCK };
  const text = formatPullRequestComment(diff, plan, { ...context, gate });
  expect(text).toContain('run `fleetwright lock fleet --accept-unplaced`, and commit the lock.');
  expect(text.includes('and commit the lock. That leaves the other problems.')).toBe(isSaid);
});

const cluster = (name: string, taints: object[] = []) => aCluster(name, { pools: { h100: { nodeCount: 2 } }, taints });

test('a refused change says what finalizes the old replicas of its table', () => {
  const before = [H100!, cluster('us'), cluster('eu'), Q!];
  const { diff, plan, decision } = compare(before, [
    H100!,
    cluster('us', [{ key: 'x', effect: 'NoExecute' }]),
    cluster('eu'),
    Q!,
  ]);
  const located = { fleet: decision.fleet, locate: byPath };
  const removal = { what: 'most replicas are removed', hint: 'Keep them' };
  const gate = { applied: 'perCluster' as const, findings: [], worse: [], acceptsRemovals: false, located, removal };
  const text = formatPullRequestComment(diff, plan, { name: 'fleet', verdicts: [], earlierWarnings: [], gate });
  expect(text).toContain(
    'Finalized: when their replacements serve, `fleetwright lock --finalize` stops the old replicas, in a later change.',
  );
});
