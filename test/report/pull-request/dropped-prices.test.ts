import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';

const PRICED = aClass('h100', { price: { perHour: 10 } });
const UNPRICED = aClass('other');
const pools = (...classes: string[]): Resource =>
  aCluster('us', {
    pools: Object.fromEntries(classes.map((className, at) => [`p${at}`, { className, nodeCount: 1 }])),
  });
const Q = aDeployment('ml/q', { replicas: 2, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });

function comment(before: Resource[], after: Resource[]): string {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
}

const [two, mixed] = [pools('h100', 'h100'), pools('h100', 'other')];

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string }> = {
  'a fleet of which a pool has no price any more looks like no saving': {
    before: [two],
    after: [mixed],
    want: '| **$14,600** | **unknown: ≥ $7,300 plus us/p1** | **unknown** |',
  },
  'a fleet of which a pool has a price now looks like no rise': {
    before: [mixed],
    after: [two],
    want: '| **unknown: ≥ $7,300 plus us/p1** | **$14,600** | **unknown** |',
  },
  'a deployment of which a replica has no price any more looks like no saving': {
    before: [two],
    after: [pools('h100'), aCluster('dc', { pools: { p0: { className: 'other', nodeCount: 1 } } })],
    want: '| $14,600 | unknown: ≥ $7,300 | unknown |',
  },
};

describe('the table of a comment', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    const classes = [PRICED, UNPRICED];
    expect(comment([...classes, ...before, Q], [...classes, ...after, Q])).toContain(want);
  });
});
