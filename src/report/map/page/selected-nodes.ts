import type { ClusterData, GroupData, PoolData } from '../map-data';
import { type ClusterView, factsOf, type FleetView } from './fleet-view';

/** A group of equal nodes that the reader points at or selected. */
export interface NodeSelection {
  readonly cluster: ClusterView;
  readonly state: number;
  readonly data: ClusterData;
  readonly pool: PoolData;
  readonly group: GroupData;

  /** The position in the group of the pod under the pointer. Absent: none. */
  readonly pod?: number;
}

/** Returns the nodes that an element of the map shows, or undefined if it shows none. */
export function findSelection(fleet: FleetView, target: Element): NodeSelection | undefined {
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  const row = target.closest<HTMLElement>('[role="row"]');
  const cluster = fleet.clusters[Number(target.closest<HTMLElement>('.card')?.dataset.cluster)];
  const state = Number(row?.dataset.state);
  const data = cluster?.states[state];
  const pool = data?.pools.find((candidate) => fleet.text(factsOf(fleet, candidate).name) === row?.dataset.pool);
  const group = pool?.groups[Number(cell?.dataset.group)];
  if (!cluster || !data || !pool || !group) return undefined;
  const pod = target.closest<HTMLElement>('.seg')?.dataset.pod;
  return { cluster, state, data, pool, group, ...(pod !== undefined && { pod: Number(pod) }) };
}
