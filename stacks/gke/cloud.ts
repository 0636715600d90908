import { Config } from '@pulumi/pulumi';
import { type GkePlan, gkePlan } from '../../src/provision/gke/plan';
import { type Cloud, type CloudProblem, listManagedProblems } from '../cloud/cloud';
import { isBlank } from '../runtime/config-values';
import { GkeCluster, type GkeTransform } from './cluster';

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
export function gke({ project, enableApis = true, transform }: GkeOptions = {}): Cloud<GkePlan> {
  const configured = project ?? new Config('gcp').get('project');
  const projectId = isBlank(configured) ? undefined : configured;
  return {
    source: 'GKE',
    check: (cluster, fleet) => [
      ...(projectId === undefined ? [NO_PROJECT] : []),
      ...listManagedProblems(cluster, fleet),
    ],
    plan(cluster, fleet) {
      const planned = gkePlan(cluster, fleet, projectId ?? '');
      return enableApis ? planned : { ...planned, services: [] };
    },
    make: (plan, { name, parent }) => new GkeCluster(name, { plan, transform: transform?.(name) ?? {} }, { parent }),
  };
}

const NO_PROJECT: CloudProblem = {
  code: 'no-project',
  message: 'the Google Cloud project is not set',
  hint: "Run 'pulumi config set gcp:project PROJECT'",
};
