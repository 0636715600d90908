import { attempt } from '../base/attempt';
import { type DeclarationChange, diffDeclarations } from '../diff/declaration-changes';
import { findProgram } from '../files/fleet-paths';
import type { LoadedFleet } from '../files/read-fleet';
import { listWritten } from '../files/set-aside';
import { type AgainstFlags, readEarlierInput } from './earlier-input';
import type { Io } from './output';
import { readInput } from './read-inputs';

/**
 * Compares what two states declare, where it is not known what they lead to. Empty where a document of one cannot be
 * attributed to a resource. A program is not run again, nor is standard input read again.
 */
export function compareDeclarations(
  against: string,
  target: string,
  flags: AgainstFlags,
  io: Io,
): readonly DeclarationChange[] {
  if (target === '-' || findProgram(target)) return [];
  const compared = attempt(() => {
    const later = readInput(target, flags, io);
    const { read, rename } = readEarlierInput(against, target, flags, { read: later, io });
    if (![later, read].every(isAttributed)) return [];
    return diffDeclarations({ ...toWritten(read), locate: (...at) => rename(read.locate(...at)) }, toWritten(later));
  });
  return 'value' in compared ? compared.value : [];
}

function isAttributed({ unread }: LoadedFleet): boolean {
  return unread.every(({ id }) => id !== undefined);
}

function toWritten(read: LoadedFleet) {
  const aside = new Map(read.unread.flatMap(({ id }) => (id === undefined ? [] : [[id, undefined] as const])));
  return { ...listWritten(read, { aside, problems: read.problems }), locate: read.locate };
}
