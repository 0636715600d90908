import { formatPreviewComment } from '../../../src/report/preview/preview-comment';
import { formatPreview, type PreviewRun } from '../../../src/report/preview/preview-text';
import { readStackPreview } from '../../../src/report/preview/read-preview';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { digest, events, step, urnOf } from './build';

const POOL = 'aws:eks/nodeGroup:NodeGroup';
const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';
const RUN: PreviewRun = { stack: 'team/fleet/prod', succeeded: true, stderr: '' };
const FAILED: PreviewRun = { ...RUN, succeeded: false };

function comment(text: string, run: PreviewRun = RUN, links = {}): string {
  return formatPreviewComment(readStackPreview(text), run, links);
}

test('a comment has what changes by kind, what is lost first, and the rest folded', () => {
  const text = comment(
    digest([
      step('same', 'pulumi:pulumi:Stack', 'fleet-prod'),
      step('create', DEPLOYMENT, 'us/Deployment.ml.new'),
      step('update', DEPLOYMENT, 'us/Deployment.ml.chat', { diffReasons: ['spec'] }),
      step('delete', DEPLOYMENT, 'us/Deployment.ml.old', { oldState: { retainOnDelete: true } }),
      step('replace', POOL, 'us_h100', { replaceReasons: ['zones'] }),
    ]),
    RUN,
    { log: 'https://github.com/team/fleet/actions/runs/9' },
  );
  expect(text).toBe(`### Preview of \`team/fleet/prod\`

**1 replaced, 1 deleted, 1 updated, 1 created, 1 unchanged**

| kind | replaced | deleted | updated | created | imported |
| --- | ---: | ---: | ---: | ---: | ---: |
| aws:eks/nodeGroup:NodeGroup | 1 |  |  |  |  |
| kubernetes:apps/v1:Deployment |  | 1 | 1 | 1 |  |

- :warning: replaced: aws:eks/nodeGroup:NodeGroup us\\_h100: zones
- :warning: deleted: kubernetes:apps/v1:Deployment us/Deployment.ml.old \\(the old one is kept\\)

See [the log of the run](<https://github.com/team/fleet/actions/runs/9>).

${[
  ['Replaced', 'aws:eks/nodeGroup:NodeGroup\n  ± us_h100: zones'],
  ['Deleted', 'kubernetes:apps/v1:Deployment\n  - us/Deployment.ml.old (the old one is kept)'],
  ['Updated', 'kubernetes:apps/v1:Deployment\n  ~ us/Deployment.ml.chat: spec'],
  ['Created', 'kubernetes:apps/v1:Deployment\n  + us/Deployment.ml.new'],
]
  .map(([title, lines]) => `<details>\n<summary>${title}: 1</summary>\n\n\`\`\`text\n${lines}\n\`\`\`\n\n</details>\n`)
  .join('\n')}`);
});

const error = { severity: 'error', message: 'fleet.yaml:3:9: no such class.\nfleet.yaml:9:1: no pools.' };
const denied = {
  policyEvent: {
    resourceUrn: urnOf(POOL, 'us_h100'),
    policyName: 'small',
    enforcementLevel: 'mandatory',
    message: 'too large',
  },
};

interface HeadRow {
  readonly text: string;
  readonly run?: PreviewRun;
  readonly want: string;
}

const HEADS: Record<string, HeadRow> = {
  'a preview that fails says so first, with a line for each error': {
    text: digest([step('create', POOL, 'a')], [error]),
    run: FAILED,
    want: '**The preview failed.** The list below may be incomplete.\n\n- :x: fleet.yaml:3:9: no such class.\n- :x: fleet.yaml:9:1: no pools.\n\n**1 created, 0 unchanged**\n',
  },
  'a preview that prints no result says what its command printed': {
    text: '',
    run: { ...FAILED, stderr: 'error: no stack named prod\n\n' },
    want: '**The preview failed.** It shows no changes.\n\n- :x: error: no stack named prod\n',
  },
  'violations of policies come before the changes': {
    text: events(denied, { resourcePreEvent: { metadata: step('create', POOL, 'a') } }),
    run: FAILED,
    want: '- :x: small of us\\_h100: too large\n\n**1 created, 0 unchanged**\n',
  },
  'warnings are listed': {
    text: digest([], [{ severity: 'warning', message: 'a cluster gives no answer' }]),
    want: '- :warning: a cluster gives no answer\n',
  },
  'a preview without changes says so': {
    text: digest([step('same', POOL, 'a')]),
    want: '**nothing changes, 1 unchanged**\n',
  },
  'a result that is not known is not taken for no change': {
    text: 'hello',
    want: 'The output of the preview is not known. See the log.\n',
  },
  'texts of others have no effect: no mention, link, image, tag or table': {
    text: digest([], [{ severity: 'warning', message: '@all ![x](http://evil) <img> | a \u202e' }]),
    want: '- :warning: \\@\u200Dall !\\[x\\]\\(http:\u200D//evil\\) &lt;img\\> \\| a \\\\u202e\n',
  },
};

test.each(Object.entries(HEADS))('%s', (_, { text, run, want }) => {
  expect(comment(text, run)).toContain(want);
  expect(comment(text, run).startsWith('### Preview of `team/fleet/prod`\n\n')).toBe(true);
});

test.each([
  ['of many resources', 20_000, 'a'],
  ['of long names', 400, 'n'.repeat(5_000)],
])('a preview %s fits into a comment, and what is left out is counted', (_, count, name) => {
  const steps = Array.from({ length: count }, (_, i) => step(i % 2 ? 'delete' : 'create', POOL, `${name}${i}`));
  const text = comment(digest(steps));
  expect(text.length).toBeLessThan(65_536);
  expect(/\n\.\.\. and [\d,]+ more lines?: see the log of the run\n/.test(text)).toBe(true);
  expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
});

test('the log has every resource', () => {
  const steps = Array.from({ length: 300 }, (_, i) => step('delete', POOL, `pool-${i}.`));
  const text = writeTerminal(formatPreview(readStackPreview(digest(steps, [error])), FAILED));
  expect(steps.filter((_, i) => !text.includes(` pool-${i}.`))).toEqual([]);
  expect(text.split('\n').slice(0, 4)).toEqual([
    'The preview of team/fleet/prod failed.',
    'fleet.yaml:3:9: no such class.',
    'fleet.yaml:9:1: no pools.',
    '',
  ]);
  expect(text.split('\n').at(-1)).toBe('team/fleet/prod: 300 deleted, 0 unchanged');
});
