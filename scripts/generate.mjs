// `npm run generate`: writes every file of the repository that follows from another: the JSON Schemas, the props of
// constructs, the report of the public API, the list of diagnostics, the hardware and the page of the recipes, the
// locks and manifests of the examples, and the pages of docs with what schemas and commands say.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

run('npm', ['run', '--silent', 'build']);
fleetwright('schema', '--quiet');
run(process.execPath, ['-r', './scripts/typescript-hook.cjs', 'scripts/output-schemas.mjs']);
run('npm', ['run', '--silent', 'props']);
run('npm', ['run', '--silent', 'build']);
run('npm', ['run', '--silent', 'api']);
run('npm', ['run', '--silent', 'diagnostics']);
run('npm', ['run', '--silent', 'recipes']);
run('npm', ['run', '--silent', 'examples']);
pullRequest('examples/pull-request');
for (const pages of ['reference', 'troubleshooting', 'docs:outputs']) run('npm', ['run', '--silent', pages]);

/** The comment that a pull request gets which makes `change` of `base`. */
function pullRequest(folder) {
  const work = mkdtempSync(join(tmpdir(), 'example-'));
  const fleet = join(work, 'fleet');
  const git = (...args) => run('git', ['-C', work, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  for (const state of ['base', 'change']) fleetwright('lock', join(folder, state), '--quiet');
  cpSync(join(folder, 'base'), fleet, { recursive: true });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'base');
  cpSync(join(folder, 'change'), fleet, { recursive: true });
  git('checkout', '-qb', 'change');
  git('commit', '-qam', 'change');
  const main = join(process.cwd(), 'dist/src/cli/main.js');
  const args = [main, 'plan', 'fleet', '--against', 'main', '--markdown', '--gate'];
  // A comment links to the repository of the CI that runs it.
  const env = { ...process.env, GITHUB_REPOSITORY: '', CI_PROJECT_URL: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: work, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(join(folder, 'comment.md'), stdout);
  rmSync(work, { recursive: true });
}

function fleetwright(...args) {
  run(process.execPath, ['dist/src/cli/main.js', ...args]);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw error;
  if (status !== 0) {
    process.stderr.write(`${command} ${args.join(' ')} failed\n`);
    process.exit(status ?? 1);
  }
}
