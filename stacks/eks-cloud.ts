import { eksPlan } from '../src/provision/eks/plan';
import type { Cloud } from './cloud';
import { EksCluster, type EksTransform } from './eks-cluster';

/** How clusters on EKS are made. */
export interface EksOptions {
  /**
   * What to change of a cluster, by its name.
   *
   * @default - nothing
   */
  readonly transform?: (cluster: string) => EksTransform;
}

/**
 * Makes clusters on EKS, for `clouds` of a `FleetStack`.
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
