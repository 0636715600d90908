import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Workspace } from '../cli/cli';

/** A composite action, as far as it is run here. */
interface Action {
  readonly inputs: Readonly<Record<string, { default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

/** What a runner knows. */
export interface Runner {
  readonly cwd: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** `github.base_ref` and the like. */
  readonly github: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** The file of `GITHUB_OUTPUT`. */
  readonly outputs: string;
}

/**
 * What the runner of a pull request knows, or of another event, in a folder whose `bin` has a `gh` that notes what it
 * is asked.
 */
export function runnerIn(work: Workspace, event: string): Omit<Runner, 'inputs'> {
  return {
    cwd: work.root,
    github: {
      'github.event_name': event,
      'github.repository': 'team/fleet',
      'github.event.pull_request.number': '7',
    },
    env: {
      PATH: `${work.path('bin')}:${process.env['PATH']}`,
      RUNNER_TEMP: work.root,
      GITHUB_STEP_SUMMARY: work.path('summary'),
      GH_LOG: work.path('log'),
      GH_BODY: work.path('body'),
    },
    outputs: work.path('outputs'),
  };
}

/** A step that ran. */
export interface RanStep {
  readonly name: string;
  readonly status: number | null;
  readonly out: string;
}

/** Runs the steps of a composite action as a runner does: in order, up to the first that fails. */
export function runAction(path: string, runner: Runner): RanStep[] {
  const action = parse(readFileSync(path, 'utf8')) as Action;
  const ran: RanStep[] = [];
  const isPullRequest = runner.github['github.event_name'] === 'pull_request';
  for (const step of action.runs.steps) {
    if (step.if !== undefined && !isPullRequest) continue;
    const env = Object.entries(step.env).map(([key, value]) => [key, evaluated(value, action, runner)]);
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', step.run], {
      cwd: runner.cwd,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...runner.env,
        GITHUB_OUTPUT: runner.outputs,
        GITHUB_ACTION_PATH: resolve(dirname(path)),
        ...Object.fromEntries(env),
      },
    });
    ran.push({ name: step.name, status, out: stdout + stderr });
    if (status !== 0) break;
  }
  return ran;
}

/** The value of `${{ inputs.directory }}` and its like, also within a default. */
function evaluated(text: string, action: Action, runner: Runner): string {
  return text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    const [scope, key = ''] = [name.split('.')[0], name.split('.').at(-1)];
    if (scope === 'inputs')
      return runner.inputs[key] ?? evaluated(action.inputs[key]?.default ?? '', action, runner);
    if (scope === 'steps') return outputs(runner).get(key) ?? '';
    return runner.github[name] ?? '';
  });
}

function outputs({ outputs: path }: Runner): ReadonlyMap<string, string> {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
