import { REPLICA_INDEX_LABEL } from '../../api/labels';
import { groupBy, sortUnique } from '../../base/order';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { findReferences } from '../../manifest/kubernetes/references';
import { WORKLOAD_KINDS } from '../../manifest/kubernetes/workload-kinds';
import { waveOf } from '../../render/rollout-waves';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { type DriftedField, driftOf } from '../status/drift';
import { deploymentKeyOf, formatDeploymentKey } from './read-workloads';
import { isUpdateUnderWay } from './rollout-state';

/**
 * What applying a workload does: `new`: it does not run yet. `replaced`: its pods are replaced. `unfinished`: nothing,
 * but an earlier update has not replaced all of its pods yet.
 */
export type Effect = 'new' | 'same' | 'replaced' | 'unfinished';

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
  if (isReplaced(manifest, live)) return 'replaced';
  return isUpdateUnderWay(live) ? 'unfinished' : 'same';
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
  return manifests.some((one) => hasWave(one, deployments));
}

/** Whether a manifest is a workload of some deployments, which are given as `namespace/name`. */
export function hasWave(manifest: Manifest, deployments: ReadonlySet<string>): boolean {
  return waveOf(manifest) > 0 && deployments.has(formatDeploymentKey(deploymentKeyOf(manifest)));
}

/**
 * Finds the claim templates of which all workloads are replaced in waves. An update ends when the last wave is ready,
 * and what is gone is deleted after it, so no rollout creates pods from their predecessors then.
 *
 * @param inWaves the deployments with waves, as `namespace/name`
 */
export function findTemplatesInWaves(manifests: readonly Manifest[], inWaves: ReadonlySet<string>): Set<Manifest> {
  const uses = manifests.flatMap((manifest) =>
    findReferences(manifest)
      .filter(({ kind }) => kind === TEMPLATE_KIND)
      .map(({ namespace, name }) => ({ manifest, template: `${namespace}/${name}` })),
  );
  const users = groupBy(uses, ({ template }) => template);
  return new Set(
    manifests.filter(({ kind, metadata: { namespace, name } }) => {
      const found = kind === TEMPLATE_KIND ? (users.get(`${namespace}/${name}`) ?? []) : [];
      return found.length > 0 && found.every(({ manifest }) => hasWave(manifest, inWaves));
    }),
  );
}

const TEMPLATE_KIND = 'ResourceClaimTemplate';

/** Whether applying a manifest replaces the pods of a workload that runs. */
function isReplaced(manifest: Manifest, live: LiveObject): boolean {
  const parts = WORKLOAD_KINDS[manifest.kind]?.podFields ?? [];
  const fields = driftOf(manifest, live)?.fields ?? [];
  return fields.some((field) => {
    const [root, part] = field.path;
    const isNumber = field.path.length > 2 && field.path.at(-1) === 'replicas';
    return root === 'spec' && parts.includes(String(part)) && !isNumber && isAppliedByUs(field);
  });
}

/** The names under which stacks apply objects. */
const OUR_MANAGERS = /^(pulumi|fleetwright)/;

/** Whether applying changes a field. Server-side apply keeps fields that others added. */
function isAppliedByUs({ before, managers = [] }: DriftedField): boolean {
  return before !== undefined || managers.length === 0 || managers.some((manager) => OUR_MANAGERS.test(manager));
}
