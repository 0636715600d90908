import { dirname, join } from 'node:path';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { quoteShellWord } from '../base/text';
import { readTextFileIfExists } from '../files/read-file';
import { globFiles, type SnapshotPattern } from '../files/referenced-files';
import { makeFolder, writeFileAtomic } from '../files/write-file';
import { objectsOf } from '../live/listing';
import { findSnapshotLoss, type SnapshotListings } from '../live/status/snapshot-loss';
import { formatSnapshotYaml } from '../report/snapshot-yaml';
import { readSnapshots } from '../snapshot/read-snapshots';
import type { Snapshot } from '../snapshot/recorded-objects';
import { toRealPath } from './decide-fleet';

/** A cluster and what was seen of it. */
export interface SeenCluster {
  readonly cluster: string;
  readonly lists: SnapshotListings;
}

export interface SnapshotOptions {
  readonly folder: string;

  /** Whether a snapshot is written that shows less than was there, or than the file has. Nodes are always needed. */
  readonly force: boolean;

  /** Where the fleet looks for snapshots. */
  readonly patterns: readonly SnapshotPattern[];
}

export interface SnapshotFindings {
  /** What is not written, and why. */
  readonly unwritten: readonly Diagnostic[];

  /** The warning if the fleet reads none of what is written. */
  readonly unread: readonly Diagnostic[];
}

/** Writes a snapshot of each cluster, unless it would lose something. */
export function writeSnapshots(
  seen: readonly SeenCluster[],
  { folder, force, patterns }: SnapshotOptions,
): SnapshotFindings {
  makeFolder(folder);
  const written: string[] = [];
  const unwritten: Diagnostic[] = [];
  for (const { cluster, lists } of seen) {
    const path = join(folder, `${cluster}.yaml`);
    const loss = findSnapshotLoss(lists, { path, earlier: readEarlierSnapshot(path, cluster) });
    if (loss && !(force && 'objects' in lists.nodes)) {
      unwritten.push(loss);
      continue;
    }
    writeFileAtomic(
      path,
      formatSnapshotYaml([lists.nodes, lists.pods, lists.slices, ...Object.values(lists.queues)].flatMap(objectsOf)),
    );
    written.push(path);
  }
  return { unwritten, unread: findUnread(written, patterns) };
}

/** A fleet that names no snapshots yet is not warned: they can be recorded first. */
function findUnread(written: readonly string[], patterns: readonly SnapshotPattern[]): Diagnostic[] {
  const [file] = written;
  const [pattern] = patterns;
  const named = new Set(patterns.flatMap(({ path }) => globFiles(path)).map(toRealPath));
  if (file === undefined || !pattern || written.some((one) => named.has(toRealPath(one)))) return [];
  const { at, name, path } = pattern;
  const [folder, meant] = [dirname(file), dirname(path)];
  const what = `'${name}' means ${path}, so plans do not read ${file}`;
  const hint =
    toRealPath(folder) === toRealPath(meant)
      ? 'Correct the pattern: the files have the names of clusters, as in us-east.yaml'
      : `Write the snapshots with '--snapshot ${quoteShellWord(meant)}', or correct the pattern`;
  return [warningAt('unread-snapshot', at, what, hint)];
}

function readEarlierSnapshot(path: string, cluster: string): Snapshot | undefined {
  const text = readTextFileIfExists(path);
  return text === undefined ? undefined : readSnapshots([{ path, text }], [cluster]).snapshots[0];
}
