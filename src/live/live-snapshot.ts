import type { z } from 'zod';
import { validate } from '../api/reading/validate';
import { sortedBy } from '../order';
import { node } from '../snapshot/node';
import { pod } from '../snapshot/pod';
import type { Recorded, Snapshot } from '../snapshot/recorded';
import { slice } from '../snapshot/slice';
import { idOf, type Listing, type LiveObject, objectsIn } from './live-object';

/** What a snapshot is made of. */
export interface SnapshotLists {
  readonly nodes?: Listing;
  readonly pods?: Listing;
  readonly slices?: Listing;
}

/** What a running cluster shows, as a snapshot would have recorded it. Objects that no cluster makes are left out. */
export function liveSnapshot(cluster: string, { nodes, pods, slices }: SnapshotLists): Snapshot {
  return {
    cluster,
    files: [],
    nodes: recorded(node, objectsIn(nodes)),
    pods: recorded(pod, objectsIn(pods)),
    slices: recorded(slice, objectsIn(slices)),
  };
}

function recorded<T>(schema: z.ZodType<T>, objects: readonly LiveObject[]): Recorded<T>[] {
  return sortedBy(objects, idOf).flatMap((object) => {
    const checked = validate(schema, object);
    const place = (): string => `${object.kind} ${idOf(object)}`;
    return 'value' in checked ? [{ value: checked.value, place }] : [];
  });
}
