import type { PolicyRule } from '../../src/api/policy-file';
import { diff, state } from './build';
import { diffPolicies, listPolicyEdits } from '../../src/diff/policy-changes';
import { formatPullRequestComment } from '../../src/report/pull-request/comment';
import { numberEdits } from '../../src/report/pull-request/edit-list';
import type { Policy } from '../../src/fleet/policy';
import { describePolicyChanges } from '../../src/report/plan/policy-text';

const rule = (name: string, most = 3): Policy => ({
  rule: { name, effect: 'Deny', deviceQuota: { deviceClass: 'gpu.nvidia.com', most } } as PolicyRule,
  where: `policy.yaml:${name.length}:5`,
  place: (path) => `policy.yaml:${name.length}:5 ${path.at(-1)}`,
});

test.each<[string, Policy[], Policy[], string[]]>([
  ['that are new come into force', [], [rule('a'), rule('b')], ['puts the policy rules a, b in force']],
  ['that are gone are dropped', [rule('a'), rule('b')], [rule('b')], ['drops the policy rule a']],
  ['with another limit are changed', [rule('a')], [rule('a', 4)], ['changes the policy rule a']],
  ['at another position are the same', [rule('a')], [{ ...rule('a'), where: 'policy.yaml:9:5' }], []],
])('policy rules %s', (_, before, after, want) => {
  expect(describePolicyChanges(diffPolicies(before, after))).toEqual(want);
});

test('a rule that changes or goes is an edit, with its old and new values', () => {
  const changes = diffPolicies([rule('a'), rule('b')], [rule('a', 4)]);
  expect(numberEdits(listPolicyEdits(changes, []), () => undefined).lines).toEqual([
    '1. `policy a` `deviceQuota.most: 3 -> 4` (`policy.yaml:1:5 most`)',
    '2. `policy b` removed (`policy.yaml:1:5`)',
  ]);
});

test('rules of a new fleet are no edits, because the fleet names their files', () => {
  const fleet = { id: 'Fleet fleet', action: 'added', where: 'fleet.yaml:1:1', fields: [] } as const;
  expect(listPolicyEdits(diffPolicies([], [rule('a')]), [fleet])).toEqual([]);
});

test('a comment on a change of policies alone says so', () => {
  const policies = diffPolicies([rule('a')], [rule('a'), rule('b')]);
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const text = formatPullRequestComment({ ...diff([], []), policies }, state('here', []).decision.plan, context);
  expect(text).toContain('\nChanges nothing that runs. Puts the policy rule `b` in force. Cost unchanged.\n');
});
