/**
 * Runs steps in lanes: the steps of a lane one after the other, and the lanes at the same time. What a step prints
 * appears as a whole when it ends, what failed after all others, and the times of all steps at the end.
 */
const { spawn } = require('node:child_process');
const { EventEmitter, once } = require('node:events');
const { closeSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} run a script of bash
 * @property {string} [when] a script of bash. The step is left out where it fails
 * @property {string} [otherwise] why the step is then left out
 * @property {readonly string[]} [after] steps of other lanes that end before this one starts
 * @property {number} [niceness] from 0, the default, to 19: how readily it leaves the processor to steps next to it
 */

/**
 * Runs lanes until a step fails, which ends the steps next to it.
 *
 * @param {readonly (readonly Step[])[]} lanes
 * @param {(text: string) => void} print
 * @param {(name: string) => void} [onStart] called when a step starts
 * @returns {Promise<boolean>} whether all passed
 */
exports.runLanes = async function runLanes(lanes, print, onStart = () => {}) {
  const run = new Run(print, onStart);
  try {
    await Promise.all(lanes.map((lane) => run.lane(lane)));
    print(`${run.failure}\n${run.times()}\n== ${run.failed ?? `all passed in ${run.seconds()} s`}\n`);
    return run.failed === undefined;
  } finally {
    run.close();
  }
};

const BASH = ['bash', '-euo', 'pipefail', '-c'];

/** Linux shares the processor between sessions before it does between processes, and each step is a session. */
const niceSession = (niceness) => `{ echo ${niceness} >/proc/$$/autogroup; } 2>/dev/null || true\n`;

/** Has bash write what it, and all that it started, took of the processor. */
const TELL_TIMES = `trap 'times >"$STEP_TIMES"' EXIT\n`;

class Run {
  #print;
  #onStart;
  #start = performance.now();
  #logs = mkdtempSync(join(tmpdir(), 'steps-'));
  #children = new Set();
  #stop = () => this.#stopAll();
  #ended = new Map();
  #progress = new EventEmitter();

  /** What failed first. Undefined: nothing. */
  failed;

  /** What the step that failed printed. */
  failure = '';

  constructor(print, onStart) {
    this.#print = print;
    this.#onStart = onStart;
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, this.#stop);
  }

  close() {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, this.#stop);
    rmSync(this.#logs, { recursive: true, force: true });
  }

  seconds(since = this.#start) {
    return Math.round((performance.now() - since) / 1000);
  }

  /** The seconds of each step by the clock, and of the processor. */
  times() {
    const rows = [...this.#ended].filter(([, times]) => times !== undefined);
    const lines = rows.map(([name, { clock, processor }]) => `${pad(clock)} ${pad(processor)}  ${name}\n`);
    return `== seconds by the clock, and of the processor\n${lines.join('')}`;
  }

  async lane(steps) {
    for (const step of steps) {
      await this.#waitFor(step.after ?? []);
      if (this.failed) return;
      this.#ended.set(step.name, await this.#step(step));
      this.#progress.emit('step');
    }
  }

  /** Waits until steps have ended, or one has failed. */
  async #waitFor(names) {
    while (!this.failed && !names.every((name) => this.#ended.has(name))) await once(this.#progress, 'step');
  }

  /** Returns the times that the step took. Undefined: it was left out. */
  async #step({ name, run, when, otherwise, niceness = 0 }) {
    if (when !== undefined && (await this.#ends([...BASH, when], 'ignore')) !== 0) {
      this.#print(`\n== ${name}: skipped, because ${otherwise}\n`);
      return undefined;
    }
    this.#onStart(name);
    const start = performance.now();
    const path = join(this.#logs, name.replaceAll(/\W+/g, '-'));
    const log = openSync(`${path}.log`, 'w');
    const times = `${path}.times`;
    const command = ['nice', '-n', String(niceness), ...BASH, `${niceSession(niceness)}${TELL_TIMES}${run}`];
    const status = await this.#ends(command, log, { STEP_TIMES: times });
    closeSync(log);
    const clock = this.seconds(start);
    // What a failure elsewhere ended has not failed itself.
    const end = status !== 0 && this.failed ? ', ended early' : '';
    const output = `\n== ${name} (${clock} s${end})\n${readFileSync(`${path}.log`, 'utf8')}`;
    if (status !== 0 && !this.failed) {
      this.failed = `${name} failed with ${status}`;
      this.failure = output;
      this.#stopAll();
    } else {
      this.#print(output);
    }
    return { clock, processor: readProcessorSeconds(times) };
  }

  /** The exit code of a command, or the signal that ended it. */
  #ends([program, ...args], output, env = {}) {
    // In a group of its own, which also ends what the command started.
    const child = spawn(program, args, {
      detached: true,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    });
    this.#children.add(child);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.#children.delete(child);
        resolve(code ?? signal);
      });
    });
  }

  #stopAll() {
    this.failed ??= 'stopped by a signal';
    for (const { pid } of this.#children) {
      try {
        process.kill(-pid, 'SIGTERM');
      } catch {
        // It has just ended.
      }
    }
    this.#progress.emit('step');
  }
}

/** The second line of `times` is of what the shell started: `1m2.345s 0m6.789s`, in programs and in the kernel. */
function readProcessorSeconds(path) {
  const [, line = ''] = readIfExists(path).split('\n');
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => 60 * minutes + Number(seconds));
  return Math.round(parts.reduce((sum, part) => sum + part, 0));
}

/** A script that was ended has written nothing. */
function readIfExists(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function pad(seconds) {
  return String(seconds).padStart(6);
}
