import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { Snapshot } from '../../snapshot/recorded-objects';
import type { Listing, MissingListing } from '../listing';

/** The kinds of objects in a snapshot. */
const RECORDED = ['nodes', 'pods', 'slices'] as const;

/** The listings that a snapshot is written from. */
export type SnapshotListings = Readonly<Record<(typeof RECORDED)[number], Listing>> & {
  /** The objects of queues, by kind. */
  readonly queues: Readonly<Record<string, Listing>>;
};

/** A file that a snapshot is to be written to, and the snapshot that it holds now. */
export interface SnapshotTarget {
  readonly path: string;

  /** Absent: there is no file, or it is not a snapshot. */
  readonly earlier?: Snapshot | undefined;
}

const FORCE_HINT = 'Check the cluster and your permissions, or write the snapshot anyway with --force';

/**
 * Finds what a snapshot would lose: objects that cannot be listed, and kinds that the earlier snapshot has and the
 * cluster no longer shows any of. A plan would take the former for free room, and the latter for lost hardware.
 */
export function findSnapshotLoss(lists: SnapshotListings, { path, earlier }: SnapshotTarget): Diagnostic | undefined {
  const losses = RECORDED.flatMap((kind) => {
    const listing = lists[kind];
    if (isUnread(listing)) return [`the ${kind} cannot be listed: ${listing.why}`];
    const before = earlier?.[kind].length ?? 0;
    const isGone = before > 0 && !('objects' in listing && listing.objects.length > 0);
    return isGone ? [`the cluster has no ${kind}, and the earlier snapshot has ${before}`] : [];
  });
  for (const [kind, listing] of Object.entries(lists.queues)) {
    if (isUnread(listing)) losses.push(`the ${kind} cannot be listed: ${listing.why}`);
  }
  if (losses.length === 0) return undefined;
  return errorAt('worse-snapshot', path, `the snapshot is not written, because ${losses.join('; ')}`, FORCE_HINT);
}

function isUnread(listing: Listing): listing is MissingListing {
  return 'missing' in listing && listing.missing !== 'unserved';
}
