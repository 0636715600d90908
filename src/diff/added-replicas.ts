import type { ModelDeployment } from '../api/model-deployment';
import { lazily } from '../base/memoize';
import { poolKeyOf } from '../cost/pool-prices';
import type { ReplicaChange, ReplicaLocation } from '../plan/replica-moves';
import { haveSamePools, type Placement } from '../scheduler/placement';
import { type CloudChange, isShrunk } from './cloud-changes';
import type { FleetState } from './fleet-state';
import { addDisruption, type Disruptions } from './pool-disruption';
import { type Cause, type ChangesById, findReplicaCauses, movesToPool } from './replica-causes';
import type { RolloutRoom } from './rollout-room';
import type { ServingDuringChange } from './serving-during-change';

/** What a change does to the replicas of a deployment of which too few serve. */
export interface ShortDeployment {
  readonly deployment: string;
  readonly changes: readonly (ReplicaChange & { readonly causes: readonly Cause[] })[];

  /** The number of those that stay as they are. */
  readonly kept: number;
  readonly serving: ServingDuringChange;

  /** The room that a surge of it lacks. Absent: no surge helps. */
  readonly room?: Pick<RolloutRoom, 'for' | 'missing' | 'nextTo'>;
}

/** A deployment to which an earlier change adds replicas. */
export interface HelpedDeployment {
  readonly diff: ShortDeployment;
  readonly deployment: ModelDeployment;
}

/** What decides what a change does to replicas. */
export interface ChangedStates {
  readonly after: FleetState;
  readonly changed: ChangesById;
  readonly disruptions: Disruptions;
  readonly cloud: readonly CloudChange[];
}

type ListAddedChanges = (
  added: readonly Placement[],
  newPool: string | undefined,
  helped: HelpedDeployment,
) => ReplicaChange[];

/** Creates a function that lists what a change does to replicas that an earlier change adds. */
export function createAddedChanges(states: ChangedStates): ListAddedChanges {
  const { cloud, disruptions } = states;
  const shrunk = new Set(cloud.filter(isShrunk).map(({ cluster, name }) => poolKeyOf(cluster, name)));
  return (added, newPool, helped) => {
    const { diff, deployment } = helped;
    const first = Math.max(0, ...diff.changes.map(({ wave = 0 }) => wave)) + 1;
    return added.map(({ cluster, index, pools }, i): ReplicaChange => {
      const place = { cluster, index, pools };
      const wave = first + Math.floor(i / deployment.spec.rollout.parallel);
      const down = restartsAt(place, helped, states);
      const change: ReplicaChange =
        down === undefined ? { action: 'keep', ...place } : { action: 'roll', ...place, wave, down };
      const on = Object.values(pools);
      if (newPool !== undefined && on.includes(newPool)) return change;
      if (on.some((pool) => shrunk.has(poolKeyOf(cluster, pool)))) {
        return { ...change, action: 'roll', nodes: 'replace' };
      }
      return addDisruption(change, disruptions.find(deployment, change)).change;
    });
  };
}

/** Whether a replica at a place stops serving while its pods are replaced. Undefined: they are not replaced. */
function restartsAt(
  place: ReplicaLocation,
  { diff: { changes, kept }, deployment }: HelpedDeployment,
  { changed, after }: ChangedStates,
): boolean | undefined {
  const isConcerned = lazily(() => {
    const context = { changed, fleet: after.decision.fleet, deployment };
    return !findReplicaCauses({ action: 'roll', ...place }, context).every(isEditOfPool);
  });
  const like = changes.find((one) => rollsWith(one, place) && (!rollsForItsCluster(one, place) || isConcerned()));
  if (like) return like.down === true;
  // Another replica shows that its pods stay.
  if (kept > 0 || changes.some((one) => one.action === 'roll' && !movesToPool(one))) return undefined;
  return isConcerned() ? true : undefined;
}

/** Whether the pods of a replica are replaced only for edits of its cluster, which a place on another one does not have. */
function rollsForItsCluster(change: ShortDeployment['changes'][number], { cluster }: ReplicaLocation): boolean {
  const own = `InferenceCluster ${change.cluster}`;
  return change.cluster !== cluster && change.causes.every(({ id }) => id === own);
}

/** Whether the pods of a replica at a place are replaced for the same reason as those of another one. */
function rollsWith(change: ShortDeployment['changes'][number], { cluster, pools }: ReplicaLocation): boolean {
  if (change.action !== 'roll' || change.wave === undefined || movesToPool(change)) return false;
  const isSame = change.cluster === cluster && haveSamePools(change.pools, pools);
  return isSame || !change.causes.every(isEditOfPool);
}

function isEditOfPool({ id, field }: Cause): boolean {
  return id.startsWith('InferenceClass ') || field?.field.startsWith('spec.nodePools[') === true;
}
