import type { Charge, Ledger } from './ledger';
import { needKey } from './need';
import type { NodeResource } from './shapes';
import type { Reason, ShortResource } from './types';

/**
 * The numbers of a capacity rejection: what the charges of one engine on one pool ask for, and what is left.
 * Where the members of an engine differ, those that take the most devices a pod stand for it.
 */
export function shortage(ledger: Ledger, charges: readonly Charge[]): Reason & { filter: 'capacity' } {
  const [largest] = [...charges].sort((a, b) => size(b) - size(a));
  if (!largest) throw new Error('bug: a shortage without charges');
  const { pool, need, engine, perPod } = largest;
  const same = charges.filter((charge) => charge.pool === pool && needKey(charge.need) === needKey(need));
  const resources = shortResources(ledger, charges, largest);
  const lost = ledger.lost(pool);
  return {
    filter: 'capacity',
    engine,
    pods: same.reduce((pods, charge) => pods + charge.pods, 0),
    surge: same.reduce((pods, charge) => pods + charge.surge, 0),
    perPod,
    ...(resources.length > 0 && { resources }),
    room: ledger.room(pool, need),
    nodes: ledger.nodes(pool),
    ...(lost > 0 && { lost }),
    missingNodes: ledger.missingNodes(pool, charges),
    packs: ledger.packs(pool, charges),
  };
}

/** CPU or memory, where without it the charges would fit: then it is not devices that are short. */
function shortResources(ledger: Ledger, charges: readonly Charge[], { pool, need }: Charge): ShortResource[] {
  const enough = (some: readonly NodeResource[]): boolean => {
    const kinds = some.map(({ kind }) => kind);
    return ledger.missingNodes(pool, charges, kinds) === 0;
  };
  const { resources } = pool.node;
  const alone = resources.filter((resource) => enough([resource]));
  const short = alone.length === 0 && enough(resources) ? resources : alone;
  return short.map(({ name, kind }) => ({ resource: name, perPod: amountOf(need, kind) }));
}

function amountOf(need: Charge['need'], kind: number): number {
  return need === 'node' ? 0 : (need.find(({ kinds }) => kinds.includes(kind))?.count ?? 0);
}

function size({ perPod }: Charge): number {
  return Object.values(perPod).reduce((sum, count) => sum + count, 0);
}
