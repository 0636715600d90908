import { chmodSync } from 'node:fs';
import { Workspace } from '../cli/cli';
import { type RanStep, runAction, runnerIn } from './composite';

/** As the command line of Pulumi: it keeps how it was called, prints a file and ends with a status. */
const PULUMI = `#!/usr/bin/env bash
echo "$*" >> "$PULUMI_LOG"
cat "$PREVIEW"
exit "$PREVIEW_STATUS"
`;

/** As that of GitHub: it keeps what it is asked, and knows no comment. */
const GH = `#!/usr/bin/env bash
echo "$*" >> "$GH_LOG"
for arg in "$@"; do case "$arg" in body=@*) cp "\${arg#body=@}" "$GH_BODY" ;; esac; done
`;

const CHANGES = `Previewing update (team/fleet/prod)
    ~ aws:eks/nodeGroup:NodeGroup: (update)
      ~ maxSize: 4 => 5
Resources:
    ~ 1 to update, 40 unchanged
`;

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ outputs: '', summary: '', 'bin/gh': GH, 'bin/pulumi': PULUMI });
  for (const name of ['gh', 'pulumi']) chmodSync(work.path(`bin/${name}`), 0o755);
});
afterEach(() => work.remove());

function preview(text: string, status = 0, event = 'pull_request'): RanStep[] {
  work.write({ preview: text });
  const runner = runnerIn(work, event);
  return runAction('examples/ci/pulumi-preview/action.yml', {
    ...runner,
    inputs: { stack: 'team/fleet/prod', directory: 'infra' },
    env: {
      ...runner.env,
      PULUMI_LOG: work.path('pulumi-log'),
      PREVIEW: work.path('preview'),
      PREVIEW_STATUS: String(status),
    },
  });
}

const steps = (ran: RanStep[]): string[] => ran.map(({ name, status }) => `${name} ${status}`);

test('a pull request gets the preview as a comment: what it comes to, and the rest folded', () => {
  expect(steps(preview(CHANGES))).toEqual(['Preview 0', 'Comment 0', 'Result 0']);
  expect(work.read('pulumi-log')).toBe(
    'preview --cwd infra --stack team/fleet/prod --non-interactive --color never --diff\n',
  );
  const body = work.read('body');
  expect(body.split('\n').slice(0, 6)).toEqual([
    '<!-- pulumi: team/fleet/prod -->',
    '### Preview of team/fleet/prod',
    '',
    '    ~ 1 to update, 40 unchanged',
    '<details>',
    '<summary>Resources</summary>',
  ]);
  expect(body).toContain('\n          ~ maxSize: 4 => 5\n');
  expect(work.read('summary')).toBe(body);
  expect(work.read('log').split('\n')[1]).toMatch(/--method POST repos\/team\/fleet\/issues\/7\/comments /);
});

test('a preview that fails is shown all the same, and fails', () => {
  expect(steps(preview('error: the lock does not say what would be decided now\n', 255))).toEqual([
    'Preview 0',
    'Comment 0',
    'Result 255',
  ]);
  expect(work.read('body')).toContain('the lock does not say what would be decided now');
});

test('however long it is, it fits into a comment', () => {
  expect(steps(preview('~\n'.repeat(100_000)))).toEqual(['Preview 0', 'Comment 0', 'Result 0']);
  expect(work.read('body').length).toBeLessThan(65_536);
  expect(work.read('body')).toMatch(/<\/details>\n$/);
});

test('elsewhere than in a pull request there is nothing to comment', () => {
  expect(steps(preview(CHANGES, 0, 'push'))).toEqual(['Preview 0', 'Result 0']);
});
