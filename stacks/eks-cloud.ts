import { eksPlan } from '../src/provision/eks/plan';
import type { Cloud } from './cloud';
import { EksCluster, type EksTransform } from './eks-cluster';

/** Options for creating clusters on EKS. */
export interface EksOptions {
  /**
   * Changes to a cluster, by its name.
   *
   * @default - none
   */
  readonly transform?: (cluster: string) => EksTransform;
}

/**
 * Creates clusters on EKS, for `clouds` of a `FleetStack`.
 *
 * @example
 * eks({ transform: () => ({ cluster: (args) => ({ ...args, enabledClusterLogTypes: ['audit'] }) }) });
 */
export function eks({ transform }: EksOptions = {}): Cloud {
  return {
    source: 'EKS',
    refusal: () => undefined,
    make(cluster, fleet, { parent, keepData }) {
      const { name } = cluster.metadata;
      const plan = eksPlan(cluster, fleet);
      return new EksCluster(name, { plan, keepData, transform: transform?.(name) ?? {} }, { parent });
    },
  };
}
