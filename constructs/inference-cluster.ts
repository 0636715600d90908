import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { InferenceClusterProps } from './props/inference-cluster';

/**
 * A Kubernetes cluster of the fleet, and its pools of nodes with devices.
 *
 * A pool refers to its class by construct or by name. Its size is the number of nodes over all zones.
 *
 * @example
 * const us = new InferenceCluster(fleet, 'us', {
 *   cluster: { source: 'GKE', gke: { region: 'us-central1' } },
 *   nodePools: [{ name: 'h100', className: 'h100', nodeCount: 2, zones: ['us-central1-a'] }],
 * });
 */
export class InferenceCluster extends Declaration<'InferenceCluster'> {
  constructor(scope: Construct, id: string, props: InferenceClusterProps) {
    super(scope, id, 'InferenceCluster', props);
  }
}
