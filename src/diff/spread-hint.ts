import { joinNames } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import { isDrainTaint } from '../plan/drains';
import { createFurtherRoom, type FurtherRoom } from '../scheduler/explain-deployment';

/** Replicas that end on one cluster, or in one domain. */
interface GatheredReplicas {
  /** Their deployments: `namespace/name`. */
  readonly deployments: readonly string[];

  /** The clusters that they leave. */
  readonly left: readonly string[];

  /** Whether others serve until they are finalized. */
  readonly isDraining: boolean;

  /** Those that stay. */
  readonly replicas: number;
}

/** What puts replicas on clusters again that they leave. */
export type HintToSpread = (gathered: GatheredReplicas) => string;

/** Creates the hint for the replicas of a fleet. Nothing goes back to a cluster that is drained, gone or full. */
export function createSpreadHint({
  fleet,
  model,
  matcher,
  schedule,
}: Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'schedule'>): HintToSpread {
  let room: FurtherRoom | undefined;
  const hasRoom = (deployments: readonly string[], open: readonly string[]): boolean => {
    // What draining replicas take is free before others are added.
    const further = (room ??= createFurtherRoom(
      { model, matcher },
      schedule.placements.filter(({ draining }) => !draining),
    ));
    const clusters = model.clusters.filter(({ name }) => open.includes(name));
    return model.deployments.some(
      (one) => deployments.includes(one.id) && clusters.some((cluster) => further.has(one, cluster)),
    );
  };
  return ({ deployments, left, isDraining, replicas }) => {
    const open = fleet.clusters.flatMap(({ metadata: { name }, spec }) =>
      left.includes(name) && !spec.taints.some(isDrainTaint) ? [name] : [],
    );
    if (replicas < 2 || open.length === 0) return KEEP_TWO_CLUSTERS;
    if (!hasRoom(deployments, open)) {
      return `${KEEP_TWO_CLUSTERS}: ${joinNames(open)} ${open.length === 1 ? 'has' : 'have'} no room for another one`;
    }
    const when = isDraining ? " after 'lock --finalize'" : '';
    return `To spread again${when}: raise 'replicas' by 1, and lower it when the new replica serves`;
  };
}

const KEEP_TWO_CLUSTERS = 'Keep replicas on two clusters';
