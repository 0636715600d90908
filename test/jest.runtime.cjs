const { default: Runtime } = require('jest-runtime');
const asyncHooks = require('node:async_hooks');
const { isBuiltin } = require('node:module');
const { join } = require('node:path');

/** Where modules live that know nothing of who tests them. */
const SHARED = ['src', 'constructs', 'stacks'].map((folder) => join(__dirname, '..', folder, '/'));

/** Keeps the tests of one file, and whoever reports them. */
const CIRCUS = join('/node_modules/jest-circus/');

/** One storage for all files. Circus makes one of each, and every promise after that asks each that there ever was. */
const storage = new asyncHooks.AsyncLocalStorage();
const CIRCUS_HOOKS = {
  ...asyncHooks,
  AsyncLocalStorage: function Shared() {
    return storage;
  },
};

/** What loads the shared modules: one of each worker, and of each state of the sources that a watch sees. */
const loaders = new WeakMap();

/**
 * Loads sources and packages once for all test files of a worker: it took longer than most tests take. They are
 * pure, so that no file can tell; test files and what they share among themselves are loaded anew for each.
 */
class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const [, environment, resolver] = given;
    if (!environment.sharesModules) return;
    if (!loaders.has(resolver)) loaders.set(resolver, lasting(given));
    this.loader = loaders.get(resolver);
  }

  requireModule(from, name, options, isActual) {
    if (name === 'node:async_hooks' && from.includes(CIRCUS)) return CIRCUS_HOOKS;
    const isOwn = !this.loader || (name && isBuiltin(name)) || !isShared(this['_resolution'].resolveCjs(from, name));
    return isOwn
      ? super.requireModule(from, name, options, isActual)
      : this.loader.requireModule(from, name, options, isActual);
  }

  setMock(...given) {
    this.refuseShared('jest.mock');
    super.setMock(...given);
  }

  isolateModules(action) {
    this.refuseShared('jest.isolateModules');
    super.isolateModules(action);
  }

  resetModules() {
    this.refuseShared('jest.resetModules');
    super.resetModules();
  }

  teardown() {
    this.loader = undefined;
    super.teardown();
  }

  /** What is shared would silently stay as it is. */
  refuseShared(what) {
    if (this.loader)
      throw new Error(`${what} takes modules of one's own. Begin the file with /** @jest-environment node */`);
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    return this.loader ? both(own, this.loader.getSourceMaps()) : own;
  }
}

/** A runtime that no file tears down, so that modules may load others whenever they need them first. */
function lasting([config, environment, resolver, transformer, , coverage, , globalConfig]) {
  return new Runtime(config, environment, resolver, transformer, new Map(), coverage, '', globalConfig);
}

function isShared(path) {
  if (path.includes('/node_modules/')) return !path.includes(CIRCUS);
  return SHARED.some((folder) => path.startsWith(folder));
}

/** Both registries of source maps as they grow. */
function both(own, shared) {
  return {
    get: (path) => own.get(path) ?? shared.get(path),
    *[Symbol.iterator]() {
      yield* own;
      yield* shared;
    },
  };
}

module.exports = { __esModule: true, default: SharingRuntime };
