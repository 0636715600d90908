/**
 * Starts the processes of tests from a small process. Node forks to start one, and a fork copies the page tables of all
 * that a worker holds: with half a gigabyte, that takes as long as most calls of git.
 *
 * Run as a program, this file is that process: it answers requests until the worker closes the pipe.
 */
const { spawn, spawnSync } = require('node:child_process');
const { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { deserialize, serialize } = require('node:v8');

/** What `spawnSync` and `execFileSync` call, with plain data. */
const binding = process.binding('spawn_sync');

const HEADER_BYTES = 4;

/** It stays small: little garbage is kept, and none of a long output. */
const FLAGS = ['--max-semi-space-size=1', '--expose-gc'];
const LONG_BYTES = 2 ** 20;

/** Lets `spawnSync` of this process start what inherits none of its files through a process of its own. */
function spawnFromSmallProcess() {
  const native = binding.spawn;
  const ask = startSpawner();
  if (!ask) return;
  const user = process.geteuid();
  binding.spawn = (options) =>
    isPlain(options) && process.geteuid() === user
      ? ask({ ...options, cwd: options.cwd ?? process.cwd() })
      : native(options);
}

function isPlain({ stdio }) {
  return stdio.every(({ type }) => type === 'pipe' || type === 'ignore');
}

/** Returns a function that sends a request and waits for its answer. Undefined on systems without named pipes. */
function startSpawner() {
  const folder = mkdtempSync(join(tmpdir(), 'spawner-'));
  const paths = ['requests', 'answers'].map((name) => join(folder, name));
  const { status } = spawnSync('mkfifo', paths);
  const pipes = status === 0 ? paths.map(openPipe) : undefined;
  rmSync(folder, { recursive: true });
  if (!pipes) return undefined;
  const [requests, answers] = pipes;
  const stdio = ['ignore', 'ignore', 'inherit', requests.read, answers.write];
  spawn(process.execPath, [...FLAGS, __filename], { stdio }).unref();
  closeSync(requests.read);
  closeSync(answers.write);
  return (request) => {
    send(requests.write, request);
    return receive(answers.read);
  };
}

/** Both ends of a named pipe, which read and write synchronously. */
function openPipe(path) {
  // Opened for both, a pipe waits for no other end.
  const both = openSync(path, 'r+');
  const ends = { read: openSync(path, 'r'), write: openSync(path, 'w') };
  closeSync(both);
  return ends;
}

/** Returns the length of what it sent. */
function send(pipe, value) {
  const body = serialize(value);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(body.length);
  const bytes = Buffer.concat([header, body]);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(pipe, bytes, sent);
  return bytes.length;
}

/** Undefined at the end of the pipe. */
function receive(pipe) {
  const header = receiveBytes(pipe, HEADER_BYTES);
  return header && deserialize(receiveBytes(pipe, header.readUInt32LE()));
}

function receiveBytes(pipe, length) {
  const bytes = Buffer.alloc(length);
  for (let received = 0; received < length; ) {
    const count = readSync(pipe, bytes, received, length - received, null);
    if (count === 0) return undefined;
    received += count;
  }
  return bytes;
}

if (require.main === module) {
  for (let request; (request = receive(3)); ) if (send(4, binding.spawn(request)) > LONG_BYTES) gc();
}

module.exports = spawnFromSmallProcess;
