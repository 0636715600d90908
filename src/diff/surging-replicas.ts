import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import type { ModelExpansion, ModelVariant } from '../fleet/models/model-layouts';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import type { CompiledDeployment, ReplicaDemand } from '../scheduler/compiled-fleet';
import { type Placement, variantsOf } from '../scheduler/placement';
import type { WantedPods } from '../scheduler/room-in-place';

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
