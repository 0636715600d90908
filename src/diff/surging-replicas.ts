import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import type { ModelExpansion, ModelVariant } from '../fleet/models/model-layouts';
import type { PlacedFleet } from '../plan/decision';
import { addNodes, changeCompiledCluster } from '../scheduler/changed-demands';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import type { CompiledDeployment, CompiledFleet, ReplicaDemand } from '../scheduler/compiled-fleet';
import { haveSamePools, type Placement, placementKeyOf, variantsOf } from '../scheduler/placement';
import type { MissingNodes, WantedPods } from '../scheduler/room-in-place';
import { scheduleState } from '../scheduler/schedule';

/** Compiles a deployment as if it declared `rollout.surge: 1`. */
export function compileSurging(deployment: ModelDeployment, fleet: Fleet): CompiledDeployment | undefined {
  const id = qualifiedNameOf(deployment);
  const expansion = fleet.expansions?.get(id);
  const expansions = new Map(expansion ? [[id, withSurgingVariants(expansion)]] : []);
  const { former: _, ...others } = fleet;
  const surging = { ...others, deployments: [withSurge(deployment)], expansions };
  return compileDeployments(surging, () => '').deployments[0];
}

/** What all replicas of a deployment take with a surge, which a plan reserves for each of them. */
export function listSurgingPods(now: readonly Placement[], surging: CompiledDeployment): WantedPods[] {
  const variants = variantsOf(surging);
  const demandOf = ({ shape }: Placement): ReplicaDemand | undefined =>
    (variants.find((one) => one.shape === shape) ?? variants[0])?.demand;
  return now.flatMap((placement) => {
    const demand = demandOf(placement);
    return demand ? [{ placement, demand, instead: true }] : [];
  });
}

/**
 * Whether the replicas of a deployment get the same places with a surge and further nodes, and no other deployment loses
 * more of them. Where replicas lose their places, a surge can change which of them do, and where they go.
 */
export function keepsPlacesWithSurge(
  surging: CompiledDeployment,
  missing: readonly MissingNodes[],
  { before, planned }: Readonly<Record<'before' | 'planned', PlacedFleet>>,
): boolean {
  const { id } = surging;
  const deployments = planned.model.deployments.map((one) => {
    return one.id === id ? { ...surging, previousRevisions: one.previousRevisions } : one;
  });
  const model = missing.reduce<CompiledFleet>(
    (fleet, { cluster, pool, nodes }) => changeCompiledCluster(fleet, cluster, (one) => addNodes(one, pool, nodes)),
    { ...planned.model, deployments },
  );
  const state = scheduleState(model, before.schedule.placements, planned.matcher);
  if (state.withoutSurge.some((one) => one.deployment === id)) return false;
  const lacking = deployments.reduce((sum, one) => sum + state.missing(one), 0);
  if (lacking > planned.schedule.shortfalls.reduce((sum, one) => sum + one.missing, 0)) return false;
  const isOwn = ({ deployment, draining }: Placement): boolean => deployment === id && draining !== true;
  const placed = new Map(
    state
      .placements()
      .filter(isOwn)
      .map((one) => [placementKeyOf(one), one]),
  );
  const wanted = planned.schedule.placements.filter(isOwn);
  return (
    wanted.length === placed.size &&
    wanted.every((one) => haveSamePools(placed.get(placementKeyOf(one))?.pools ?? {}, one.pools))
  );
}

function withSurgingVariants({ variants: [first, ...others], ...expansion }: ModelExpansion): ModelExpansion {
  return { ...expansion, variants: [withSurgingReplicas(first), ...others.map(withSurgingReplicas)] };
}

function withSurgingReplicas(variant: ModelVariant): ModelVariant {
  return { ...variant, deployment: withSurge(variant.deployment) };
}

function withSurge(deployment: ModelDeployment): ModelDeployment {
  const { spec } = deployment;
  return { ...deployment, spec: { ...spec, rollout: { ...spec.rollout, surge: 1 } } };
}
