import { MANAGED_BY } from './labels';
import type { JsonObject } from './manifest';
import type { ComputedEngine, ComputedMember, ComputedReplica } from './replica';

/**
 * Makes the cluster's scheduler put small pods together, so that whole nodes stay free for large ones. By default it
 * spreads pods over nodes. Both parts are needed: a preference for nodes with other pods of ours, and a spread over
 * something that all nodes have in common, which takes the place of the default one over nodes.
 *
 * Only a preference: the plan never counts on it. Pods that take a node to themselves get none, nor do pods in pools
 * that pack by themselves or give every pod a node.
 */
export function packingHints(
  { cluster }: ComputedReplica,
  { pool }: ComputedEngine,
  { claims, extended = {}, takesNode }: ComputedMember,
): JsonObject {
  const devices = claims.length + Object.keys(extended).length;
  if (pool.packing !== 'Spread' || takesNode || devices === 0) return {};
  const labelSelector = { matchLabels: MANAGED_BY };
  const near = { labelSelector, namespaceSelector: {}, topologyKey: 'kubernetes.io/hostname' };
  return {
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: near }],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: cluster.spec.poolLabel,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector,
      },
    ],
  };
}
