import { digest, step } from '../../report/preview/build';
import { Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const stdin = digest([step('delete', 'aws:eks/nodeGroup:NodeGroup', 'us_l4')]);

test('pulumi-preview says on standard output what a preview deletes, and as a comment', () => {
  expect(work.run('pulumi-preview --stack prod', { stdin })).toEqual({
    code: 0,
    err: '',
    out: '1 resource deleted\n  aws:eks/nodeGroup:NodeGroup\n    - us_l4\n\nprod: 1 deleted, 0 unchanged\n',
  });
  const comment = work.run('pulumi-preview --stack prod --markdown', { stdin }).out;
  expect(comment).toContain('- :warning: deleted: aws:eks/nodeGroup:NodeGroup us\\_l4\n');
});

const unread = 'The output of the preview is not known. See the log.\n';

test.each([
  ['an empty text', '', '', { code: 1, out: unread }],
  ['a text that is no preview', 'garbage', '', { code: 1, out: unread }],
  ['an empty document', '{}', '', { code: 1, out: unread }],
  ['an empty text of a preview that failed', '', '--status 1', { code: 0, out: 'The preview of prod failed.\n\n' }],
  ['an empty text, for a comment', '', '--markdown', { code: 0, out: `### Preview of \`prod\`\n\n${unread}` }],
])('pulumi-preview does not say of %s that nothing changes', (_, stdin, flags, want) => {
  expect(work.run(`pulumi-preview --stack prod ${flags}`.trim(), { stdin })).toEqual({ err: '', ...want });
});

test.each([
  ['--status failed', "--status: 'failed' is not an exit code. Use the exit code of 'pulumi preview'.\n"],
  [
    '--page javascript:1',
    "--page: 'javascript:1' is not the address of a page. Use an address that starts with 'https://'.\n",
  ],
])('pulumi-preview refuses %s', (flags, err) => {
  expect(work.run(`pulumi-preview --stack prod ${flags}`, { stdin })).toEqual({ code: 1, out: '', err });
});
