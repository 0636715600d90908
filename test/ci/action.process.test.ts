import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Repository } from '../cli/repository';
import { type RanStep, readAction, steps } from './composite';
import { act as actIn, pullRequest, rewrite, STORY } from './pull-request';

// Each step starts the command line.
jest.setTimeout(60_000);

let work: Repository;
beforeEach(() => {
  work = pullRequest();
});
afterEach(() => work.remove());

function act(inputs: Record<string, string> = {}, github: Record<string, string> = {}): Promise<RanStep[]> {
  return actIn('plan', work, { directory: 'fleet', ...inputs }, github);
}

test('a pull request gets the comment of the example, and passes', async () => {
  expect(steps(await act())).toEqual(['Plan 0', 'Comment 0', 'Validate 0', 'Lock 0', 'Gate 0']);
  const comment = `<!-- fleetwright: fleet -->\n${readFileSync(join(STORY, 'comment.md'), 'utf8')}`;
  expect(work.read('body')).toBe(comment);
  expect(work.read('summary')).toBe(comment);
  expect(work.read('log').split('\n')[1]).toMatch(/--method POST repos\/team\/fleet\/issues\/7\/comments /);
});

test('its comment is kept current', async () => {
  work.write({ id: '42\n' });
  await act();
  expect(work.read('log').split('\n')[1]).toMatch(/--method PATCH repos\/team\/fleet\/issues\/comments\/42 /);
});

test('a comment of another owner with the same first line is not taken for its own', async () => {
  await act({ author: 'fleet-bot[bot]' });
  expect(work.read('log').split('\n')[0]).toContain(
    'select(.user.login == $ENV.AUTHOR and (.body | split("\\n")[0] | rtrimstr("\\r")) == $ENV.MARKER)',
  );
  const step = readAction('examples/ci/plan/action.yml').runs.steps.find(({ name }) => name === 'Comment');
  expect(step?.env['AUTHOR']).toBe('${{ inputs.author }}');
  expect(readAction('examples/ci/plan/action.yml').inputs['author']?.default).toBe('github-actions[bot]');
});

test('what would leave no one serving is shown, and refused', async () => {
  rewrite(work, (text) =>
    text.replace('replicas: 3', 'replicas: 1').replace('vllm-openai:v0.23.0', 'vllm-openai:v0.24.0'),
  );
  work.run('lock ./fleet');
  work.commit();
  const ran = await act();
  expect(steps(ran)).toEqual(['Plan 0', 'Comment 0', 'Validate 0', 'Lock 0', 'Gate 4']);
  expect(work.read('body')).toContain('ml/chat has no serving replica');
});

test('a lock that is out of date is refused', async () => {
  rewrite(work, (text) => text.replace('replicas: 3', 'replicas: 2'));
  work.commit();
  expect(steps(await act())).toEqual(['Plan 0', 'Comment 0', 'Validate 0', 'Lock 5']);
  expect(work.read('body').split('\n').slice(1, 6)).toEqual([
    '### Fleet `fleet` against `main`: the gate passes, except with Flux or kubectl, but the lock is out of date',
    '',
    expect.stringMatching(/ rolls `ml\/chat` to /),
    '',
    '- :x: `fleet/fleet.lock.yaml` is out of date, so `fleetwright lock fleet --check` fails. Run `fleetwright lock fleet`, and commit the lock.',
  ]);
});

test('a lock elsewhere is planned from and checked, and is reported where it is out of date', async () => {
  const lock = 'fleet/lock of prod.yaml';
  for (const branch of ['main', 'change']) {
    work.git('checkout', '-q', branch);
    work.git('mv', 'fleet/fleet.lock.yaml', lock);
    work.commit();
  }
  expect(steps(await act({ lock }))).toEqual(['Plan 0', 'Comment 0', 'Validate 0', 'Lock 0', 'Gate 0']);
  expect(work.read('body')).not.toContain(':x:');
  rewrite(work, (text) => text.replace('replicas: 3', 'replicas: 2'));
  work.commit();
  expect(steps(await act({ lock }))).toEqual(['Plan 0', 'Comment 0', 'Validate 0', 'Lock 5']);
  expect(work.read('body')).toContain('- :x: `fleet/lock of prod.yaml` is out of date, so `fleetwright lock fleet ');
});

