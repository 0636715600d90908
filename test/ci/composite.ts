import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { Workspace } from '../cli/cli';

/** A composite action, as far as it is run here. */
export interface Action {
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

  /** The only step that runs. Default: all. */
  readonly only?: string | undefined;
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
      'github.server_url': 'https://github.com',
      'github.run_id': '9',
      'github.event.pull_request.number': '7',
      'github.event.pull_request.head.repo.full_name': 'team/fleet',
    },
    env: {
      PATH: `${work.path('bin')}:${process.env['PATH']}`,
      RUNNER_TEMP: work.root,
      GITHUB_STEP_SUMMARY: work.path('summary'),
      // The CI that runs the tests may set these, and comments would link to its repository.
      GITHUB_REPOSITORY: '',
      CI_PROJECT_URL: '',
      GH_LOG: work.path('log'),
      GH_ID: work.path('id'),
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

/** Steps with how they ended. */
export const steps = (ran: readonly RanStep[]): string[] => ran.map(({ name, status }) => `${name} ${status}`);

export function readAction(path: string): Action {
  return parse(readFileSync(path, 'utf8')) as Action;
}

/** Runs the steps of a composite action as a runner does: in order, up to the first that fails. */
export async function runAction(path: string, runner: Runner): Promise<RanStep[]> {
  const action = readAction(path);
  const values = new Map([
    ...Object.entries(runner.github),
    ...Object.entries(action.inputs).map(([key, { default: text = '' }]): [string, string] => [
      `inputs.${key}`,
      runner.inputs[key] ?? text,
    ]),
  ]);
  const ran: RanStep[] = [];
  for (const step of action.runs.steps) {
    if (!holds(step.if, values) || (runner.only ?? step.name) !== step.name) continue;
    writeFileSync(runner.outputs, '');
    const env = Object.entries(step.env).map(([key, value]) => [key, evaluated(value, values)]);
    const { status, out } = await shell(step.run, {
      cwd: runner.cwd,
      env: {
        ...process.env,
        ...runner.env,
        GITHUB_OUTPUT: runner.outputs,
        GITHUB_ACTION_PATH: resolve(dirname(path)),
        ...Object.fromEntries(env),
      },
    });
    ran.push({ name: step.name, status, out });
    if (status !== 0) break;
    for (const [key, value] of written(runner.outputs)) values.set(`steps.${step.id}.outputs.${key}`, value);
  }
  return ran;
}

/** Runs a script as a runner does. */
async function shell(script: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Omit<RanStep, 'name'>> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, out: out + err };
}

type Values = ReadonlyMap<string, string>;

/** Whether every comparison of a condition holds: `inputs.fleet != '' && github.event_name == 'push'`. */
function holds(condition: string | undefined, values: Values): boolean {
  return (condition?.split(' && ') ?? []).every((comparison) => {
    const [, left = '', operator, right = ''] = /^([\w.]+) (==|!=) ([\w.]+|'.*')$/.exec(comparison) ?? [];
    if (left === '') throw new Error(`the condition '${comparison}' cannot be judged here`);
    const wanted = right.startsWith("'") ? right.slice(1, -1) : values.get(right);
    return (values.get(left) === wanted) === (operator === '==');
  });
}

/** The value of `${{ inputs.directory }}` and its like, also within a default. */
function evaluated(text: string, values: Values): string {
  return text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => evaluated(values.get(name) ?? '', values));
}

function written(path: string): [string, string][] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}
