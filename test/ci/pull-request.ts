import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Repository } from '../cli/repository';
import { COMMAND, withCommandLine } from './command-line';
import { type RanStep, runAction, runnerIn } from './composite';

/** The story of a pull request, as an example tells it. */
export const STORY = 'examples/pull-request';

/** Loads sources as they are. */
export const HOOK = resolve('scripts', 'typescript-hook.cjs');

/** As the command line of GitHub: it keeps what it is asked, and knows one comment where a file says so. */
const GH = `#!/usr/bin/env bash
echo "$*" >> "$GH_LOG"
for arg in "$@"; do case "$arg" in body=@*) cat "\${arg#body=@}" >> "$GH_BODY" ;; esac; done
case "$*" in *--paginate*) cat "$GH_ID" ;; esac
`;

/** As that of Pulumi: it keeps how it was called, prints two files and ends with a status. */
const PULUMI = `#!/usr/bin/env bash
echo "$*" >> "$PULUMI_LOG"
cat "$PREVIEW"
cat "$PREVIEW_ERRORS" >&2
exit "$(cat "$PREVIEW_STATUS")"
`;

/** A repository, a `gh` and a `pulumi` next to it that answer from files, and nothing committed. */
export function emptyRepository(): Repository {
  const work = new Repository();
  const answers = { id: '', preview: '{"steps":[],"changeSummary":{}}\n', 'preview-errors': '', 'preview-status': '0' };
  work.write({ ...answers, log: '', body: '', summary: '', 'bin/gh': GH, 'bin/pulumi': PULUMI });
  for (const name of ['gh', 'pulumi']) chmodSync(work.path(`bin/${name}`), 0o755);
  work.write({ '.gitignore': '*\n!fleet\n!fleet/**\n' });
  work.init();
  return work;
}

/** The repository of the example: `fleet` on the branch `main`, and what the pull request makes of it checked out. */
export function pullRequest(): Repository {
  const work = emptyRepository();
  const take = (state: string): void => {
    cpSync(join(STORY, state), work.path('fleet'), { recursive: true });
    work.commit();
  };
  take('base');
  work.git('checkout', '-qb', 'change');
  take('change');
  return work;
}

/** Changes the manifests that are checked out. */
export function rewrite(work: Repository, edit: (text: string) => string): void {
  writeFileSync(work.path('fleet/fleet.yaml'), edit(work.read('fleet/fleet.yaml')));
}

/** Runs an action of `examples/ci` against the branch `main`, with the command line from its sources. */
export function act(
  name: 'plan' | 'pulumi-preview',
  work: Repository,
  inputs: Readonly<Record<string, string>>,
  github: Readonly<Record<string, string>> = {},
  only?: string,
): Promise<RanStep[]> {
  const { env, github: known, ...runner } = runnerIn(work, 'pull_request');
  const pulumi = {
    PULUMI_LOG: work.path('pulumi-log'),
    PREVIEW: work.path('preview'),
    PREVIEW_ERRORS: work.path('preview-errors'),
    PREVIEW_STATUS: work.path('preview-status'),
  };
  return withCommandLine((port) =>
    runAction(`examples/ci/${name}/action.yml`, {
      ...runner,
      only,
      github: { ...known, ...github },
      inputs: { against: 'main', command: COMMAND, ...inputs },
      env: { ...env, ...pulumi, ...port },
    }),
  );
}
