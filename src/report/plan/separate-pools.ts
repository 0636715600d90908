import { formatCount } from '../../base/figures';
import type { ShortfallPlan } from '../../plan/plan';
import type { Rejection } from '../../scheduler/reason';

/**
 * Names a remedy for whole nodes that exist and that a pool cannot guarantee, because its small pods may be on any of
 * them: nodes in a pool of their own. It is not tried: small pods of several sizes may not fit on the other nodes. Only
 * next to packing, which helps the same pools. Empty where no pod takes a whole node.
 */
export function adviseOnSeparatePools({
  rejections,
  remedies,
}: Pick<ShortfallPlan, 'rejections' | 'remedies'>): string[] {
  if (!remedies.some(({ kind }) => kind === 'packing')) return [];
  return rejections
    .flatMap(({ cluster, pool, reason }) => {
      if (pool === undefined || !needsWholeNodes(reason)) return [];
      const nodes = `${formatCount(reason.pods)} of its ${formatCount(reason.nodes)} nodes`;
      return [
        `or, not tried: separate pools for small and large replicas (a second pool of the class of ${cluster} / ${pool} with ${nodes})`,
      ];
    })
    .slice(0, 1);
}

/** Whether pods that take all devices of a node each would fit if the others were packed on few nodes. */
function needsWholeNodes(reason: Rejection['reason']): reason is Extract<Rejection['reason'], { filter: 'capacity' }> {
  if (reason.filter !== 'capacity' || !reason.packs || reason.resources || reason.pods >= reason.nodes) return false;
  const perPod = Object.values(reason.perPod).reduce((sum, count) => sum + count, 0);
  return perPod * reason.nodes === reason.inUse + reason.free;
}
