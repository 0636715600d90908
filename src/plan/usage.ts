import { groupBy } from '../order';
import type { Assignment } from '../scheduler/fit';
import type { Charge } from '../scheduler/ledger';
import type { Usage } from './plan';

/** What the pods of a replica take, by pool. */
export function usageOf({ charges }: Assignment): Usage[] {
  return [...groupBy(charges, ({ pool }) => pool)].map(([pool, own]) => ({
    pool: pool.name,
    nodes: own.filter(takesNode).reduce((nodes, { pods }) => nodes + pods, 0),
    devices: sumByRequest(own),
  }));
}

/** Whether no other pod that needs the same kind of device fits beside a pod. */
function takesNode({ need, pool }: Charge): boolean {
  const { counts } = pool.node;
  return need === 'node' || need.some(({ count, kinds }) => kinds.every((kind) => count === counts[kind]));
}

function sumByRequest(charges: readonly Charge[]): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const { perPod, pods } of charges) {
    for (const [request, count] of Object.entries(perPod)) {
      devices[request] = (devices[request] ?? 0) + count * pods;
    }
  }
  return devices;
}
