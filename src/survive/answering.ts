import type { Target } from '../routing/select';

/** What answers requests of a service, of several rules that of which the least does. */
export interface Answering {
  /** Replicas that routes reach, of all tiers: those of the next take over where nothing of the first is left. */
  readonly replicas: number;

  /** Endpoints outside the fleet, which no loss takes. Where there is one, any number of replicas is none too few. */
  readonly endpoints: number;
}

/** What answers a service and by how many gateways, one a cluster. Without any nobody reaches what answers. */
export interface Reached extends Answering {
  readonly doors: number;
}

/** What answers the rule of which the least does, and nothing where nothing ever answered any. */
export function leastAnswering(rules: readonly (readonly Target[])[]): Answering | undefined {
  return rules.map(answeringOf).reduce<Answering | undefined>(fewer, undefined);
}

function answeringOf(targets: readonly Target[]): Answering {
  const replicas = targets.map((target) => (target.kind === 'Edge' ? target.replicas.length : 0));
  return {
    replicas: replicas.reduce((sum, one) => sum + one, 0),
    endpoints: targets.filter(({ kind }) => kind === 'External').length,
  };
}

function fewer(least: Answering | undefined, one: Answering): Answering {
  return least && standing(least) <= standing(one) ? least : one;
}

/** How many replicas answer; no number is too high where an endpoint outside the fleet does. */
function standing({ replicas, endpoints }: Answering): number {
  return endpoints > 0 ? Number.POSITIVE_INFINITY : replicas;
}

/** How many replicas answer as far as clients reach them. */
export function reachedBy(reached: Reached): number {
  return reached.doors > 0 ? standing(reached) : 0;
}
