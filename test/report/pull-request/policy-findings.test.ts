import { errorAt, warningAt } from '../../../src/base/diagnostic';
import { formatPolicyVerdict } from '../../../src/report/plan/policy-text';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster } from '../../api/build';
import { diff, state } from '../../diff/build';

test('findings of policies share a line with those of the same rule, so that no other rule is cut', () => {
  const resources = [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 1 } } })];
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const { plan } = state('here', resources).decision;
  const policies = Array.from({ length: 30 }, (_, i) => {
    return { rule: i === 29 ? 'rare' : 'digests', ...errorAt('denied', `a.yaml:${i}:1`, 'an image', 'Pin it') };
  });
  const text = formatPullRequestComment(diff(resources, resources), { ...plan, policies }, context);
  expect(text).toContain(
    'denied by digests: a.yaml:0:1: an image. 28 more of this rule.**\n  Pin it.\n- :x: **denied by rare: a.yaml:29:1:',
  );
});

test('a lock that is out of date cannot be written while a policy denies the plan', () => {
  const resources = [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 1 } } })];
  const outOfDate = {
    path: 'a.lock.yaml',
    command: 'fleetwright lock a',
    missing: false,
    short: false,
    removes: false,
  };
  const context = { name: 'fleet', outOfDate, refused: [], verdicts: [], earlierWarnings: [] };
  const { plan } = state('here', resources).decision;
  const denied = [{ rule: 'budget', ...errorAt('denied', 'a.yaml:1:1', 'it costs more', 'Remove it') }];
  const format = (policies: typeof denied): string =>
    formatPullRequestComment(diff(resources, resources), { ...plan, policies }, context);
  expect(format(denied)).toContain(
    'is out of date, so `fleetwright lock a --check` fails. The lock cannot be written until the policies are met.',
  );
  expect(format([])).toContain(
    'is out of date, so `fleetwright lock a --check` fails. Run `fleetwright lock a`, and commit the lock.',
  );
});

const denied = (rule: string) => ({ rule, ...errorAt('denied', 'a.yaml:1:1', 'it costs more', 'Change the fleet') });

test.each([
  ['is undone where it denied nothing as it was', [], '  Undo edit 1.\n  Otherwise: change the fleet.\n'],
  ['is not undone where it denied as much as it was', ['budget'], '**\n  Change the fleet.\n'],
  ['is undone whatever another rule says', ['quota'], '  Undo edit 1.\n'],
])('an edit of the rule that denies %s', (_, before, want) => {
  const resources = [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 1 } } })];
  const { plan } = state('here', resources).decision;
  const field = { field: 'budget.perMonth', path: ['budget', 'perMonth'], before: 9, after: 8, where: 'a.yaml:2:1' };
  const policies = [{ rule: 'budget', action: 'changed' as const, where: 'a.yaml:1:1', fields: [field] }];
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [], policiesUndone: before.map(denied) };
  const change = { ...diff(resources, resources), policies };
  expect(formatPullRequestComment(change, { ...plan, policies: [denied('budget')] }, context)).toContain(want);
});

const warned = (message: string, line: number) => [
  { rule: 'budget', ...warningAt('warned', `a.yaml:${line}:1`, message, `See line ${line}`) },
];

test('what a policy warns of before the change too is folded, unless it says more now', () => {
  const resources = [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 1 } } })];
  const { plan } = state('here', resources).decision;
  const headOf = (before: string): string => {
    const context = { name: 'fleet', verdicts: [], earlierWarnings: [], earlierPolicies: warned(before, 1) };
    const text = formatPullRequestComment(
      diff(resources, resources),
      { ...plan, policies: warned('it costs $2', 3) },
      context,
    );
    expect(text).toContain('warned by budget: a.yaml:3:1: it costs $2.');
    return text.split('<details>')[0] ?? '';
  };
  expect(headOf('it costs $2')).not.toContain('warned by budget');
  expect(headOf('it costs $1')).toContain('warned by budget');
});

test('what a policy cannot be sure of stands with its verdict, and is no warning', () => {
  const resources = [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 1 } } })];
  const { plan, fleet } = state('here', resources).decision;
  const policies = warned('it is not certain', 3).map((one) => ({ ...one, unsure: '1 price unknown, about $9' }));
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  expect(formatPullRequestComment(diff(resources, resources), { ...plan, policies }, context)).not.toContain(
    ':warning:',
  );
  const rule = {
    rule: { name: 'budget', budget: { perMonth: 99 }, effect: 'Deny' as const },
    where: '',
    place: () => '',
  };
  expect(formatPolicyVerdict({ ...fleet, policies: [rule] }, policies)).toEqual([
    'Policies: 0 of 1 met; budget is undecided, which does not refuse: 1 price unknown, about $9.',
  ]);
});
