import type { InferenceCluster } from '../api/inference-cluster';
import { FleetwrightError } from '../errors';
import type { Fleet } from '../fleet';
import { nearestNamed } from '../nearest';
import { shortList } from '../plan/format';

/** How commands reach clusters. */
export interface ReachFlags {
  /** Default: as kubectl finds it. */
  readonly kubeconfig?: string;

  /** Seconds for each request. Default: 15. */
  readonly timeout: string;
}

/** @throws FleetwrightError when the fleet has no cluster of the name */
export function clusterNamed(name: string, { clusters }: Fleet): InferenceCluster {
  const found = clusters.find(({ metadata }) => metadata.name === name);
  if (found) return found;
  const all = clusters.map(({ metadata }) => metadata.name);
  const near = nearestNamed(name, all);
  const hint = near ? `Did you mean '${near}'?` : `Use one of ${shortList(all)}`;
  const what = 'the fleet has no cluster of this name';
  throw new FleetwrightError([{ code: 'unknown-cluster', where: name, what, hint }]);
}

/**
 * The contexts that `--context CLUSTER=CONTEXT` names, by cluster.
 *
 * @throws FleetwrightError for one that names no cluster of the fleet
 */
export function contextsIn(pairs: readonly string[], fleet: Fleet): Readonly<Record<string, string>> {
  const entries = pairs.map((pair): [string, string] => {
    const [, cluster = '', context = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (context === '') throw notAPair(pair);
    return [clusterNamed(cluster, fleet).metadata.name, context];
  });
  return Object.fromEntries(entries);
}

function notAPair(pair: string): FleetwrightError {
  const what = `'${pair}' does not say of which cluster it is`;
  return new FleetwrightError([
    { code: 'bad-flag', where: '--context', what, hint: 'Write CLUSTER=CONTEXT' },
  ]);
}
