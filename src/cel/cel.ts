import type * as Engine from './engine';

/** All that needs the CEL library, loaded on first use. */
export function cel(): typeof Engine {
  return require('./engine') as typeof Engine;
}
