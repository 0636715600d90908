import type { Resource } from '../../../src/api/kinds';
import { warningAt } from '../../../src/base/diagnostic';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const engine = (gpus: number) => ({ engines: [{ name: 'main', members: [aMember({ gpus })] }] });
const base = [aClass('h100'), aSite('us', { pools: { h100: { nodeCount: 4 } } }), aDoor(['us'])];
const stable = aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' } });
const next = aModel('ml/next', { replicaLabels: { track: 'next' } });
const split = (...weights: [number, number]) =>
  aSplit('ml/chat', [to({ track: 'stable' }, { weight: weights[0] }), to({ track: 'next' }, { weight: weights[1] })]);
const on = (name: string, nodeCount: number) => aCluster(name, { pools: { h100: { nodeCount } } });
const model = (replicas: number) => aModel('ml/q', { replicas, ...engine(8) });

function comment(before: Resource[], after: Resource[]): string {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
}

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string }> = {
  'says who gets all requests of a service': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base, stable, next, aSplit('ml/chat', [to({ track: 'next' })])],
    want: 'ends all requests for the service `ml/chat` to `ml/next` (5 % before)',
  },
  'says who gets more requests of a service': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base, stable, next, split(3, 1)],
    want: 'ends 25 % instead of 5 % of the requests for the service `ml/chat` to `ml/next`',
  },
  'says that a replica has no place any more where its pool shrinks': {
    before: [aClass('h100'), on('us', 2), model(2)],
    after: [aClass('h100'), on('us', 1), model(2)],
    want: 'victs 1 replica of `ml/q`',
  },
  'says that a cluster loses its last replica': {
    before: [aClass('h100'), on('eu', 1), on('us', 1), model(2)],
    after: [aClass('h100'), on('eu', 1), on('us', 1), model(1)],
    want: 'removes the last replica from `',
  },
  'says that clients of the former host get no answer': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base.slice(0, 2), aDoor(['us'], { hostname: 'other.example.com' }), stable, next, split(19, 1)],
    want: 'to `other.example.com`: clients of `',
  },
  'says that the cost stays': {
    before: [...base, stable, next, split(19, 1)],
    after: [...base, stable, next, split(3, 1)],
    want: '; cost unchanged.',
  },
};

describe('a comment', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(comment(before, after)).toContain(want);
  });

  test('does not repeat as a warning what the gate refuses', () => {
    const { plan } = state('here', base).decision;
    const warnings = [warningAt('unserved-entry', 'a.yaml:1:1', 'the entry selects nothing')];
    const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
    const text = (refusedAt: string[]) =>
      formatPullRequestComment(diff(base, base), { ...plan, warnings }, { ...context, refusedAt });
    expect(text([])).toContain('the entry selects nothing');
    expect(text(['a.yaml:1:1'])).not.toContain('the entry selects nothing');
  });
});
