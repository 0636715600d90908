import type { ClusterData, GroupData, PoolData } from '../map-data';
import { type ClusterView, factsOf, type FleetView } from './fleet-view';

/** Some equal nodes that the reader looks at. */
export interface NodeSelection {
  readonly cluster: ClusterView;
  readonly state: number;
  readonly data: ClusterData;
  readonly pool: PoolData;
  readonly group: GroupData;

  /** The pod of the group under the pointer. */
  readonly pod?: number;
}

/** What a part of the map stands for. */
export function findSelection(fleet: FleetView, target: Element): NodeSelection | undefined {
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  const row = target.closest<HTMLElement>('[role="row"]');
  const cluster = fleet.clusters[Number(target.closest<HTMLElement>('.card')?.dataset.cluster)];
  const state = Number(row?.dataset.state);
  const data = cluster?.states[state];
  const pool = data?.pools.find((one) => fleet.text(factsOf(fleet, one).name) === row?.dataset.pool);
  const group = pool?.groups[Number(cell?.dataset.group)];
  if (!cluster || !data || !pool || !group) return undefined;
  const pod = target.closest<HTMLElement>('.seg')?.dataset.pod;
  return { cluster, state, data, pool, group, ...(pod !== undefined && { pod: Number(pod) }) };
}
