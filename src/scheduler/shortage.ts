import type { Charge, Ledger } from './ledger';
import { needKey } from './need';
import type { Reason } from './types';

/**
 * The numbers of a capacity rejection: what the charges of one engine on one pool ask for, and what is left.
 * Where the members of an engine differ, those that take the most devices a pod stand for it.
 */
export function shortage(ledger: Ledger, charges: readonly Charge[]): Reason & { filter: 'capacity' } {
  const [largest] = [...charges].sort((a, b) => size(b) - size(a));
  if (!largest) throw new Error('bug: a shortage without charges');
  const { pool, need, engine, perPod } = largest;
  const same = charges.filter((charge) => charge.pool === pool && needKey(charge.need) === needKey(need));
  return {
    filter: 'capacity',
    engine,
    pods: same.reduce((pods, charge) => pods + charge.pods, 0),
    perPod,
    room: ledger.room(pool, need),
    nodes: ledger.nodes(pool),
    missingNodes: ledger.missingNodes(pool, charges),
    packs: ledger.packs(pool, charges),
  };
}

function size({ perPod }: Charge): number {
  return Object.values(perPod).reduce((sum, count) => sum + count, 0);
}
