import { groupBy } from '../order';
import type { Assignment } from '../scheduler/fit';
import type { Charge } from '../scheduler/ledger';
import { takesNode } from '../scheduler/takes-node';
import type { Usage } from './plan';

/** What the pods of a replica take, by pool. */
export function usageOf({ charges }: Assignment): Usage[] {
  return [...groupBy(charges, ({ pool }) => pool)].map(([pool, own]) => {
    const surge = sumByRequest(own, (charge) => charge.surge);
    return {
      pool: pool.name,
      nodes: own
        .filter(({ need }) => takesNode(need, pool.node.counts))
        .reduce((nodes, { pods }) => nodes + pods, 0),
      devices: sumByRequest(own, ({ pods }) => pods),
      ...(Object.keys(surge).length > 0 && { surge }),
      share: shareOf(own, ({ pods, surge }) => pods - surge),
      ...(own.some((charge) => charge.surge > 0) && { surgeShare: shareOf(own, (charge) => charge.surge) }),
    };
  });
}

/** Parts of nodes added up. Digits beyond the tenth are those of binary fractions. */
function shareOf(charges: readonly Charge[], podsOf: (charge: Charge) => number): number {
  const share = charges.reduce((sum, charge) => sum + charge.share * podsOf(charge), 0);
  return Number(share.toFixed(10));
}

function sumByRequest(
  charges: readonly Charge[],
  podsOf: (charge: Charge) => number,
): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const charge of charges.filter((one) => podsOf(one) > 0)) {
    for (const [request, count] of Object.entries(charge.perPod)) {
      devices[request] = (devices[request] ?? 0) + count * podsOf(charge);
    }
  }
  return devices;
}
