// `npm run test:pulumi`: a program on the real engine of Pulumi, with its state in a folder of its own and objects
// rendered to files: preview, update, a preview without changes, refresh, destroy. Without the command it is skipped.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('program', import.meta.url));

const STEPS = [
  ['stack', 'init', 'test'],
  ['preview', '--non-interactive'],
  ['up', '--yes', '--skip-preview', '--non-interactive'],
  ['preview', '--expect-no-changes', '--non-interactive'],
  ['refresh', '--yes', '--skip-preview', '--non-interactive'],
  ['preview', '--expect-no-changes', '--non-interactive'],
];

const found = spawnSync('pulumi', ['version'], { encoding: 'utf8' });
if (found.error) {
  process.stdout.write('skipped: there is no pulumi command on the path, so nothing was run on the real engine\n');
} else {
  process.stdout.write(`pulumi ${found.stdout.trim()}\n`);
  await tried();
}

async function tried() {
  const work = mkdtempSync(join(tmpdir(), 'pulumi-'));
  try {
    // A copy, because the command writes the settings of the stack beside the program.
    const program = join(work, 'program');
    cpSync(PROGRAM, program, { recursive: true });
    mkdirSync(join(work, 'state'));
    const env = {
      ...process.env,
      PULUMI_BACKEND_URL: `file://${work}/state`,
      PULUMI_CONFIG_PASSPHRASE: 'test',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      FLEETWRIGHT_DIST: fileURLToPath(new URL('../../dist', import.meta.url)),
      FLEETWRIGHT_RENDERED: join(work, 'rendered'),
    };
    for (const args of STEPS) step(args, program, env);
    const files = readdirSync(join(work, 'rendered'), { recursive: true }).filter((file) => file.endsWith('.yaml'));
    if (files.length === 0) throw new Error('the update rendered no object');
    step(['destroy', '--yes', '--skip-preview', '--non-interactive'], program, env);
    process.stdout.write(`${files.length} objects came and went\n`);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function step(args, cwd, env) {
  const { status, stdout, stderr } = spawnSync('pulumi', args, { cwd, env, encoding: 'utf8' });
  process.stdout.write(`${status === 0 ? 'ok' : 'FAILED'}  pulumi ${args.join(' ')}\n`);
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
}
