import type { InferenceClass } from '../../api/inference-class';
import { tolerationsOf } from '../../render/pod/scheduling';
import { groupNodesByPool, type NodeInfo } from '../../snapshot/node-info';
import type { Listing } from '../listing';
import { toSnapshot } from '../live-snapshot';
import { type ExaminedCluster, type ExaminedPool, isDriverPending } from './check';

/** A cluster and the listings that show its pools. */
export type ObservedPools = Omit<ExaminedCluster, 'seen'> & {
  readonly seen: { readonly lists: Readonly<Record<'nodes' | 'pods' | 'slices', Listing>> };
};

/** Returns the declared pools of a cluster with the nodes that exist. */
export function examinePools(examined: ObservedPools): ExaminedPool[] {
  const { cluster, fleet, locate, seen } = examined;
  const views = groupNodesByPool(toSnapshot(cluster.metadata.name, seen.lists), cluster);
  return cluster.spec.nodePools.flatMap((pool) => {
    const declared = fleet.classes.find(({ metadata }) => metadata.name === pool.className);
    if (!declared) return [];
    const expected = { pool, declared, dra: cluster.spec.dra, tolerations: tolerationsOf(pool) };
    const nodes = (views?.get(pool.name) ?? []).map((node) => withoutPendingDevices(node, declared, examined));
    return [{ expected, nodes, declaredAt: locate(declared, ['spec', 'devices']) }];
  });
}

/** A node without its device list if a driver of its devices is not installed yet. */
function withoutPendingDevices(node: NodeInfo, { spec }: InferenceClass, examined: ObservedPools): NodeInfo {
  const { devices = [], ...rest } = node;
  const driverPending = spec.devices.some(
    ({ driver, claim }) =>
      claim === 'DRA' && isDriverPending(driver, examined) && !devices.some((one) => one.driver === driver),
  );
  return driverPending ? rest : node;
}
