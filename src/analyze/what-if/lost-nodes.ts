import { qualifiedNameOf } from '../../api/resource';
import type { Diagnostic } from '../../base/diagnostic';
import { groupBy, sortUnique } from '../../base/order';
import { type CloudChange, diffCloudOf } from '../../diff/cloud-changes';
import { findFewerNodes } from '../../diff/fewer-nodes';
import { findLostNodes } from '../../diff/lost-nodes';
import { addDisruption, findDisruptions } from '../../diff/pool-disruption';
import { countServing, type ServingDuringChange } from '../../diff/serving-during-change';
import type { PlacedFleet } from '../../plan/decision';
import { locationKeyOf, type ReplicaChange, replicaChangesOf } from '../../plan/replica-moves';
import { groupByDeployment, isSamePlacement, type Placement, placementKeyOf } from '../../scheduler/placement';
import type { Step } from './scenario';

/** What happens to the replicas of a deployment where pools lose nodes. */
export interface LostNodes {
  /** Replicas that serve until the change on nodes that go, or may go. Those that stay there restart, or may. */
  readonly onLostNodes: readonly ReplicaChange[];

  /** How many replicas serve while the change is applied. */
  readonly serving: ServingDuringChange;
}

/** @internal */
type Placed = Pick<PlacedFleet, 'fleet' | 'schedule' | 'model' | 'matcher' | 'held'>;

/** @internal */
interface PlacedStates {
  readonly before: Placed;
  readonly after: Placed;
}

/** What a plan says of the edits of a scenario by which pools lose nodes. */
interface NodeLosses {
  /** By the ID of each deployment of which a replica changes, restarts, or may restart. */
  readonly byDeployment: ReadonlyMap<string, LostNodes>;

  /** What to do before the edits are applied. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Finds what happens to replicas while the nodes of a scenario go, in which pools lose nodes or are removed. Undefined for
 * others.
 *
 * @internal
 */
export function findNodeLosses(states: PlacedStates, steps: readonly Step[]): NodeLosses | undefined {
  const clusters = new Set(steps.flatMap(listShrunkClusters));
  if (clusters.size === 0) return undefined;
  const cloud = diffCloudOf(states.before.fleet, states.after.fleet, clusters);
  // No manifest changes where all replicas keep their places.
  const objects = keepsPlaces(states) ? { objects: [] } : {};
  return {
    byDeployment: findByDeployment(states, cloud),
    warnings: findFewerNodes({ cloud, declarations: [], ...objects }, { ...states, at: 'what-if' }),
  };
}

function keepsPlaces({ before, after }: PlacedStates): boolean {
  const [was, is] = [before.schedule.placements, after.schedule.placements];
  const former = new Map(was.map((one) => [placementKeyOf(one), one]));
  return was.length === is.length && is.every((one) => isSamePlacement(one, former.get(placementKeyOf(one))));
}

function listShrunkClusters(step: Step): string[] {
  const isShrunk = step.kind === 'remove-pool' || (step.kind === 'add-nodes' && step.nodes < 0);
  return isShrunk ? [step.cluster] : [];
}

function findByDeployment(states: PlacedStates, cloud: readonly CloudChange[]): ReadonlyMap<string, LostNodes> {
  const compared = compareReplicas(states);
  const disruptions = findDisruptions(cloud, states);
  const lost = findLostNodes(cloud, compared, states);
  const countStaying = createStayingCounter(states);
  return new Map(
    states.after.fleet.deployments.flatMap((deployment): [string, LostNodes][] => {
      const id = qualifiedNameOf(deployment);
      const changes = (compared.get(id) ?? []).map((change) => {
        return addDisruption(change, disruptions.find(deployment, change) ?? lost.get(change)).change;
      });
      if (changes.every(({ action }) => action === 'keep')) return [];
      const onLostNodes = changes.filter(({ nodes }) => nodes !== undefined);
      return [[id, { onLostNodes, serving: countServing(deployment, changes, countStaying(id)) }]];
    }),
  );
}

/** Lists the changes of the replicas of each deployment. One that drains before and after serves as one that stays. */
function compareReplicas({ before, after }: PlacedStates): ReadonlyMap<string, readonly ReplicaChange[]> {
  const [earlier, later] = [before, after].map(({ schedule }) => groupByDeployment(schedule.placements));
  const evictions = groupBy(after.schedule.evictions, ({ placement }) => placement.deployment);
  return new Map(
    sortUnique([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])]).map((id) => {
      const was = earlier?.get(id) ?? [];
      const draining = new Set(was.filter((one) => one.draining).map(locationKeyOf));
      const changes = replicaChangesOf(was, later?.get(id) ?? [], evictions.get(id) ?? []);
      return [
        id,
        changes.map((change): ReplicaChange => {
          const stays = change.action === 'draining' && draining.has(locationKeyOf(change));
          return stays ? { ...change, action: 'keep' } : change;
        }),
      ];
    }),
  );
}

function createStayingCounter({ before, after }: PlacedStates) {
  const [earlier, later] = [before, after].map(({ schedule }) =>
    groupByDeployment(schedule.placements.filter(isStaying)),
  );
  return (id: string) => ({ before: earlier?.get(id)?.length ?? 0, after: later?.get(id)?.length ?? 0 });
}

function isStaying({ draining }: Placement): boolean {
  return draining !== true;
}
