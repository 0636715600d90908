const { TestEnvironment } = require('jest-environment-node');

let shared;

/**
 * One global object for all test files of a worker, because the modules that they share (`jest.runtime.cjs`) are of one
 * realm. A file that mocks modules begins with the docblock `@jest-environment node`, and has a realm of its own.
 */
module.exports = function SharedEnvironment(...given) {
  shared ??= new LastingEnvironment(...given);
  return shared;
};

/** What circus keeps of a file on the global object. */
const OF_A_FILE = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES']);

class LastingEnvironment extends TestEnvironment {
  sharesModules = true;

  constructor(...given) {
    super(...given);
    // It would keep, for a teardown that never comes, each value that the global object ever had.
    this['_globalProxy'].register = () => undefined;
    // Every `expect` and every promise of Pulumi's SDK takes a stack, and nobody reads a hundred lines of one.
    this.global.Error.stackTraceLimit = 20;
    this.exit = this.global.process.exit;
    this.env = { ...this.global.process.env };
  }

  /** Takes back what a file left behind, and keeps what its modules stand on. */
  async teardown() {
    const { global } = this;
    this.fakeTimers.useRealTimers();
    this.fakeTimersModern.useRealTimers();
    global.process.exit = this.exit;
    global.process.exitCode = undefined;
    for (const name of Object.keys(global.process.env)) delete global.process.env[name];
    Object.assign(global.process.env, this.env);
    for (const key of Object.getOwnPropertySymbols(global)) if (OF_A_FILE.has(key.description)) delete global[key];
  }
}
