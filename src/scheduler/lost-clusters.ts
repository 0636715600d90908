import type { Taint } from '../api/schema/taints-and-tolerations';
import type { CompiledCluster } from './compiled-fleet';
import type { Placement } from './placement';
import type { Rejection } from './reason';
import type { EvictionReason } from './schedule-result';

/** The key of the taint that declares a cluster lost. Its effect is `NoExecute`. */
const LOST_TAINT_KEY = 'lost';

type TaintOfCluster = Pick<Taint, 'key' | 'effect'>;

/** Whether a taint says that a cluster is lost. No toleration covers it: it states a fact. */
export function isLostTaint({ key, effect }: TaintOfCluster): boolean {
  return key === LOST_TAINT_KEY && effect === 'NoExecute';
}

/** Whether a cluster is declared lost, by the taint `lost:NoExecute`: its replicas do not serve. */
export function isLost({ taints }: { readonly taints: readonly TaintOfCluster[] }): boolean {
  return taints.some(isLostTaint);
}

/** The names of the clusters that are lost. */
export function nameLostClusters({
  clusters,
}: {
  readonly clusters: readonly Pick<CompiledCluster, 'name' | 'taints'>[];
}): string[] {
  return clusters.filter(isLost).map(({ name }) => name);
}

/** Why no replica has a place on a cluster that is lost. Undefined: it is not lost. */
export function findLoss({ name, taints }: Pick<CompiledCluster, 'name' | 'taints'>): Rejection | undefined {
  const taint = taints.find(isLostTaint);
  return taint && { cluster: name, reason: { filter: 'taint', taint } };
}

/** Whether a cluster is ruled out because it is lost: no toleration opens it. */
export function isRuledOutAsLost({ reason }: Pick<Rejection, 'reason'>): boolean {
  return reason.filter === 'taint' && isLostTaint(reason.taint);
}

/** Whether a replica does not stay because its cluster is lost. */
export function isLoss(reason: EvictionReason | undefined): boolean {
  return reason?.kind === 'rejected' && isRuledOutAsLost(reason.rejection);
}

/** Marks the replicas of lost clusters, which neither serve nor count. The list is the same if there are none. */
export function markLost(placements: readonly Placement[], lost: ReadonlySet<string>): readonly Placement[] {
  if (!placements.some(({ cluster }) => lost.has(cluster))) return placements;
  return placements.map((one) => (lost.has(one.cluster) ? { ...one, ...LOST } : one));
}

/** What a placement on a lost cluster has. */
export const LOST = { draining: true, lost: true } as const satisfies Partial<Placement>;
