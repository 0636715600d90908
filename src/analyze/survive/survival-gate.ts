import { countReachable } from './service-capacity';
import type { FewestReachable, Survival, WorstDeployment } from './survival';

/** A service that the gate refuses, and the least capacity that a loss leaves at once. */
export interface RefusedService extends FewestReachable {
  /** `namespace/name`. */
  readonly service: string;
}

/** Deployments and services that keep too little capacity right after a loss, each with that loss. */
export interface SurvivalRefusals {
  /** Deployments that keep fewer replicas than required. */
  readonly refused: readonly WorstDeployment[];

  /**
   * Services that keep no gateway, or too few replicas behind it. A service that an endpoint outside the fleet answers
   * always has enough.
   */
  readonly refusedServices: readonly RefusedService[];
}

/** Finds what has fewer than `required` replicas right after a loss, or before any loss. */
export function findRefusals(required: number, { deployments, services }: Survival): SurvivalRefusals {
  return {
    refused: deployments.filter(({ atOnce }) => atOnce < required),
    refusedServices: services.flatMap(({ service, fewest }) =>
      fewest && countReachable(fewest) < required ? [{ service, ...fewest }] : [],
    ),
  };
}
