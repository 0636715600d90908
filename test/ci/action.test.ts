import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Repository } from '../cli/repository';
import { type RanStep, runAction, runnerIn } from './composite';

const ACTION = 'examples/ci/plan/action.yml';
const STORY = 'examples/pull-request';

/** Runs the sources as the command line that is installed. */
const HOOK = join('scripts', 'typescript-hook.cjs');
const COMMAND = `${process.execPath} -r ${resolve(HOOK)} ${join(__dirname, 'fleetwright.cjs')}`;

/** As the command line of GitHub: it keeps what it is asked, and knows one comment where a file says so. */
const GH = `#!/usr/bin/env bash
echo "$*" >> "$GH_LOG"
for arg in "$@"; do case "$arg" in body=@*) cp "\${arg#body=@}" "$GH_BODY" ;; esac; done
case "$*" in *--paginate*) cat "$GH_ID" ;; esac
`;

// Each step starts the command line.
jest.setTimeout(60_000);

let work: Repository;
beforeEach(() => {
  work = new Repository();
  work.write({ id: '', outputs: '', summary: '', 'bin/gh': GH });
  chmodSync(work.path('bin/gh'), 0o755);
  work.write({ '.gitignore': '*\n!fleet\n!fleet/*\n' });
  work.init();
  take('base');
  work.commit();
  work.git('checkout', '-qb', 'change');
  take('change');
  work.commit();
});
afterEach(() => work.remove());

function take(state: string): void {
  cpSync(join(STORY, state), work.path('fleet'), { recursive: true });
}

function act(inputs: Record<string, string> = {}, event = 'pull_request'): RanStep[] {
  const runner = runnerIn(work, event);
  return runAction(ACTION, {
    ...runner,
    inputs: { directory: 'fleet', against: 'main', command: COMMAND, ...inputs },
    env: {
      ...runner.env,
      GH_ID: work.path('id'),
    },
  });
}

const steps = (ran: RanStep[]): string[] => ran.map(({ name, status }) => `${name} ${status}`);

test('a pull request gets the comment of the example, and passes', () => {
  expect(steps(act())).toEqual(['Validate 0', 'Plan 0', 'Comment 0', 'Lock 0', 'Gate 0']);
  const comment = `<!-- fleetwright: fleet -->\n${readFileSync(join(STORY, 'comment.md'), 'utf8')}`;
  expect(work.read('body')).toBe(comment);
  expect(work.read('summary')).toBe(comment);
  expect(work.read('log').split('\n')[1]).toMatch(/--method POST repos\/team\/fleet\/issues\/7\/comments /);
});

test('its comment is kept current', () => {
  work.write({ id: '42\n' });
  act();
  expect(work.read('log').split('\n')[1]).toMatch(/--method PATCH repos\/team\/fleet\/issues\/comments\/42 /);
});

test('what would leave nobody serving is shown, and refused', () => {
  rewrite((text) =>
    text.replace('replicas: 3', 'replicas: 1').replace('vllm-openai:v0.23.0', 'vllm-openai:v0.24.0'),
  );
  work.run('lock ./fleet');
  work.commit();
  const ran = act();
  expect(steps(ran)).toEqual(['Validate 0', 'Plan 0', 'Comment 0', 'Lock 0', 'Gate 4']);
  expect(work.read('body')).toContain('ml/chat would be without any replica');
});

test('a lock that is stale is refused', () => {
  rewrite((text) => text.replace('replicas: 3', 'replicas: 2'));
  work.commit();
  expect(steps(act())).toEqual(['Validate 0', 'Plan 0', 'Comment 0', 'Lock 5']);
  expect(work.read('body').split('\n').slice(1, 4)).toEqual([
    '### Fleet `fleet` against `main`',
    '',
    '- :x: `fleet/fleet.lock.yaml` does not say what would be decided now. Run `fleetwright lock fleet` and commit it.',
  ]);
});

test('a lock elsewhere is planned from and checked, and is told where it is stale', () => {
  const lock = 'fleet/lock of prod.yaml';
  for (const branch of ['main', 'change']) {
    work.git('checkout', '-q', branch);
    work.git('mv', 'fleet/fleet.lock.yaml', lock);
    work.commit();
  }
  expect(steps(act({ lock }))).toEqual(['Validate 0', 'Plan 0', 'Comment 0', 'Lock 0', 'Gate 0']);
  expect(work.read('body')).not.toContain(':x:');
  rewrite((text) => text.replace('replicas: 3', 'replicas: 2'));
  work.commit();
  expect(steps(act({ lock }))).toEqual(['Validate 0', 'Plan 0', 'Comment 0', 'Lock 5']);
  expect(work.read('body')).toContain(
    '- :x: `fleet/lock of prod.yaml` does not say what would be decided now.',
  );
});

test('what a step before it wrote into the fleet is refused', () => {
  rewrite((text) => `${text}# generated\n`);
  const ran = act();
  expect(steps(ran)).toEqual(['Validate 0', 'Plan 1']);
  expect(ran[1]?.out).toContain('--against main: fleet/fleet.yaml is not as HEAD has it.');
});

test('what is wrong is told beside its line', () => {
  rewrite((text) => text.replace('replicas: 3', 'replicas: three'));
  const ran = act();
  expect(steps(ran)).toEqual(['Validate 1']);
  expect(ran[0]?.out).toContain('::error file=fleet/fleet.yaml,line=35,col=13,title=fleetwright%3A ');
});

test('elsewhere than in a pull request there is nothing to comment', () => {
  expect(steps(act({}, 'push'))).toEqual(['Validate 0', 'Plan 0', 'Lock 0', 'Gate 0']);
});

function rewrite(edit: (text: string) => string): void {
  writeFileSync(work.path('fleet/fleet.yaml'), edit(work.read('fleet/fleet.yaml')));
}
