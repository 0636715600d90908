import type * as Engine from './exports';

/** Returns the modules that need the CEL library. Loads them on first use. */
export function cel(): typeof Engine {
  return require('./exports') as typeof Engine;
}
