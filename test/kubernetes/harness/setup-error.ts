/** The tests cannot run on this machine as it is. The message says why and what to do, and is all that is shown. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
