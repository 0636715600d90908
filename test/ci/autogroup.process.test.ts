import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Starts a program in a session of its own, and prints what the kernel says of both sessions. */
const STARTS = `
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { yieldAlike } = require('./test/kubernetes/harness/autogroup');
const child = spawn('sleep', ['60'], { detached: true });
yieldAlike(child.pid);
for (const pid of ['self', child.pid]) process.stdout.write(readFileSync('/proc/' + pid + '/autogroup', 'utf8'));
child.kill();
`;

const HAS_GROUPS = existsSync('/proc/self/autogroup');

(HAS_GROUPS ? test : test.skip)('a program in a session of its own yields as much as the one that starts it', () => {
  const program = [process.execPath, '-r', './scripts/typescript-hook.cjs', '-e', STARTS];
  const nicely = ['-c', 'echo 7 >/proc/$$/autogroup && exec "$@"', 'bash', ...program];
  const printed = execFileSync('setsid', ['--wait', 'bash', ...nicely], { cwd: ROOT, encoding: 'utf8' });
  const groups = [...printed.matchAll(/^\/(\S+) nice (\d+)$/gm)].map(([, name, niceness]) => ({ name, niceness }));
  expect(groups.map(({ niceness }) => niceness)).toEqual(['7', '7']);
  expect(groups[0]?.name).not.toBe(groups[1]?.name);
});
