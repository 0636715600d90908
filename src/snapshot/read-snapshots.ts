import { basename } from 'node:path';
import type { Problem } from '../errors';
import type { Ignored } from '../manifest/load-files';
import { LIMITS, type Limits } from '../manifest/limits';
import { withinLimits } from '../manifest/raw-text';
import type { SourceFile } from '../manifest/source';
import { nearest } from '../nearest';
import { groupBy, sortedBy } from '../order';
import { Objects } from './objects';
import { readObjects } from './read-objects';
import type { Snapshot } from './recorded';

/** Everything that was recorded, by cluster. */
export interface Recording {
  /** By cluster. */
  readonly snapshots: readonly Snapshot[];
  /** Objects of kinds that are not read, sorted. */
  readonly ignored: readonly Ignored[];
  readonly problems: readonly Problem[];
}

/**
 * Reads files of recorded objects. The name of a file says of which cluster it is: what stands before the first
 * dot, so that a cluster may have several files (`us.yaml`, `us.pods.yaml`).
 *
 * @param clusters the names of the clusters of the fleet
 * @param limits default: `LIMITS`
 */
export function readSnapshots(
  files: readonly SourceFile[],
  clusters: readonly string[],
  limits: Limits = LIMITS,
): Recording {
  const problems: Problem[] = [];
  const readable = withinLimits(
    sortedBy(files, ({ path }) => path),
    limits,
    problems,
  );
  const known = new Set(clusters);
  const ours = readable.filter((file) => known.has(clusterOf(file)));
  const others = readable.filter((file) => !known.has(clusterOf(file)));
  problems.push(...others.map((file) => otherCluster(file, clusters)));
  const objects = new Objects(problems);
  for (const file of ours) {
    for (const one of readObjects(file, limits)) objects.add(clusterOf(file), one);
  }
  return { snapshots: objects.snapshots(groupBy(ours, clusterOf)), ignored: objects.ignored(), problems };
}

function clusterOf({ path }: SourceFile): string {
  return basename(path).split('.')[0] ?? '';
}

function otherCluster(file: SourceFile, clusters: readonly string[]): Problem {
  const name = clusterOf(file);
  const meant = nearest(name, clusters);
  return {
    code: 'unknown-cluster',
    where: file.path,
    what: `this is the snapshot of a cluster '${name}', which the fleet does not have`,
    hint: meant ? `Name it after '${meant}' if it is of that one` : 'Name the file CLUSTER.yaml',
  };
}
