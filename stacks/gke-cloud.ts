import { Config } from '@pulumi/pulumi';
import { errorAt } from '../src/base/diagnostic';
import { gkePlan } from '../src/provision/gke/plan';
import type { Cloud } from './cloud';
import { isBlank } from './config-values';
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
   * Whether the APIs that clusters need are switched on in the project. They stay on when a cluster is destroyed. False:
   * somebody else did, and whoever applies need not have the right to.
   *
   * @default true
   */
  readonly enableApis?: boolean;

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
export function gke({ project, enableApis = true, transform }: GkeOptions = {}): Cloud {
  const configured = project ?? new Config('gcp').get('project');
  const chosen = isBlank(configured) ? undefined : configured;
  return {
    source: 'GKE',
    refusal() {
      if (chosen !== undefined) return undefined;
      return errorAt(
        'no-project',
        undefined,
        'nothing says in which project of Google Cloud it is made',
        "Run 'pulumi config set gcp:project PROJECT'",
      );
    },
    make(cluster, fleet, { parent }) {
      const { name } = cluster.metadata;
      const planned = gkePlan(cluster, fleet, chosen ?? '');
      const plan = enableApis ? planned : { ...planned, services: [] };
      return new GkeCluster(name, { plan, transform: transform?.(name) ?? {} }, { parent });
    },
  };
}
