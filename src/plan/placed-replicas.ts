import type { Wave } from '../scheduler/waves';
import type { Placement, Schedule } from '../scheduler/types';
import type { PlacedReplica } from './plan';
import type { UsageAt } from './usages';

/** The replicas that a schedule places with what each takes, in its order. The plan and its cost show the same. */
export function placedReplicas(
  { placements }: Pick<Schedule, 'placements'>,
  waveOf: (placement: Placement, place: number) => Wave | undefined,
  usageAt: UsageAt,
): PlacedReplica[] {
  return placements.map((placement, i) => {
    return { placement, wave: waveOf(placement, i)?.fleet ?? 1, usage: usageAt(placement) };
  });
}
