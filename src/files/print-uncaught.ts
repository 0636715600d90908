import { writeSync } from 'node:fs';
import { formatDiagnostic, limitListed } from '../base/diagnostic';
import type { FleetwrightError } from '../base/errors';

/**
 * Prints a FleetwrightError that no code of a program catches as the command line does: the problems alone, without a
 * stack trace. A program that handles uncaught errors itself, such as one that Pulumi runs, keeps its handlers.
 */
export function printUncaughtMessages(): void {
  // Several copies of this package can be loaded.
  if (process.listeners(EVENT).some(({ name }) => name === printFleetwrightError.name)) return;
  process.on(EVENT, printFleetwrightError);
}

/** Listeners of this event see an error first, and change nothing about how Node handles it. */
const EVENT = 'uncaughtExceptionMonitor';

function printFleetwrightError(error: unknown): void {
  if (!isFleetwrightError(error) || process.listenerCount('uncaughtException') > 0) return;
  writeSync(
    process.stderr.fd,
    limitListed(error.diagnostics)
      .map((one) => `${formatDiagnostic(one)}\n`)
      .join(''),
  );
  process.exit(1);
}

/** Whether a value is a FleetwrightError of any copy of this package. */
function isFleetwrightError(error: unknown): error is FleetwrightError {
  return error instanceof Error && error.name === 'FleetwrightError' && 'diagnostics' in error;
}
