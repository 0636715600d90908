import { readFileSync } from 'node:fs';
import { FleetwrightError } from '../base/errors';
import { toFsProblem } from '../files/fs-error';
import { askOnTerminal } from './ask-on-terminal';
import { findRecords } from './kept-records';
import { type RawIo, STANDARD_OUTPUT } from './output';
import { reportCrash, runCommandLine } from './run';
import { ProgressLine } from './terminal';

const progress = new ProgressLine(
  (text) => void process.stderr.write(text),
  () => process.uptime() * 1000,
);

const io: RawIo = {
  out: (text) => {
    progress.clear();
    process.stdout.write(text);
  },
  err: (text) => {
    progress.clear();
    process.stderr.write(text);
  },
  terminal: process.stdout.isTTY ?? false,
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
  progress: process.stderr.isTTY ? (what) => progress.step(what) : undefined,
  ask: process.stderr.isTTY && process.stdin.isTTY ? askOnTerminal : undefined,
  env: process.env,
  stdin: () => readFileSync(0, 'utf8'),
  records: findRecords(process.env, __filename),
};

// A reader such as `head` can close the pipe early.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw new FleetwrightError([toFsProblem('not-written', STANDARD_OUTPUT, error)]);
  });
}

// Node would print what a stray event throws as it is.
process.on('uncaughtException', (error) => process.exit(reportCrash(error, io)));

void Promise.resolve(runCommandLine(process.argv.slice(2), io, versionOf())).then((code) => {
  progress.clear();
  process.exitCode = code;
});

function versionOf(): string {
  return (require('fleetwright/package.json') as { version: string }).version;
}
