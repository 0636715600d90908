import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Resource } from '../api/kinds';
import type { Locate } from '../api/locate';
import { FleetwrightError, type Problem } from '../errors';
import type { Fleet } from '../fleet';
import { loadManifests } from '../manifest/load';
import type { SourceFile } from '../manifest/source';
import { judge } from '../snapshot/judge';
import { readSnapshots } from '../snapshot/read-snapshots';
import { filesMatching } from './files-matching';
import { readTextFile } from './read-file';

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
  const { resources, locate } = loadManifests(likely);
  const { paths, problems } = snapshotsOf(resources, locate, folderOf);
  const found = new Set(paths.map(realPath));
  const manifests = found.size > 0 ? files.filter(({ path }) => !found.has(realPath(path))) : files;
  return { manifests, snapshots: readAll(paths), problems };
}

/**
 * The snapshots that a program names.
 *
 * @param folder where relative paths start
 */
export function snapshotsOfProgram(
  resources: readonly Resource[],
  locate: Locate,
  folder: string,
): Omit<Separated, 'manifests'> {
  const { paths, problems } = snapshotsOf(resources, locate, () => folder);
  return { snapshots: readAll(paths), problems };
}

/** The files that settings name, each once. */
function snapshotsOf(
  resources: readonly Resource[],
  locate: Locate,
  folderOf: (where: string) => string,
): { paths: readonly string[]; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const found = new Map<string, string>();
  for (const settings of resources) {
    if (settings.kind !== 'Fleet') continue;
    for (const [index, pattern] of settings.spec.snapshots.entries()) {
      const where = locate(settings, ['spec', 'snapshots', index]);
      const paths = filesMatching(isAbsolute(pattern) ? pattern : join(folderOf(where), pattern));
      for (const path of paths) found.set(realpathSync(path), path);
      if (paths.length === 0) problems.push(noFile(where, pattern));
    }
  }
  return { paths: [...found.values()], problems };
}

function readAll(paths: readonly string[]): SourceFile[] {
  return paths.map((path) => ({ path, text: readTextFile(path) }));
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