test('what a step before it wrote into the fleet is refused', async () => {
  rewrite(work, (text) => `${text}# generated\n`);
  const ran = await act();
  expect(steps(ran)).toEqual(['Plan 0', 'Comment 0', 'Validate 0', 'Lock 0', 'Gate 1']);
  expect(work.read('body')).toContain(':x: --against main: fleet/fleet.yaml differs from HEAD.');
});

test('what is wrong is reported next to its line', async () => {
  rewrite(work, (text) => text.replace('replicas: 3', 'replicas: three'));
  const ran = await act();
  expect(steps(ran)).toEqual(['Plan 0', 'Comment 0', 'Validate 1']);
  expect(ran[2]?.out).toContain('::error file=fleet/fleet.yaml,line=35,col=13,title=fleetwright%3A ');
});

test.each(['replicas: three', 'replicas: [', 'replicas: *gone'])(
  '%s replaces the earlier comment by what is wrong',
  async (edit) => {
    work.write({ id: '42\n' });
    rewrite(work, (text) => text.replace('replicas: 3', edit));
    work.commit();
    expect(steps(await act())).toEqual(['Plan 0', 'Comment 0', 'Validate 1']);
    expect(work.read('log')).toContain('--method PATCH repos/team/fleet/issues/comments/42 ');
    expect(work.read('body').split('\n')[0]).toBe('<!-- fleetwright: fleet -->');
    expect(work.read('body')).toMatch(/fleet\.yaml:35:/);
    expect(work.read('body')).not.toContain('::error');
    expect(work.read('summary')).toBe(work.read('body'));
  },
);

test.each([
  ['elsewhere than in a pull request there is nothing to comment', { 'github.event_name': 'push' }],
  [
    'what a fork asks for is not commented, as its token may not',
    { 'github.event.pull_request.head.repo.full_name': 'other/fleet' },
  ],
])('%s', async (_, github) => {
  expect(steps(await act({ command: 'true' }, github))).toEqual(['Plan 0', 'Validate 0', 'Lock 0', 'Gate 0']);
});

const WORKFLOWS = ['fleet', 'pulumi'];

interface Workflow {
  readonly on: unknown;
  readonly env?: unknown;
  readonly jobs: Readonly<Record<string, { readonly env?: unknown; readonly steps: readonly WorkflowStep[] }>>;
}

interface WorkflowStep {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

test.each(WORKFLOWS)('the workflow %s pins actions, keeps no token, and gives secrets to one step', (name) => {
  const text = readFileSync(`examples/ci/workflows/${name}.yaml`, 'utf8');
  const { on, env, jobs } = parse(text) as Workflow;
  expect({ on, env }).toEqual({ on: 'pull_request', env: undefined });
  for (const job of Object.values(jobs)) {
    expect(job.env).toBeUndefined();
    const others = job.steps.flatMap(({ uses }) => (uses && !uses.startsWith('./') ? [uses] : []));
    expect(others.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    const checkouts = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual([false]);
  }
});

test('only the step of the preview gets the access token, and only that of comments the token of GitHub', () => {
  const { steps } = readAction('examples/ci/pulumi-preview/action.yml').runs;
  const having = (input: string): string[] =>
    steps.filter((step) => JSON.stringify(step).includes(`inputs.${input}`)).map((step) => step.name);
  expect([having('access-token'), having('token')]).toEqual([['Preview'], ['Comment']]);
});

/** What an action does with the fleet. */
function fleetSteps(name: string): unknown[] {
  const { runs } = readAction(`examples/ci/${name}/action.yml`);
  const own = runs.steps.filter((step) => ['Validate', 'Plan', 'Lock', 'Gate'].includes(step.name));
  return own.map(({ name, env, run }) => ({ name, env, run }));
}

test('both actions treat a fleet the same', () => {
  const text = JSON.stringify(fleetSteps('pulumi-preview')).replaceAll('inputs.fleet', 'inputs.directory');
  expect(JSON.parse(text)).toEqual(fleetSteps('plan'));
});
