import { groupBy } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';
import { fitReplica } from './fit-replica';
import { createReasonLookup, type PlacedModel, type PlacementReason } from './placement-reasons';
import { RejectionFinder } from './rejections';
import { retainPlacements } from './retain-placements';
import type { Rejection } from './schedule-result';
import { type Placement, variantsOf } from './placement';
import { SchedulingState } from './scheduling-state';

/** The state of a deployment on every cluster of the fleet. */
export interface DeploymentExplanation {
  readonly deployment: CompiledDeployment;
  readonly clusters: readonly ClusterExplanation[];
}

/** The replicas of a deployment on one cluster, and the reasons against a further one. */
export interface ClusterExplanation {
  readonly cluster: string;
  readonly placements: readonly Placement[];
  /** Why each of the placements is on the cluster, in their order. */
  readonly reasons: readonly PlacementReason[];
  /** Why no further replica fits on the cluster. Empty if one would. */
  readonly rejections: readonly Rejection[];
}

/** Explains, for one deployment and all placements of a fleet, where its replicas are and why no more fit elsewhere. */
export function explainDeployment(placed: PlacedModel, deployment: CompiledDeployment): DeploymentExplanation {
  const { model } = placed;
  const state = new SchedulingState(model);
  retainPlacements(state, placed.schedule.placements);
  const reasonFor = createReasonLookup(placed, deployment);
  const ownPlacements = state.placements().filter((placement) => placement.deployment === deployment.id);
  const { rejections } = new RejectionFinder(state).of(deployment);
  const rejectionsByCluster = groupBy(rejections, ({ cluster }) => cluster);
  const placementsByCluster = groupBy(ownPlacements, ({ cluster }) => cluster);
  const clusters = model.clusters.map((cluster) => {
    const { name } = cluster;
    const found = rejectionsByCluster.get(name) ?? [];
    const fits = found.every(({ reason }) => reason.filter === 'together');
    const room =
      fits &&
      variantsOf(deployment).some(
        ({ demand }) => fitReplica(demand, cluster, state.matcher, state.ledger) !== undefined,
      );
    const own = placementsByCluster.get(name) ?? [];
    return { cluster: name, placements: own, reasons: own.map(reasonFor), rejections: room ? [] : found };
  });
  return { deployment, clusters };
}
