import type { Locate } from '../api/locate';
import { FleetwrightError, type Problem } from '../errors';
import type { Fleet } from '../fleet';
import type { SourceFile } from '../manifest/source';
import { judge } from '../snapshot/judge';
import { readSnapshots } from '../snapshot/read-snapshots';

/** A fleet, and what snapshots say of it. */
export interface Seen {
  readonly fleet: Fleet;
  readonly notes: readonly string[];
  readonly warnings: readonly Problem[];
}

/**
 * Adds to a fleet what snapshots show as lost.
 *
 * @throws FleetwrightError with everything that is wrong in a snapshot, or by one
 */
export function judgeSnapshots(fleet: Fleet, snapshots: readonly SourceFile[], locate: Locate): Seen {
  if (snapshots.length === 0) return { fleet, notes: [], warnings: [] };
  const clusters = fleet.clusters.map(({ metadata }) => metadata.name);
  const { lost, notes, warnings, problems } = judge(fleet, readSnapshots(snapshots, clusters), locate);
  if (problems.length > 0) throw new FleetwrightError(problems);
  return { fleet: { ...fleet, lost }, notes, warnings };
}
