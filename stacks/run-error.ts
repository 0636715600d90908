import { RunError } from '@pulumi/pulumi';
import type { Diagnostic } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';

/**
 * Creates the error that ends a program after its own code has run, with all problems. The program cannot catch it,
 * and the host prints its stack, so the stack is the message.
 */
export function toRunError(problems: readonly Diagnostic[]): Error {
  const { message } = new FleetwrightError(problems);
  return Object.assign(new RunError(message), { stack: message });
}
