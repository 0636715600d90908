import { errorAt } from '../../../src/base/diagnostic';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { formatRefusedComment } from '../../../src/report/pull-request/refused-comment';
import { linkPositions } from '../../../src/report/pull-request/position-links';
import { aClass, aCluster } from '../../api/build';
import { diff, state } from '../../diff/build';

/** An address of files below `fleet`. */
const linkOf = (where: string): string | undefined =>
  where.startsWith('fleet/') ? `https://git.example.com/${where.split(':')[0]}` : undefined;

test.each([
  [
    'at the start of a warning',
    '- :warning: fleet/a.yaml:4:2: no key',
    '- :warning: [fleet/a.yaml:4:2](https://git.example.com/fleet/a.yaml): no key',
  ],
  [
    'in escaped brackets',
    '**wrong.** \\(fleet/my\\_a.yaml:14:22\\)',
    '**wrong.** \\([fleet/my\\_a.yaml:14:22](https://git.example.com/fleet/my_a.yaml)\\)',
  ],
  ['not in code, which has links of its own', '([`fleet/a.yaml:4:2`](https://x))', '([`fleet/a.yaml:4:2`](https://x))'],
  ['not where no file is known', 'main:fleet/a.yaml:4:2 at 12:30:45', 'main:fleet/a.yaml:4:2 at 12:30:45'],
])('positions are links %s', (_, line, want) => {
  expect(linkPositions([line], linkOf)).toEqual([want]);
});

describe('a comment links the position of an error', () => {
  const problems = [errorAt('bad-value', 'fleet/a.yaml:4:2', 'too many', 'Write 2')];
  const link = '[fleet/a.yaml:4:2](https://git.example.com/fleet/a.yaml)';

  test('of a fleet that is refused as a whole', () => {
    const context = {
      name: 'fleet',
      against: 'main',
      exit: { code: 1, meaning: 'the input has errors' },
      declarations: [],
      linkOf,
    };
    expect(formatRefusedComment(problems, context)).toContain(`${link}: too many`);
  });

  test('of a resource that stays as it is', () => {
    const resources = [aClass('h100'), aCluster('us')];
    const context = { name: 'fleet', verdicts: [], earlierWarnings: [], problems, linkOf };
    const text = formatPullRequestComment(diff(resources, resources), state('here', resources).decision.plan, context);
    expect(text).toContain(`too many.** \\(${link}\\)`);
  });
});
