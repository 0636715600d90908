import { join } from 'node:path';
import type { Diagnostic } from '../base/diagnostic';
import { readTextFileIfExists } from '../files/read-file';
import { makeFolder, writeFileAtomic } from '../files/write-file';
import { objectsOf } from '../live/live-object';
import { findSnapshotLoss, type SnapshotListings } from '../live/status/snapshot-loss';
import { formatSnapshotYaml } from '../report/snapshot-yaml';
import { readSnapshots } from '../snapshot/read-snapshots';
import type { Snapshot } from '../snapshot/recorded-objects';

/** A cluster and what was seen of it. */
export interface SeenCluster {
  readonly cluster: string;
  readonly lists: SnapshotListings;
}

export interface SnapshotOptions {
  readonly folder: string;

  /** Whether a snapshot is written that shows less than was there, or than the file has. Nodes are always needed. */
  readonly force: boolean;
}

/** Writes a snapshot of each cluster, unless it would lose something. Returns what is not written, and why. */
export function writeSnapshots(seen: readonly SeenCluster[], { folder, force }: SnapshotOptions): Diagnostic[] {
  makeFolder(folder);
  return seen.flatMap(({ cluster, lists }) => {
    const path = join(folder, `${cluster}.yaml`);
    const loss = findSnapshotLoss(lists, { path, earlier: readEarlierSnapshot(path, cluster) });
    if (loss && !(force && 'objects' in lists.nodes)) return [loss];
    writeFileAtomic(
      path,
      formatSnapshotYaml([lists.nodes, lists.pods, lists.slices, ...Object.values(lists.queues)].flatMap(objectsOf)),
    );
    return [];
  });
}

function readEarlierSnapshot(path: string, cluster: string): Snapshot | undefined {
  const text = readTextFileIfExists(path);
  return text === undefined ? undefined : readSnapshots([{ path, text }], [cluster]).snapshots[0];
}
