import { clipText } from '../../base/text';

/**
 * A cluster does not answer, because of its network, its certificate or the credentials. The message is a clause,
 * shortened because it can contain what a server or a plugin says.
 */
export class UnreachableError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(clipText(message, MAX_LENGTH), options);
    this.name = 'Unreachable';
  }
}

const MAX_LENGTH = 1000;
