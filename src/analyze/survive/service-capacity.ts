/** A target of a rule, and the number of its replicas and endpoints. */
interface CountedTarget {
  readonly count: number;

  /** The cluster of replicas. Absent: an endpoint outside the fleet. */
  readonly cluster?: string;
}

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
export function findLeastAnswering(rules: readonly (readonly CountedTarget[])[]): AnsweringCapacity | undefined {
  return rules.map(answeringCapacityOf).reduce<AnsweringCapacity | undefined>(smallerOf, undefined);
}

function answeringCapacityOf(targets: readonly CountedTarget[]): AnsweringCapacity {
  let [replicas, endpoints] = [0, 0];
  for (const { cluster, count } of targets) {
    if (cluster === undefined) endpoints += count;
    else replicas += count;
  }
  return { replicas, endpoints };
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
