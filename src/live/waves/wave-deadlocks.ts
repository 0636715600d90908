import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import {
  type BlockedPool,
  findBlockedWaves,
  formatDeploymentPods,
  type PlannedCluster,
} from '../../diff/blocked-waves';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { type ApiClientOptions, withApiClient } from '../client/api-client';
import type { ClusterAccess } from '../client/cluster-access';
import { readServerVersion } from '../client/list-objects';
import { UnreachableError } from '../client/unreachable-error';
import type { ClusterProblems } from '../finding';
import { listWorkloadsAndClaims } from './read-workloads';
import { warnUnlisted } from './wave-messages';

/**
 * Reports the waves of a change that can never complete, as errors.
 *
 * @param running workloads and claim templates on the cluster. Objects that belong to others are ignored
 */
export function findWaveDeadlocks(planned: PlannedCluster, running: readonly LiveObject[]): Diagnostic[] {
  const { name } = planned.cluster.metadata;
  return findBlockedWaves(planned, running).map((blocked) => toDeadlockProblem(name, blocked));
}

function toDeadlockProblem(cluster: string, { pool, nodes, lacking, coming, going }: BlockedPool): Diagnostic {
  const goes = formatDeploymentPods(going);
  const wait = `${formatDeploymentPods(coming)} would wait for devices of ${goes}, which is removed last`;
  const size = `${pluralize(nodes, 'node')}, and both need ${lacking} more`;
  const what = `waves would block in pool '${pool}': ${wait}. It has ${size}`;
  const hint = `Remove ${goes} in one update and add the rest in the next, or turn waves off for this update`;
  return errorAt('blocked-waves', cluster, what, hint);
}

/** Connects to a cluster and finds waves that can never complete. Returns a warning if its workloads cannot be listed. */
export async function checkWavesOnCluster(
  planned: PlannedCluster,
  access: ClusterAccess,
  options: ApiClientOptions,
): Promise<ClusterProblems> {
  const found = await withApiClient(access, options, async (api) => {
    await readServerVersion(api);
    return listWorkloadsAndClaims(api);
  });
  if ('length' in found) return { problems: findWaveDeadlocks(planned, found), warnings: [] };
  const why = found instanceof UnreachableError ? found.message : found.why;
  return { problems: [], warnings: [warnUnlisted(planned.cluster.metadata.name, why)] };
}
