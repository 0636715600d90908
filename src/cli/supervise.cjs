/**
 * `node supervise.cjs COMMAND`: runs a shell command in a process group of its own and ends as it does, or on a
 * signal, or when nobody waits any more. Nothing of the group is left running then.
 *
 * It stands between the command line and a program because Node hears no signal while it waits for a child: without
 * it an interrupt would leave the program behind, and a time limit would end its shell alone.
 */
const { spawn } = require('node:child_process');
const { ppid } = process;

// Signals first: one that comes before they are heard would leave the program behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    endAll();
    process.exit(1);
  });
}
setInterval(() => {
  if (process.ppid === ppid) return;
  endAll();
  process.exit(1);
}, 1000);

const [command] = process.argv.slice(2);
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
    // All of it has ended already.
  }
}
