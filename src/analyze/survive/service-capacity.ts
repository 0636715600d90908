import type { RouteTarget } from '../../routing/select-targets';

/** What answers requests to a service. Of several rules, the rule with the least capacity counts. */
export interface AnsweringCapacity {
  /** Replicas that routes reach, of all tiers. A tier takes over when no replica of the tier before remains. */
  readonly replicas: number;

  /** Endpoints outside the fleet, which no loss affects. With an endpoint, any number of replicas is enough. */
  readonly endpoints: number;
}

/**
 * What answers a service, and how many gateways lead to it, one per cluster. Without a gateway, no client reaches it.
 */
export interface ReachableCapacity extends AnsweringCapacity {
  readonly gateways: number;
}

/** Finds the capacity of the rule that has the least. Returns `undefined` without rules. */
export function findLeastAnswering(rules: readonly (readonly RouteTarget[])[]): AnsweringCapacity | undefined {
  return rules.map(answeringCapacityOf).reduce<AnsweringCapacity | undefined>(smallerOf, undefined);
}

function answeringCapacityOf(targets: readonly RouteTarget[]): AnsweringCapacity {
  const replicas = targets.map((target) => (target.kind === 'Edge' ? target.replicas.length : 0));
  return {
    replicas: replicas.reduce((sum, one) => sum + one, 0),
    endpoints: targets.filter(({ kind }) => kind === 'External').length,
  };
}

function smallerOf(least: AnsweringCapacity | undefined, one: AnsweringCapacity): AnsweringCapacity {
  return least && countAnswering(least) <= countAnswering(one) ? least : one;
}

/** Counts the replicas that answer. The count is infinite if an endpoint outside the fleet answers. */
function countAnswering({ replicas, endpoints }: AnsweringCapacity): number {
  return endpoints > 0 ? Number.POSITIVE_INFINITY : replicas;
}

/** Counts the replicas that answer and that clients can reach. */
export function countReachable(reached: ReachableCapacity): number {
  return reached.gateways > 0 ? countAnswering(reached) : 0;
}
