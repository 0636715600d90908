import { countReachable } from './service-capacity';
import type { FewestReachable, Survival, WorstDeployment } from './survival';

/** A service with what answers it at once when the least does. */
export interface RefusedService extends FewestReachable {
  /** `namespace/name`. */
  readonly service: string;
}

/** What keeps too little at once, with the loss that leaves so little. */
export interface SurvivalRefusals {
  /** Deployments with replicas that keep fewer than are required. */
  readonly refused: readonly WorstDeployment[];

  /**
   * Services that something answers, and then no gateway is left or too few replicas behind it. One that an endpoint
   * outside the fleet answers has enough.
   */
  readonly refusedServices: readonly RefusedService[];
}

/** What keeps fewer than so many replicas at once through some loss, or has fewer before any. */
export function findRefusals(required: number, { deployments, services }: Survival): SurvivalRefusals {
  return {
    refused: deployments.filter(({ atOnce }) => atOnce < required),
    refusedServices: services.flatMap(({ service, fewest }) =>
      fewest && countReachable(fewest) < required ? [{ service, ...fewest }] : [],
    ),
  };
}
