import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Cause } from '../../diff/replica-causes';
import type { DeploymentPlan, Plan, ShortfallPlan } from '../../plan/plan';
import type { Remedy } from '../../scheduler/remedy';

/** The plan of a deployment of which replicas have no place. */
export type ShortDeployment = DeploymentPlan & { readonly shortfall: ShortfallPlan };

/**
 * Lists the deployments of which replicas have no place, as far as a change is about them: where that is not accepted,
 * and where the change is of the deployment itself.
 */
export function listShortDeployments({ deployments }: Pick<Plan, 'deployments'>, diff: FleetDiff): ShortDeployment[] {
  const changed = new Set([
    ...diff.declarations.map(({ id }) => id),
    ...diff.deployments.map(({ deployment }) => `ModelDeployment ${deployment}`),
  ]);
  return deployments.filter((plan): plan is ShortDeployment => {
    const { shortfall, deployment } = plan;
    return shortfall !== undefined && (!shortfall.accepted || changed.has(`ModelDeployment ${deployment}`));
  });
}

/** `keep us / l4, where it runs`: what loses the replicas that have no place any more. Undefined: nothing is removed. */
export function describeKept(id: string, { deployments }: FleetDiff): string | undefined {
  const changes = deployments.find(({ deployment }) => deployment === id)?.changes ?? [];
  const lost = changes.flatMap(({ action, cluster, reason }): string[] => {
    if (action !== 'remove') return [];
    if (reason?.kind === 'cluster-gone') return [`cluster ${cluster}`];
    return reason?.kind === 'pool-gone' ? [`${cluster} / ${reason.pool}`] : [];
  });
  const runs = lost.length === 1 ? 'it runs' : 'they run';
  return lost.length === 0 ? undefined : `keep ${joinNames(sortUnique(lost), MAX_KEPT)}, where ${runs}`;
}

/**
 * `undo edit 1 (keep 6 nodes)`: that the nodes of a remedy are nodes that an edit takes away. Undefined: they are not.
 *
 * @param nameEdit undefined where edits have no numbers
 */
export function describeKeptNodes(
  remedy: Remedy,
  causes: readonly Cause[],
  nameEdit: (cause: Cause) => string | undefined,
): string | undefined {
  if (remedy.kind !== 'nodes' || remedy.newPool || remedy.inPlace || remedy.unavailable) return undefined;
  const cut = findCut(remedy, causes);
  return cut && describeCut(cut, remedy, nameEdit);
}

interface PoolNodes {
  readonly cluster: string;
  readonly pool: string;

  /** The nodes that the pool lacks. */
  readonly nodes: number;
}

/** An edit that takes nodes of a pool away, among them those that it lacks. */
export interface NodeCut {
  readonly cause: Cause;
  readonly before: number;
  readonly after: number;
}

/** Finds the edit that takes away what a pool lacks. Undefined: it does not have that without the edit either. */
export function findCut({ cluster, pool, nodes }: PoolNodes, causes: readonly Cause[]): NodeCut | undefined {
  const counts = causes.flatMap((cause): NodeCut[] => {
    const { id, field } = cause;
    const isCount = COUNTS.some((name) => field?.field === `spec.nodePools[${pool}].${name}`);
    if (id !== `InferenceCluster ${cluster}` || !isCount) return [];
    return [{ cause, before: Number(field?.before), after: Number(field?.after) }];
  });
  // Not so where a value is missing.
  return counts.find(({ before, after }) => after + nodes <= before);
}

/** The most nodes of a pool: of a fixed number, and where an autoscaler sizes it. */
const COUNTS = ['nodeCount', 'maxNodeCount'] as const;

/** `undo edit 1 (keep 6 nodes)`, `keep 7 nodes in us / h100 instead of 5 (edit 1)`. */
export function describeCut(
  { cause, before, after }: NodeCut,
  { cluster, pool, nodes }: PoolNodes,
  nameEdit: (cause: Cause) => string | undefined,
): string {
  const edit = nameEdit(cause) ?? 'that edit';
  if (after + nodes === before) return `undo ${edit} (keep ${pluralize(before, 'node')})`;
  return `keep ${pluralize(after + nodes, 'node')} in ${cluster} / ${pool} instead of ${after} (${edit})`;
}

/** The most clusters or pools to name. */
const MAX_KEPT = 3;
