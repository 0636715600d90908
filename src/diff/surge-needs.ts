import { isGang } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { findPoolPrices, poolKeyOf } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { DeploymentDiff } from './deployment-diff';

/** Nodes that `rollout.surge: 1` reserves next to a replica, so that new gangs start while the old ones serve. */
export interface SurgeNeed {
  /** `cluster/pool`. */
  readonly pool: string;

  /** The nodes for one replica: one for each pod of a gang, which takes whole nodes. */
  readonly nodes: number;

  /** The replicas on the pool that restart without a surge. */
  readonly replicas: number;

  /** What the nodes of all these replicas cost. Absent: the pool has no known price. */
  readonly cost?: { readonly perMonth: number; readonly currency: string };
}

/** Finds what a surge of gangs needs that a change restarts in place. Empty if it restarts none. */
export function findSurgeNeeds({ deployment, changes }: DeploymentDiff, { fleet }: PlacedFleet): SurgeNeed[] {
  const declared = indexDeploymentsById(fleet.deployments).get(deployment);
  if (!declared) return [];
  const needs = new Map<string, { nodes: number; replicas: number }>();
  for (const { action, down, cluster, pools } of changes) {
    if (action !== 'roll' || !down) continue;
    for (const [pool, nodes] of gangNodesByPool(declared, pools)) {
      const key = poolKeyOf(cluster, pool);
      needs.set(key, { nodes, replicas: (needs.get(key)?.replicas ?? 0) + 1 });
    }
  }
  const prices = needs.size > 0 ? findPoolPrices(fleet) : undefined;
  return [...needs].map(([pool, need]) => {
    const price = prices?.get(pool);
    const perMonth = need.nodes * need.replicas * (price?.perHour ?? 0) * HOURS_PER_MONTH;
    return { pool, ...need, ...(price && { cost: { perMonth, currency: price.currency } }) };
  });
}

function gangNodesByPool({ spec }: ModelDeployment, pools: Readonly<Record<string, string>>): Map<string, number> {
  const nodes = new Map<string, number>();
  for (const engine of spec.template.spec.engines.filter(isGang)) {
    const pool = pools[engine.name];
    const count = engine.members.reduce((sum, { worker }) => sum + (worker?.nodes ?? 1), 0);
    if (pool !== undefined) nodes.set(pool, (nodes.get(pool) ?? 0) + count);
  }
  return nodes;
}
