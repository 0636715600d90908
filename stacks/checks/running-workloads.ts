import { isSecret, log, type Output, type Resource } from '@pulumi/pulumi';
import { type Diagnostic, formatDiagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { withApiClient } from '../../src/live/client/api-client';
import type { ClusterAccess } from '../../src/live/client/cluster-access';
import { readServerVersion } from '../../src/live/client/list-objects';
import { UnreachableError } from '../../src/live/client/unreachable-error';
import type { LiveObject } from '../../src/manifest/kubernetes/live-object';
import { listFleetWorkloads } from '../../src/live/waves/read-workloads';
import { formatUnreached, warnUnasked } from '../../src/live/waves/wave-messages';
import type { Cluster } from '../cloud/cluster';
import { API_OPTIONS, resolveAccess } from './cluster-checks';

/** The workloads of the fleet on a cluster, before the stack applies anything. */
export interface RunningWorkloads {
  readonly cluster: string;

  /** Absent where no cluster answers at the kubeconfig: the provider fails there too. */
  readonly access?: ClusterAccess;

  /** Absent where they cannot be listed. */
  readonly objects?: readonly LiveObject[];
}

/**
 * Lists the workloads of the fleet on a cluster. A promise, since an output would copy all of them for each of its
 * uses. It stays open while the kubeconfig is not known.
 */
export function listRunningWorkloads(cluster: Cluster, parent: Resource): Promise<RunningWorkloads> {
  return toPromise(cluster.kubeconfig).then((text) => listWorkloads(cluster, text, parent));
}

/** Lists the workloads of the fleet on a cluster for a preview, which needs no cluster: it may have none. */
export async function peekAtWorkloads({ name, kubeconfig, ...more }: Cluster): Promise<readonly LiveObject[]> {
  const { isKnown } = kubeconfig as unknown as { readonly isKnown: Promise<boolean> };
  if (!(await isKnown)) return [];
  try {
    const reached = { ...more, kubeconfig };
    const found = await ask(resolveAccess({ cluster: name, reached }, await toPromise(kubeconfig)), name);
    return 'length' in found ? found : [];
  } catch (error) {
    if (error instanceof FleetwrightError) return [];
    throw error;
  }
}

async function listWorkloads(
  cluster: Cluster,
  kubeconfig: string | undefined,
  parent: Resource,
): Promise<RunningWorkloads> {
  const { name } = cluster;
  const warnings: Diagnostic[] = [];
  try {
    const access = resolveAccess({ cluster: name, reached: cluster }, kubeconfig);
    const found = await askRepeatedly(access, name);
    if (!(found instanceof UnreachableError)) {
      return { cluster: name, access, ...('length' in found && { objects: found }) };
    }
    warnings.push(warnUnasked(name, found.message));
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    warnings.push(...error.diagnostics.map((one) => warnUnasked(name, formatUnreached(name, one), one.hint)));
  }
  for (const warning of warnings) await log.warn(formatDiagnostic(warning), parent);
  return { cluster: name };
}

async function askRepeatedly(access: ClusterAccess, cluster: string): ReturnType<typeof ask> {
  const found = await ask(access, cluster);
  for (const pause of API_OPTIONS.pauses) {
    if (!(found instanceof UnreachableError)) return found;
    await sleep(pause);
    const again = await ask(access, cluster);
    if (!(again instanceof UnreachableError)) return again;
  }
  return found;
}

function ask(access: ClusterAccess, cluster: string) {
  return withApiClient(access, API_OPTIONS, async (api) => {
    // A list that fails does not say whether the cluster answers.
    await readServerVersion(api);
    return listFleetWorkloads(api, cluster);
  });
}

/** The value of an output, or its error. Stays open while the value is not known. */
export function toPromise<T>(value: Output<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    value.apply((known) => resolve(known as T));
    awaitOutput(value).catch(reject);
  });
}

/**
 * Waits for an output: for its value, or until a preview does not know it. Fails with the error of the output, for
 * which `apply` calls nothing.
 */
export function awaitOutput(value: Output<unknown>): Promise<unknown> {
  return isSecret(value);
}

/** Waits for a time in milliseconds. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
