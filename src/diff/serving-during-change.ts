import type { ModelDeployment } from '../api/model-deployment';
import type { ReplicaChange } from '../plan/replica-moves';

/** The number of replicas of a deployment before and after a change, without those that are draining. */
interface ReplicaCounts {
  readonly before: number;
  readonly after: number;
}

/** How many replicas of a deployment serve while a change is applied. */
export interface ServingDuringChange extends ReplicaCounts {
  /** The fewest at any time where replicas are replaced wave by wave. */
  readonly withWaves: number;

  /** The fewest at any time where all of them are replaced at once. */
  readonly atOnce: number;

  /** Whether the deployment asks for that: `rollout: Recreate`. */
  readonly recreate: boolean;
}

/**
 * Computes a lower bound of the replicas that serve while changes are applied. A placed replica counts only after the
 * change; a removed replica does not count. For a move, the old replica counts if it serves until the new one is
 * settled.
 */
export function countServing(
  deployment: ModelDeployment,
  changes: readonly ReplicaChange[],
  counts: ReplicaCounts,
): ServingDuringChange {
  const of = (...actions: ReplicaChange['action'][]): ReplicaChange[] =>
    changes.filter(({ action }) => actions.includes(action));
  const rolled = of('roll');
  const down = rolled.filter(({ down }) => down);
  const surging = of('move').filter(({ surgeFirst }) => surgeFirst);
  const stay = of('keep', 'draining').length + surging.length + rolled.length - down.length;
  const perWave = new Map<number, number>();
  for (const { wave = 1 } of down) perWave.set(wave, (perWave.get(wave) ?? 0) + 1);
  return {
    ...counts,
    withWaves: stay + down.length - Math.max(0, ...perWave.values()),
    atOnce: stay,
    recreate: deployment.spec.rollout.strategy === 'Recreate',
  };
}

/** Whether a change leaves a deployment without any serving replica although it does not declare `Recreate`. */
export function isOutage({ before, after, recreate, ...lowest }: ServingDuringChange, waves: boolean): boolean {
  return before > 0 && after > 0 && !recreate && (waves ? lowest.withWaves : lowest.atOnce) === 0;
}
