import { Config } from '@pulumi/pulumi';
import { errorAt } from '../src/base/diagnostic';
import { gkePlan } from '../src/provision/gke/plan';
import type { Cloud } from './cloud';
import { isBlank } from './config-values';
import { GkeCluster, type GkeTransform } from './gke-cluster';

/** Options for creating clusters on GKE. */
export interface GkeOptions {
  /**
   * The Google Cloud project.
   *
   * @default - `gcp:project` of the stack's configuration
   */
  readonly project?: string;

  /**
   * Whether the APIs that clusters need are enabled in the project. They stay enabled when a cluster is destroyed. If
   * false, they must be enabled already, and the user does not need the permission to enable them.
   *
   * @default true
   */
  readonly enableApis?: boolean;

  /**
   * Changes to a cluster, by its name.
   *
   * @default - none
   */
  readonly transform?: (cluster: string) => GkeTransform;
}

/**
 * Creates clusters on GKE, for `clouds` of a `FleetStack`.
 *
 * @example
 * gke({ transform: () => ({ cluster: (args) => ({ ...args, releaseChannel: { channel: 'RAPID' } }) }) });
 */
export function gke({ project, enableApis = true, transform }: GkeOptions = {}): Cloud {
  const configured = project ?? new Config('gcp').get('project');
  const projectId = isBlank(configured) ? undefined : configured;
  return {
    source: 'GKE',
    refusal() {
      if (projectId !== undefined) return undefined;
      return errorAt(
        'no-project',
        undefined,
        'the Google Cloud project is not set',
        "Run 'pulumi config set gcp:project PROJECT'",
      );
    },
    make(cluster, fleet, { parent }) {
      const { name } = cluster.metadata;
      const planned = gkePlan(cluster, fleet, projectId ?? '');
      const plan = enableApis ? planned : { ...planned, services: [] };
      return new GkeCluster(name, { plan, transform: transform?.(name) ?? {} }, { parent });
    },
  };
}
