import { lazily } from '../base/memoize';
import type { PlacedFleet } from '../plan/decision';
import { placeMissing } from '../scheduler/applied-remedy';
import { createRoomNotes } from './room-to-add';

/** A number of replicas that has room and is enough. */
export interface EnoughReplicas {
  readonly replicas: number;

  /** ` (room on us/h100; cost unchanged)`. */
  readonly room: string;
}

/**
 * Finds the smallest number of replicas of a deployment that is enough, by the cluster of each. Undefined: none that is
 * tried has room and is.
 */
type FindEnoughReplicas = (
  deployment: string,
  isEnough: (clusters: readonly string[]) => boolean,
) => EnoughReplicas | undefined;

/** The most replicas to add. */
const MAX_ADDED = 8;

/** The most replicas to place in all trials together: a comparison has to be quick. */
const TRIED_REPLICAS = 100_000;

/** Creates a function that adds replicas next to all others, one after the other, until they are enough. */
export function createReplicaTrials(
  fleet: Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'schedule'>,
): FindEnoughReplicas {
  const { model, matcher, schedule } = fleet;
  const { placements } = schedule;
  const noteRoom = lazily(() => createRoomNotes(fleet));
  let left = TRIED_REPLICAS;
  return (id, isEnough) => {
    const compiled = model.deployments.find((one) => one.id === id);
    if (!compiled) return undefined;
    for (let added = 1; added <= MAX_ADDED; added++) {
      left -= placements.length;
      if (left < 0) return undefined;
      const deployment = { ...compiled, replicas: compiled.replicas + added };
      const placed = placeMissing({ model, placements, deployment }, placements, matcher);
      if (placed.added.length < added) return undefined;
      const own = placed.placements.filter((one) => one.deployment === id && one.draining !== true);
      if (isEnough(own.map(({ cluster }) => cluster))) {
        return { replicas: deployment.replicas, room: noteRoom()(id, added) };
      }
    }
    return undefined;
  };
}
