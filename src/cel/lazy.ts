import type * as Engine from './exports';

/** All that needs the CEL library, loaded on first use. */
export function cel(): typeof Engine {
  return require('./exports') as typeof Engine;
}
