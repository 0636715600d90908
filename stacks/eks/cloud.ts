import { type EksPlan, eksPlan } from '../../src/provision/eks/plan';
import { type Cloud, listManagedProblems } from '../cloud/cloud';
import { EksCluster, type EksTransform } from './cluster';

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
export function eks({ transform }: EksOptions = {}): Cloud<EksPlan> {
  return {
    source: 'EKS',
    check: listManagedProblems,
    plan: eksPlan,
    make: (plan, { name, parent, keepData }) =>
      new EksCluster(name, { plan, keepData, transform: transform?.(name) ?? {} }, { parent }),
  };
}
