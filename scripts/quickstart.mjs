// `npm start`: plans and synthesizes the quickstart fleet. No cloud account, no cluster.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const main = 'dist/src/cli/main.js';

if (!existsSync(main)) run('npm', ['run', '--silent', 'build']);
run(process.execPath, [main, 'plan', 'examples/quickstart', '--all']);
run(process.execPath, [main, 'synth', 'examples/quickstart', '--out', 'out/quickstart']);

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
