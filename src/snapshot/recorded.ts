import type { Path } from '../api/resource';
import type { Node } from './node';
import type { Pod } from './pod';
import type { Slice } from './slice';

/** An object of a cluster as it was recorded. */
export interface Recorded<T> {
  readonly value: T;
  /** The place of a field: `file:line:column`. */
  readonly place: (path: Path) => string;
}

/** What was recorded of one cluster, each list sorted by namespace and name. */
export interface Snapshot {
  readonly cluster: string;
  /** Paths of the files, sorted. */
  readonly files: readonly string[];
  readonly nodes: readonly Recorded<Node>[];
  readonly slices: readonly Recorded<Slice>[];
  readonly pods: readonly Recorded<Pod>[];
  /** The newest time that the objects mention: the snapshot is not older than that. Absent where none does. */
  readonly asOf?: string;
}
