import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Locate } from '../api/resource';
import { FleetwrightError, type Problem } from '../errors';
import { filesMatching } from '../files/files-matching';
import { readTextFile } from '../files/read-file';
import type { Fleet } from '../fleet';
import { loadManifests } from '../manifest/load';
import type { SourceFile } from '../manifest/source';
import { judge } from '../snapshot/judge';
import { readSnapshots } from '../snapshot/read-snapshots';

/** What was read, told apart. */
export interface Separated {
  readonly manifests: readonly SourceFile[];
  /** What `spec.snapshots` of the Fleet names, be it among the files read or elsewhere. */
  readonly snapshots: readonly SourceFile[];
  /** Patterns that name no file. */
  readonly problems: readonly Problem[];
}

/** Tells manifests from the snapshots that one of them names. */
export function separateSnapshots(files: readonly SourceFile[]): Separated {
  // Only a file that says both words can name snapshots: the others need not be parsed twice.
  const likely = files.filter(({ text }) => text.includes('snapshots') && text.includes('Fleet'));
  if (likely.length === 0) return { manifests: files, snapshots: [], problems: [] };
  const problems: Problem[] = [];
  const found = new Map<string, string>();
  const { resources, locate } = loadManifests(likely);
  for (const settings of resources) {
    if (settings.kind !== 'Fleet') continue;
    for (const [index, pattern] of settings.spec.snapshots.entries()) {
      const where = locate(settings, ['spec', 'snapshots', index]);
      const paths = filesMatching(isAbsolute(pattern) ? pattern : join(folderOf(where), pattern));
      for (const path of paths) found.set(realpathSync(path), path);
      if (paths.length === 0) problems.push(noFile(where, pattern));
    }
  }
  const manifests = found.size > 0 ? files.filter(({ path }) => !found.has(realPath(path))) : files;
  const snapshots = [...found.values()].map((path) => ({ path, text: readTextFile(path) }));
  return { manifests, snapshots, problems };
}

/** A place starts with the path of its file. */
function folderOf(where: string): string {
  return dirname(where.replace(/:\d+:\d+$/, ''));
}

function realPath(path: string): string {
  return path === '-' ? path : realpathSync(path);
}

function noFile(where: string, pattern: string): Problem {
  return {
    code: 'no-snapshot',
    where,
    what: `no file matches '${pattern}'`,
    hint: "Record one with 'kubectl get nodes,pods,resourceslices -A -o yaml > CLUSTER.yaml', or remove the line",
  };
}

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
