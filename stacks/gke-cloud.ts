import { Config } from '@pulumi/pulumi';
import { gkePlan } from '../src/provision/gke-plan';
import type { Cloud } from './cloud';
import { GkeCluster, type GkeTransform } from './gke-cluster';

/** How clusters on GKE are made. */
export interface GkeOptions {
  /**
   * The project of Google Cloud.
   *
   * @default - `gcp:project` of the stack's configuration
   */
  readonly project?: string;

  /**
   * What to change of a cluster, by its name.
   *
   * @default - nothing
   */
  readonly transform?: (cluster: string) => GkeTransform;
}

/**
 * Makes clusters on GKE, for `clouds` of a `FleetStack`.
 *
 * @example
 * gke({ transform: () => ({ cluster: (args) => ({ ...args, releaseChannel: { channel: 'RAPID' } }) }) });
 */
export function gke({ project, transform }: GkeOptions = {}): Cloud {
  const chosen = project ?? new Config('gcp').get('project');
  return {
    source: 'GKE',
    refusal() {
      if (chosen !== undefined) return undefined;
      return {
        code: 'no-project',
        what: 'nothing says in which project of Google Cloud it is made',
        hint: "Run 'pulumi config set gcp:project PROJECT'",
      };
    },
    make(cluster, fleet, { parent }) {
      const { name } = cluster.metadata;
      const plan = gkePlan(cluster, fleet, chosen ?? '');
      return new GkeCluster(name, { plan, transform: transform?.(name) ?? {} }, { parent });
    },
  };
}
