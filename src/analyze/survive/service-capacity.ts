import type { RouteTarget } from '../../routing/select-targets';

/** What answers requests of a service, of several rules that of which the least does. */
export interface AnsweringCapacity {
  /** Replicas that routes reach, of all tiers: those of the next take over where nothing of the first is left. */
  readonly replicas: number;

  /** Endpoints outside the fleet, which no loss takes. Where there is one, any number of replicas is none too few. */
  readonly endpoints: number;
}

/** What answers a service and by how many gateways, one a cluster. Without any nobody reaches what answers. */
export interface ReachableCapacity extends AnsweringCapacity {
  readonly doors: number;
}

/** What answers the rule of which the least does, and nothing where nothing ever answered any. */
export function findLeastAnswering(
  rules: readonly (readonly RouteTarget[])[],
): AnsweringCapacity | undefined {
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

/** How many replicas answer; no number is too high where an endpoint outside the fleet does. */
function countAnswering({ replicas, endpoints }: AnsweringCapacity): number {
  return endpoints > 0 ? Number.POSITIVE_INFINITY : replicas;
}

/** How many replicas answer as far as clients reach them. */
export function countReachable(reached: ReachableCapacity): number {
  return reached.doors > 0 ? countAnswering(reached) : 0;
}
