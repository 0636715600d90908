import type { ModelDeployment } from '../api/model-deployment';

/**
 * A deployment as far as it says how its engines are run: under which group, and what its template runs. Deployments
 * with both in common have engines that are run alike.
 */
export interface Runs extends Pick<ModelDeployment, 'group'> {
  readonly spec: { readonly template: Pick<ModelDeployment['spec']['template'], 'spec'> };
}
