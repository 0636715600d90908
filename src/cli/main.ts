#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from './output';
import { run } from './run';

const io: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  terminal: process.stdout.isTTY ?? false,
  env: process.env,
  stdin: () => readFileSync(0, 'utf8'),
};

// A reader that has seen enough, as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void Promise.resolve(run(process.argv.slice(2), io, versionOf())).then((code) => {
  process.exitCode = code;
});

function versionOf(): string {
  const text = readFileSync(join(__dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
