import { log, type Output, type Resource } from '@pulumi/pulumi';
import { type Diagnostic, formatDiagnostic, warningAt } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';
import { withApiClient } from '../src/live/client/api-client';
import type { ClusterAccess } from '../src/live/client/cluster-access';
import { UnreachableError } from '../src/live/client/unreachable-error';
import type { LiveObject } from '../src/live/live-object';
import { listFleetWorkloads } from '../src/live/waves/read-workloads';
import type { Cluster } from './cluster';
import { API_OPTIONS, resolveAccess } from './cluster-checks';

/** The workloads of the fleet on a cluster, before the stack applies anything. */
export interface RunningWorkloads {
  readonly cluster: string;

  /** Absent where the kubeconfig leads to no cluster: the provider fails there too. */
  readonly access?: ClusterAccess;

  /** Absent where they cannot be listed. */
  readonly objects?: readonly LiveObject[];
}

/**
 * Lists the workloads of the fleet on a cluster. A promise, since an output would copy all of them for each of its
 * uses. It stays open while the kubeconfig is not known.
 */
export function listRunningWorkloads(cluster: Cluster, parent: Resource): Promise<RunningWorkloads> {
  return new Promise((resolve) => {
    cluster.kubeconfig.apply((text) => resolve(listWorkloads(cluster, text, parent)));
  });
}

async function listWorkloads(
  cluster: Cluster,
  kubeconfig: string | undefined,
  parent: Resource,
): Promise<RunningWorkloads> {
  const { name } = cluster;
  try {
    const access = resolveAccess({ cluster: name, reached: cluster }, kubeconfig);
    const found = await withApiClient(access, API_OPTIONS, (api) => listFleetWorkloads(api, name));
    return {
      cluster: name,
      access,
      ...(!(found instanceof UnreachableError) && 'length' in found && { objects: found }),
    };
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    await log.warn(formatDiagnostic(warnUnasked(name, error.diagnostics)), parent);
    return { cluster: name };
  }
}

function warnUnasked(cluster: string, [problem]: readonly Diagnostic[]): Diagnostic {
  const what = 'replicas are not replaced in waves, as the cluster cannot be asked whether they are ready';
  return warningAt('waves-unseen', cluster, `${what}: ${problem?.message}`, problem?.hint ?? '');
}

/** The value of an output, which stays open while it is not known. */
export function toPromise<T>(value: Output<T>): Promise<T> {
  return new Promise((resolve) => {
    value.apply((known) => resolve(known as T));
  });
}
