import { type Diagnostic, warningAt } from '../base/diagnostic';
import { joinNames } from '../base/text';
import type { ReplicaChangeWithCauses } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';
import { type ApplyMode, isOutage } from './serving-during-change';

interface AppliedChange {
  /** Where the change is, for what no declaration causes. */
  readonly at: string;

  /** Default: wave by wave. */
  readonly applied?: ApplyMode;
}

/**
 * Finds clusters on which all replicas of a deployment stop for a time, and whose clients reach no others. A deployment
 * without any serving replica is a finding of the gate.
 */
export function findEmptiedClusters(
  { deployments }: Pick<FleetDiff, 'deployments'>,
  { at, applied = 'withWaves' }: AppliedChange,
): Diagnostic[] {
  return deployments.flatMap(({ deployment, serving, changes }) => {
    const clusters = serving.emptied?.[applied] ?? [];
    if (clusters.length === 0 || serving.recreate || serving.after === 0 || isOutage(serving, applied)) return [];
    const own = changes.filter(({ cluster, from }) => clusters.includes(from?.cluster ?? cluster));
    const where = own.flatMap(({ causes }) => causes)[0]?.where ?? at;
    const what = `${deployment} has no serving replica on ${joinNames(clusters, MAX_NAMED, ' and ')} for a time while the change is applied, and no service sends requests to it: clients there then get no answer`;
    return [warningAt('cluster-down', where, what, own.some(losesNodes) ? KEEP_TWO : SURGE)];
  });
}

/** The most clusters to name. */
const MAX_NAMED = 3;

const KEEP_TWO = 'Add a replica there in an earlier change, or tell clients when';

const SURGE =
  "Set 'rollout.surge: 1' if there is room for it, add a replica there in an earlier change, or tell clients when";

/** Whether a replica stops for more than its pods, so that no surge helps. */
function losesNodes({ action, nodes }: ReplicaChangeWithCauses): boolean {
  return action === 'move' || nodes !== undefined;
}
