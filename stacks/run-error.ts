import { RunError } from '@pulumi/pulumi';
import type { Diagnostic } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';

/**
 * What ends a program whose own code has run to its end, with everything that is wrong. Nobody can catch it, and the host
 * shows its stack: so that is the message.
 */
export function toRunError(problems: readonly Diagnostic[]): Error {
  const { message } = new FleetwrightError(problems);
  return Object.assign(new RunError(message), { stack: message });
}
