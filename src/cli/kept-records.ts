import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { digestText } from '../base/digest';
import type { KeptRecord } from '../files/kept-texts';

/** Opens the record of a command about a subject, such as the path of a folder. */
export type RecordOpener = (command: string, subject: string) => KeptRecord;

type Environment = Readonly<Record<string, string | undefined>>;

/** The file that the package runs, and no test. */
const BUNDLE = 'fleetwright.js';

/**
 * Finds where the process keeps records. Undefined where it keeps none: the user wants none, or the code is not in one
 * file, so that no digest is of all of it.
 *
 * @param code the path of the code that runs
 */
export function findRecords(env: Environment, code: string): RecordOpener | undefined {
  const folder = basename(code) === BUNDLE ? files().findCacheFolder(env) : undefined;
  if (folder === undefined) return undefined;
  let digest: string | undefined;
  return createRecords(folder, () => (digest ??= digestText(readFileSync(code))));
}

/**
 * Keeps records as files of a folder. A record begins with a digest of its text and of the code that made it: one of other
 * code, and one that is damaged, is not there.
 *
 * @param codeDigest a digest of all code that runs
 */
export function createRecords(folder: string, codeDigest: () => string): RecordOpener {
  const sign = (text: string): string => digestText(`${process.version} ${codeDigest()}\n${text}`);
  return (command, subject) => {
    const path = join(folder, `${command}-${digestText(subject).slice(0, 16)}.record`);
    return {
      read: () => {
        const kept = files().readIfExists(path)?.toString() ?? '';
        const end = kept.indexOf('\n');
        const text = kept.slice(end + 1);
        return end > 0 && kept.slice(0, end) === sign(text) ? text : undefined;
      },
      keep: (text) => files().keepForRuns(path, `${sign(text)}\n${text}`),
    };
  };
}

interface BundleFiles {
  readonly findCacheFolder: (env: Environment) => string | undefined;
  readonly keepForRuns: (path: string, content: string) => void;
  readonly readIfExists: (path: string) => Buffer | undefined;
}

/** What starts the package keeps files, too, and is no TypeScript. */
function files(): BundleFiles {
  return require('./run-bundle.cjs') as BundleFiles;
}
