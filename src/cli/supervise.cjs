/**
 * `node supervise.cjs COMMAND [BYTES]`: runs a shell command in its own process group, and exits when the command
 * exits, on a signal, when the parent process is gone, or when standard output, a file, has more bytes. Then it ends
 * all processes of the group.
 *
 * The command line needs it because Node handles no signals while it waits for a child: without it, an interrupt
 * would leave the program running, and a time limit would only end its shell.
 */
const { spawn } = require('node:child_process');
const { fstatSync } = require('node:fs');
const { ppid } = process;

// Register signal handlers first: an earlier signal would leave the program running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    endAll();
    process.exit(1);
  });
}
const [command, mostBytes = 'Infinity'] = process.argv.slice(2);
setInterval(() => {
  if (process.ppid === ppid && fstatSync(1).size <= Number(mostBytes)) return;
  endAll();
  process.exit(1);
}, 200);

const child = spawn(command, { shell: true, detached: true, stdio: 'inherit' });

child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  endAll();
  if (!signal) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

function endAll() {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All processes have ended already.
  }
}
