import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import type { ModelExpansion, ModelVariant } from '../fleet/models/model-layouts';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import type { CompiledDeployment, ReplicaDemand } from '../scheduler/compiled-fleet';
import { type Placement, variantsOf } from '../scheduler/placement';
import type { WantedPods } from '../scheduler/room-in-place';

/** Compiles deployments as if each declared `rollout.surge: 1`, by `namespace/name`. */
export function compileSurging(
  deployments: readonly ModelDeployment[],
  fleet: Fleet,
): ReadonlyMap<string, CompiledDeployment> {
  const expansions = new Map(
    deployments.map(qualifiedNameOf).flatMap((id) => {
      const expansion = fleet.expansions?.get(id);
      return expansion ? [[id, withSurgingVariants(expansion)] as const] : [];
    }),
  );
  const { former: _, ...others } = fleet;
  const surging = { ...others, deployments: deployments.map(withSurge), expansions };
  return new Map(compileDeployments(surging, () => '').deployments.map((one) => [one.id, one]));
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
