import type { GroupData, PoolData } from '../map-data';
import { nodeKindOf } from './display-text';

/** What free devices are for. */
export type FreeKind = 'whole' | 'shared' | 'addable' | 'lost';

/** Returns what the devices of a node are for that no pod takes. */
export function freeKindOf([, kindPlace, pods]: GroupData): FreeKind {
  const kind = nodeKindOf(kindPlace);
  if (kind === 'lost') return 'lost';
  if (pods.length > 0 || kind === 'shared') return 'shared';
  return kind === 'autoscaled' ? 'addable' : 'whole';
}

/** Counts the nodes of a pool that are free as a whole, however the cluster arranges the placed pods. */
export function countUnusedNodes(pool: Pick<PoolData, 'groups'>): number {
  return countNodes(pool, ['whole', 'addable']);
}

/** Counts the nodes of a pool whose free devices are of some kinds. */
export function countNodes({ groups }: Pick<PoolData, 'groups'>, kinds: readonly FreeKind[]): number {
  const found = groups.filter((group) => kinds.includes(freeKindOf(group)));
  return found.reduce((sum, [count]) => sum + count, 0);
}

/** The sentence after the free devices of a node. */
export const FREE_WORDS: Readonly<Record<FreeKind, string>> = {
  whole: 'as a whole node: however the cluster arranges the placed pods, a pod that takes the node has a place.',
  shared:
    "not guaranteed as a whole node: a pod that takes a part of a node may have a place. 'fleetwright explain DEPLOYMENT' counts the replicas.",
  addable: 'once an autoscaler adds the node.',
  lost: 'until the node was lost.',
};
