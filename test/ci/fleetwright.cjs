// The command line from its sources, for scripts that call it.
const { readFileSync } = require('node:fs');
const { runCommandLine } = require('../../src/cli/run.ts');

process.exitCode = runCommandLine(
  process.argv.slice(2),
  {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: false,
    env: process.env,
    stdin: () => readFileSync(0, 'utf8'),
  },
  '0.0.0',
);
