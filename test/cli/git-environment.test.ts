import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { SMALL, Workspace } from './cli';
import { Repository } from './repository';

/** Git as it is, which keeps the environment that it is run with. */
const GIT = `#!/bin/sh
env >> "$KEPT"
exec ${execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()} "$@"
`;
const SAME = `Total: no replica changes, 1 unchanged.
`;

const before = { ...process.env };
let work: Repository;
beforeEach(() => {
  work = new Repository();
  work.locked(SMALL);
});
afterEach(() => {
  process.env = { ...before };
  work.remove();
});

const against = (): ReturnType<Workspace['run']> => work.run('plan ./ --against HEAD --quiet');

test('the repository of a hook is not read in place of that of the fleet', () => {
  const other = new Repository();
  other.locked(SMALL.replace('replicas: 1', 'replicas: 2'));
  process.env.GIT_DIR = other.path('.git');
  const ran = against();
  other.remove();
  expect(ran).toEqual({ code: 0, err: '', out: SAME });
});

test('git is reported nothing of what it calls variables of a repository, but for configuration', () => {
  const bin = new Workspace().write({ git: GIT });
  chmodSync(bin.path('git'), 0o755);
  const names = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).trim().split('\n');
  for (const name of names) process.env[name] = name === 'GIT_CONFIG_COUNT' ? '0' : "'user.name=x'";
  Object.assign(process.env, { PATH: `${bin.root}:${before.PATH}`, KEPT: bin.path('kept') });
  const ran = against();
  const kept = new Set(
    bin
      .read('kept')
      .split('\n')
      .map((line) => line.split('=')[0] ?? ''),
  );
  bin.remove();
  expect(ran).toEqual({ code: 0, err: '', out: SAME });
  expect(names.filter((name) => kept.has(name))).toEqual(['GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_COUNT']);
});
