import type { z } from 'zod';
import { validateAgainst } from '../api/schema/validate';
import { sortedBy } from '../base/order';
import {
  nodeSchema,
  podSchema,
  type RecordedObject,
  resourceSliceSchema,
  type Snapshot,
} from '../snapshot/recorded-objects';
import { type Listing, objectsOf } from './listing';
import { formatNamespacedName, type LiveObject } from '../manifest/kubernetes/live-object';

/** The listings from which a snapshot is built. */
export interface SnapshotLists {
  readonly nodes?: Listing;
  readonly pods?: Listing;
  readonly slices?: Listing;
}

/** Converts listings of a running cluster to a snapshot. Objects that do not match the schema are omitted. */
export function toSnapshot(cluster: string, { nodes, pods, slices }: SnapshotLists): Snapshot {
  return {
    cluster,
    files: [],
    nodes: toRecorded(nodeSchema, objectsOf(nodes)),
    pods: toRecorded(podSchema, objectsOf(pods)),
    slices: toRecorded(resourceSliceSchema, objectsOf(slices)),
  };
}

function toRecorded<T>(schema: z.ZodType<T>, objects: readonly LiveObject[]): RecordedObject<T>[] {
  return sortedBy(objects, formatNamespacedName).flatMap((object) => {
    const checked = validateAgainst(schema, object);
    const place = (): string => `${object.kind} ${formatNamespacedName(object)}`;
    return 'value' in checked ? [{ value: checked.value, place }] : [];
  });
}
