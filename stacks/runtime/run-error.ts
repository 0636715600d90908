import { RunError } from '@pulumi/pulumi';
import type { Diagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';

/**
 * Makes the host print a FleetwrightError as it prints a `RunError`: its message, without a stack trace and the fields
 * of the object. That holds for every one that a program does not catch, also of constructs, and programs still catch
 * it as a FleetwrightError. The SDK recognizes a `RunError` by a member, because a program can load several SDKs.
 */
export function printMessageOnly(): void {
  Object.assign(FleetwrightError.prototype, new RunError());
}

/**
 * Creates the error that ends a program after its own code has run, with all problems. The program cannot catch it,
 * and the host prints its stack, so the stack is the message.
 */
export function toRunError(problems: readonly Diagnostic[]): Error {
  const { message } = new FleetwrightError(problems);
  return Object.assign(new RunError(message), { stack: message });
}
