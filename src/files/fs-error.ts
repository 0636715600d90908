import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { DiagnosticCode } from '../base/diagnostic-codes';
import { FleetwrightError } from '../base/errors';

const REASON_BY_ERROR_CODE: Readonly<Record<string, { readonly what: string; readonly hint: string }>> = {
  EACCES: { what: 'permission denied', hint: 'Change its permissions, or run as a user who has them' },
  EPERM: { what: 'permission denied', hint: 'Change its permissions, or run as a user who has them' },
  EROFS: { what: 'the file system is read-only', hint: 'Use a folder that is writable' },
  ENOSPC: { what: 'no space is left', hint: 'Free some space and run again' },
  EDQUOT: { what: 'the disk quota is used up', hint: 'Free some space and run again' },
  EFBIG: { what: 'the file is larger than the system allows', hint: 'Raise the file size limit' },
  ENOENT: { what: 'there is no such file or folder', hint: 'Check the path' },
  ENOTDIR: { what: 'a part of this path is a file, not a folder', hint: 'Check the path' },
  EISDIR: { what: 'this is a folder, not a file', hint: 'Name a file' },
  ELOOP: { what: 'its symbolic links form a loop', hint: 'Fix the links' },
  ENAMETOOLONG: { what: 'the path is too long', hint: 'Use a shorter path' },
  EXDEV: { what: 'parts of it are on different file systems', hint: 'Use a folder on a single file system' },
  EMFILE: { what: 'too many files are open', hint: 'Raise the limit of open files' },
};

/** The error code of a failed file system call, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}

/** Runs a file system call. Returns `otherwise` if it fails with one of the error codes. */
export function tolerate<T>(codes: readonly string[], otherwise: T, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (codes.includes(errorCodeOf(error) ?? '')) return otherwise;
    throw error;
  }
}

/** Converts a failed file system call to a problem of its path. Rethrows errors without a code, which are bugs. */
export function toFsProblem(code: DiagnosticCode, path: string, error: unknown): Diagnostic {
  const errno = errorCodeOf(error);
  if (!errno) throw error;
  const reason = REASON_BY_ERROR_CODE[errno] ?? { what: `the system reports ${errno}`, hint: 'Check the path' };
  return errorAt(code, path, reason.what, reason.hint);
}

/** Runs a file system call and reports its failure as a `FleetwrightError` about `path`. */
export function wrapFsErrors<T>(code: DiagnosticCode, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof FleetwrightError) throw error;
    throw new FleetwrightError([toFsProblem(code, path, error)], { cause: error });
  }
}
