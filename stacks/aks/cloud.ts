import { type AksPlan, aksPlan } from '../../src/provision/aks/plan';
import { AksCluster, type AksTransform } from './cluster';
import { type Cloud, listManagedProblems } from '../cloud/cloud';

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
export function aks({ transform }: AksOptions = {}): Cloud<AksPlan> {
  return {
    source: 'AKS',
    check: listManagedProblems,
    plan: aksPlan,
    accounts: ({ cacheIdentities }) => cacheIdentities.map(({ account }) => account),
    make: (plan, { name, parent }) => new AksCluster(name, { plan, transform: transform?.(name) ?? {} }, { parent }),
  };
}
