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

test.each([
  ['--status failed', "--status: 'failed' is not an exit code. Use the exit code of 'pulumi preview'.\n"],
  [
    '--page javascript:1',
    "--page: 'javascript:1' is not the address of a page. Use an address that starts with 'https://'.\n",
  ],
])('pulumi-preview refuses %s', (flags, err) => {
  expect(work.run(`pulumi-preview --stack prod ${flags}`, { stdin })).toEqual({ code: 1, out: '', err });
});
