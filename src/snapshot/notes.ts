import { plural } from '../plan/format';
import type { Recording } from './read-snapshots';
import type { Snapshot } from './recorded';

/** More clusters than this are counted: a note is one line. */
const MOST_NAMED = 20;

/**
 * Says which clusters were judged by a snapshot, how old each is by its own data, and which by declaration alone.
 *
 * @param judged the snapshots that say which nodes there are
 * @param clusters the names of all clusters of the fleet
 */
export function snapshotNotes(
  { snapshots, ignored }: Recording,
  judged: ReadonlySet<Snapshot>,
  clusters: readonly string[],
): string[] {
  if (snapshots.length === 0) return [];
  const used = snapshots.filter((snapshot) => judged.has(snapshot));
  const silent = snapshots.filter((snapshot) => !judged.has(snapshot)).map(({ cluster }) => cluster);
  const known = new Set(snapshots.map(({ cluster }) => cluster));
  const declared = clusters.filter((cluster) => !known.has(cluster));
  const others = ignored.map(({ what, count }) => `${count} ${what}`);
  return [
    ...(used.length > 0 ? [`judged by snapshot: ${listed(used.map(described))}`] : []),
    ...(declared.length > 0 ? [`judged by declaration: ${listed(declared)}`] : []),
    ...(silent.length > 0
      ? [`judged by declaration, because the snapshot shows no nodes of a pool: ${listed(silent)}`]
      : []),
    ...(others.length > 0 ? [`left alone in snapshots: ${others.join(', ')}`] : []),
  ];
}

function described({ cluster, nodes, slices, pods, asOf }: Snapshot): string {
  const counts = [plural(nodes.length, 'node'), plural(slices.length, 'slice'), plural(pods.length, 'pod')];
  return `${cluster} (${counts.join(', ')}; ${asOf === undefined ? 'no date' : `of ${asOf}`})`;
}

function listed(names: readonly string[]): string {
  const left = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
}
