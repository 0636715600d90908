import { aksPlan } from '../src/provision/aks/plan';
import { AksCluster, type AksTransform } from './aks-cluster';
import type { Cloud } from './cloud';

/** Options for creating clusters on AKS. */
export interface AksOptions {
  /**
   * Changes to a cluster, by its name.
   *
   * @default - none
   */
  readonly transform?: (cluster: string) => AksTransform;
}

/**
 * Creates clusters on AKS, for `clouds` of a `FleetStack`.
 *
 * @example
 * aks({ transform: () => ({ cluster: (args) => ({ ...args, azureMonitorProfile: { metrics: { enabled: true } } }) }) });
 */
export function aks({ transform }: AksOptions = {}): Cloud {
  return {
    source: 'AKS',
    refusal: () => undefined,
    make(cluster, fleet, { parent }) {
      const { name } = cluster.metadata;
      return new AksCluster(name, { plan: aksPlan(cluster, fleet), transform: transform?.(name) ?? {} }, { parent });
    },
  };
}
