import type { Manifest } from '../../manifest/kubernetes/manifest';
import { REPLICA_INDEX_LABEL } from '../../api/labels';
import { groupBy, sortUnique } from '../../base/order';
import type { LiveObject } from '../live-object';
import { waveOf } from '../../render/rollout-waves';
import { type DriftedField, driftOf } from '../status/drift';
import { deploymentKeyOf, formatDeploymentKey } from './read-workloads';

/** The parts of a spec of which a change replaces pods, by kind. */
const TEMPLATE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['template'],
  LeaderWorkerSet: ['leaderWorkerTemplate', 'networkConfig'],
};

/** What applying a workload does: `new`: it does not run yet. `replaced`: its pods are replaced. */
export type Effect = 'new' | 'same' | 'replaced';

/**
 * What applying a workload does to a cluster.
 *
 * @param objects the workloads on the cluster. Absent where they cannot be listed: then it may run, and be replaced
 */
export function effectOf(manifest: Manifest, objects: readonly LiveObject[] | undefined): Effect {
  if (!objects) return 'replaced';
  const { kind, metadata } = manifest;
  const live = objects.find(
    (one) => one.kind === kind && one.metadata.name === metadata.name && one.metadata.namespace === metadata.namespace,
  );
  if (!live) return 'new';
  return isReplaced(manifest, live) ? 'replaced' : 'same';
}

/** A workload on a cluster, planned or running. */
export interface PlacedWorkload {
  readonly cluster: string;
  readonly object: Pick<LiveObject, 'metadata'>;
}

/** The replicas of a deployment, each once: an engine is a workload of its own. */
export function listReplicas(workloads: readonly PlacedWorkload[]): string[] {
  return sortUnique(
    workloads.map(({ cluster, object: { metadata } }) => `${cluster} ${metadata.labels?.[REPLICA_INDEX_LABEL] ?? ''}`),
  );
}

/** The objects of a cluster. */
interface ClusterObjects {
  readonly cluster: string;
  readonly manifests: readonly Manifest[];
}

/** Finds the deployments with more than one replica on some clusters, as `namespace/name`. */
export function findDeploymentsInWaves(clusters: readonly ClusterObjects[]): Set<string> {
  const workloads = clusters.flatMap(({ cluster, manifests }) =>
    manifests.filter((one) => waveOf(one) > 0).map((object) => ({ cluster, object })),
  );
  const byDeployment = groupBy(workloads, ({ object }) => formatDeploymentKey(deploymentKeyOf(object)));
  return new Set([...byDeployment].filter(([, all]) => listReplicas(all).length > 1).map(([key]) => key));
}

/** Whether a cluster has replicas of some deployments, which are given as `namespace/name`. */
export function runsAnyOf(manifests: readonly Manifest[], deployments: ReadonlySet<string>): boolean {
  return manifests.some((one) => waveOf(one) > 0 && deployments.has(formatDeploymentKey(deploymentKeyOf(one))));
}

/** Whether applying a manifest replaces the pods of a workload that runs. */
export function isReplaced(manifest: Manifest, live: LiveObject): boolean {
  const parts = TEMPLATE_FIELDS[manifest.kind] ?? [];
  const fields = driftOf(manifest, live)?.fields ?? [];
  return fields.some((field) => {
    const [root, part] = field.path;
    return root === 'spec' && parts.includes(String(part)) && isAppliedByUs(field);
  });
}

/** The names under which stacks apply objects. */
const OUR_MANAGERS = /^(pulumi|fleetwright)/;

/** Whether applying changes a field. Server-side apply keeps fields that others added. */
function isAppliedByUs({ before, managers = [] }: DriftedField): boolean {
  return before !== undefined || managers.length === 0 || managers.some((manager) => OUR_MANAGERS.test(manager));
}
