import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import { sortedBy } from '../base/order';
import { cloudTypeNameOf } from '../fleet/hardware/cloud-instance-types';
import type { Fleet } from '../fleet/fleet';
import { minAutoscaledNodesOf, nodeLabelsOf, poolSizeOf } from './node-pools';

/** A pool of a cluster, as a cloud creates it. */
export interface DeclaredPool {
  readonly name: string;

  /** The machine that the class of the pool takes from the catalog, as its cloud names it: `gd-8xh100ib-i128`. */
  readonly machine: string | undefined;

  /** The number of nodes when the pool is created, and the bounds of the autoscaler. Equal for a fixed size. */
  readonly nodes: { readonly initial: number; readonly min: number; readonly max: number };

  /** The labels that every node needs. Pods select nodes by the name of the pool. */
  readonly labels: Readonly<Record<string, string>>;

  /** The taints that every node needs, and no others: pods tolerate exactly these. */
  readonly taints: NodePool['taints'];
  readonly zones: readonly string[];

  /** The declarations with everything else. */
  readonly pool: NodePool;
  readonly class: InferenceClass;
}

/**
 * Returns the pools of a cluster, sorted by name, for a cloud that creates them. Autoscaled pools whose pods claim
 * devices keep one node: an autoscaler does not know the devices of an empty pool.
 *
 * @example
 * const machines = listDeclaredPools(cluster, fleet).map(({ machine, nodes }) => ({ machine, nodes }));
 */
export function listDeclaredPools(cluster: InferenceCluster, { classes }: Pick<Fleet, 'classes'>): DeclaredPool[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return sortedBy(cluster.spec.nodePools, ({ name }) => name).flatMap((pool): DeclaredPool[] => {
    const declared = byName.get(pool.className);
    // Another check reports a missing class.
    if (!declared) return [];
    const { from } = declared.spec;
    return [
      {
        name: pool.name,
        machine: from === undefined ? undefined : cloudTypeNameOf({ name: from }),
        nodes: poolSizeOf(pool, minAutoscaledNodesOf(cluster)),
        labels: nodeLabelsOf(cluster, pool, declared),
        taints: pool.taints,
        zones: pool.zones,
        pool,
        class: declared,
      },
    ];
  });
}
