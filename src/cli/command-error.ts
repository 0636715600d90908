import { errorAt } from '../base/diagnostic';
import type { DiagnosticCode } from '../base/diagnostic-codes';
import { FleetwrightError } from '../base/errors';

/** The error of a command that cannot go on because of one problem. */
export function commandError(code: DiagnosticCode, at: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([errorAt(code, at, what, hint)]);
}

/** The hint for an unknown name: the name that was probably meant if there is one, else another hint. */
export function meantHint(near: string | undefined, otherwise: string): string {
  return near ? `Did you mean '${near}'?` : otherwise;
}
