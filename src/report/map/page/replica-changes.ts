import { REPLICA_MARKS } from '../map-data';
import { formatChangeCounts } from './display-text';
import { type FleetView, type ReplicaStatusView, statusOf } from './fleet-view';

/** A change of a replica, and the place that it is at afterwards, or if it is removed, before. */
export interface StatusChange extends ReplicaStatusView {
  readonly where: string;
}

/**
 * Returns the changed replicas by the index of their deployment. A replica that is in both states is one change, and so
 * is a replica that moves: both ends of a move are on the map.
 */
export function listChanges(fleet: FleetView): Map<number, readonly StatusChange[]> {
  const found = new Map<number, Map<string, StatusChange>>();
  for (const { name, states } of fleet.clusters) {
    for (const replica of states.flatMap((state) => state?.replicas ?? [])) {
      const [deployment, , index] = replica;
      const status = statusOf(fleet, replica);
      const isLeft = status.move !== undefined && status.mark !== 'move';
      if (status.mark === 'keep' || isLeft) continue;
      const changes = found.get(deployment) ?? new Map<string, StatusChange>();
      found.set(deployment, changes);
      const where = `${name}/${index}`;
      changes.set(`${where} ${status.mark}`, { ...status, where });
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([deployment, changes]) => [deployment, [...changes.values()]]));
}

/**
 * `1 moved: us/0 \u2192 eu/0`, `2 placed, 1 moved, 1 without a place`.
 *
 * @param missing the number of replicas without a place
 */
export function summarizeChanges(changes: readonly StatusChange[], missing = 0): string {
  const counts = REPLICA_MARKS.map((mark) => changes.filter((change) => change.mark === mark).length);
  const [only, ...others] = changes;
  const detail = only && others.length === 0 ? `: ${only.move ?? only.where}` : '';
  const changed = changes.length === 0 ? [] : [`${formatChangeCounts(counts)}${detail}`];
  return [...changed, ...(missing > 0 ? [`${missing} without a place`] : [])].join(', ');
}
