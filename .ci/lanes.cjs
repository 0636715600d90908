/**
 * Runs steps in lanes: the steps of a lane one after the other, the lanes of a stage at the same time, and the stages
 * one after the other. What a step prints appears as a whole when it ends.
 */
const { spawn } = require('node:child_process');
const { closeSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} run a script of bash
 * @property {string} [when] a script of bash. The step is left out where it fails
 * @property {string} [otherwise] why the step is then left out
 */

/**
 * Runs stages until a step fails, which ends the steps next to it.
 *
 * @param {readonly (readonly (readonly Step[])[])[]} stages
 * @param {(text: string) => void} print
 * @param {(name: string) => void} [onStart] called when a step starts
 * @returns {Promise<boolean>} whether all passed
 */
exports.runStages = async function runStages(stages, print, onStart = () => {}) {
  const run = new Run(print, onStart);
  try {
    for (const lanes of stages) {
      await Promise.all(lanes.map((lane) => run.lane(lane)));
      if (run.failed) break;
    }
    print(`\n== ${run.failed ?? `all passed in ${run.seconds()} s`}\n`);
    return run.failed === undefined;
  } finally {
    run.close();
  }
};

class Run {
  #print;
  #onStart;
  #start = performance.now();
  #logs = mkdtempSync(join(tmpdir(), 'steps-'));
  #children = new Set();
  #stop = () => this.#stopAll();

  /** What failed first. Undefined: nothing. */
  failed;

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

  async lane(steps) {
    for (const step of steps) {
      if (this.failed) return;
      await this.#step(step);
    }
  }

  async #step({ name, run, when, otherwise }) {
    if (when !== undefined && (await this.#ends(when, 'ignore')) !== 0) {
      this.#print(`\n== ${name}: skipped, because ${otherwise}\n`);
      return;
    }
    this.#onStart(name);
    const start = performance.now();
    const path = join(this.#logs, `${name.replaceAll(/\W+/g, '-')}.log`);
    const log = openSync(path, 'w');
    const status = await this.#ends(run, log);
    closeSync(log);
    // What a failure elsewhere ended has not failed itself.
    const end = status !== 0 && this.failed ? ', ended early' : '';
    this.#print(`\n== ${name} (${this.seconds(start)} s${end})\n${readFileSync(path, 'utf8')}`);
    if (status === 0 || this.failed) return;
    this.failed = `${name} failed with ${status}`;
    this.#stopAll();
  }

  /** The exit code of a script, or the signal that ended it. */
  #ends(script, output) {
    const args = ['-euo', 'pipefail', '-c', script];
    // In a group of its own, which also ends what the script started.
    const child = spawn('bash', args, { detached: true, stdio: ['ignore', output, output] });
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
  }
}
