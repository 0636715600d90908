import { warningAt } from '../../../src/base/diagnostic';
import { findFreshRemarks, splitWarnings } from '../../../src/report/plan/fresh-remarks';

const branch = (subject: string, at: string) => ({
  ...warningAt('unpinned-revision', at, 'revision main can change', 'Use a commit'),
  subject,
});
const before = [branch('ModelCache ml/a', 'fleet.yaml:9:3')];

test('a warning of another declaration is new, also where it has the same words', () => {
  const now = [branch('ModelCache ml/a', 'fleet.yaml:12:3'), branch('ModelCache ml/b', 'fleet.yaml:40:3')];
  const { fresh, known } = splitWarnings({ warnings: now }, { earlierWarnings: before });
  expect([fresh, known]).toEqual([[now[1]], [now[0]]]);
  expect(findFreshRemarks({ warnings: now, notes: [] }, { warnings: before, notes: [] }).warnings).toEqual([now[1]]);
});
