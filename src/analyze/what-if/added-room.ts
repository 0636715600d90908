import { groupBy, sortUnique } from '../../base/order';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { createFurtherRoom } from '../../scheduler/explain-deployment';
import type { FurtherReplicas } from '../../scheduler/further-replicas';
import type { Placement } from '../../scheduler/placement';
import type { Step } from './scenario';

/** The deployments for which a cluster that gets nodes has more room, each alone. */
export interface AddedRoom {
  readonly cluster: string;

  /** By id. */
  readonly deployments: readonly RoomChange[];
}

/** The further replicas of a deployment that have a place on a cluster. */
export interface RoomChange {
  readonly deployment: string;
  readonly before: number;
  readonly after: number;

  /** There may be room for more: no more were tried. */
  readonly atLeast?: true;
}

/** What is placed on a fleet. */
interface PlacedFleet {
  readonly model: CompiledFleet;
  readonly placements: readonly Placement[];
}

/** Finds for which further replicas the nodes of a scenario make room. Empty if no pool gets nodes. */
export function findAddedRoom(
  steps: readonly Step[],
  before: PlacedFleet,
  after: PlacedFleet,
  matcher: PodMatcher,
): AddedRoom[] {
  const grown = listGrownClusters(steps);
  if (grown.length === 0 || after.model.deployments.length === 0) return [];
  const [was, is] = [before, after].map((one) => createRoomCounter(one, matcher));
  return grown.map((cluster) => {
    const deployments = sortUnique(after.model.deployments.map(({ id }) => id)).flatMap((deployment): RoomChange[] => {
      const known = was?.(deployment, cluster)?.count ?? 0;
      const { count = 0, atLeast } = is?.(deployment, cluster) ?? {};
      if (count <= known) return [];
      return [{ deployment, before: known, after: count, ...(atLeast && { atLeast }) }];
    });
    return { cluster, deployments };
  });
}

/** The clusters of which a pool has more nodes after all steps together, by name. */
function listGrownClusters(steps: readonly Step[]): string[] {
  const added = steps.filter((one) => one.kind === 'add-nodes');
  const grown = [...groupBy(added, ({ cluster, pool }) => `${cluster}/${pool}`).values()].filter(
    (own) => own.reduce((sum, { nodes }) => sum + nodes, 0) > 0,
  );
  return sortUnique(grown.flat().map(({ cluster }) => cluster));
}

/** Creates a function that counts the further replicas of a deployment that have a place on a cluster. */
function createRoomCounter(
  { model, placements }: PlacedFleet,
  matcher: PodMatcher,
): (deployment: string, cluster: string) => FurtherReplicas | undefined {
  const room = createFurtherRoom({ model, matcher }, placements);
  const deployments = new Map(model.deployments.map((one) => [one.id, one]));
  const clusters = new Map(model.clusters.map((one) => [one.name, one]));
  return (id, name) => {
    const [deployment, cluster] = [deployments.get(id), clusters.get(name)];
    return deployment && cluster && room.count(deployment, cluster);
  };
}
