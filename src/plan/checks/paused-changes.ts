import { type Locate, locateOne } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import { isLost } from '../../scheduler/lost-clusters';
import type { Eviction, Schedule } from '../../scheduler/schedule-result';
import { formatEvictionReason } from '../rejection-messages';

/**
 * Rejects declarations with which a paused replica could not stay as it is. A paused replica goes only with its
 * deployment, its cluster or its pool, or when its cluster is lost.
 *
 * @throws FleetwrightError with every paused replica that would go
 */
export function refusePausedChanges(
  fleet: Fleet,
  { clusters, deployments }: CompiledFleet,
  { evictions }: Pick<Schedule, 'evictions'>,
  locate: Locate,
): void {
  const pausedClusters = new Set(clusters.filter((one) => one.paused && !isLost(one)).map(({ name }) => name));
  const pausedDeployments = new Set(deployments.filter(({ paused }) => paused).map(({ id }) => id));
  const rejected = evictions.filter(
    ({ placement: { deployment, cluster }, reason }) =>
      CHANGED_DECLARATION_REASONS.has(reason.kind) &&
      (pausedDeployments.has(deployment) || pausedClusters.has(cluster)),
  );
  if (rejected.length === 0) return;
  throw new FleetwrightError(rejected.map((one) => toFrozenProblem(one, fleet, pausedDeployments, locate)));
}

/** Eviction reasons that come from changed declarations, not from deleted resources. */
const CHANGED_DECLARATION_REASONS: ReadonlySet<Eviction['reason']['kind']> = new Set(['shape', 'rejected']);

function toFrozenProblem(
  { placement, reason }: Eviction,
  { deployments }: Fleet,
  pausedDeployments: ReadonlySet<string>,
  locate: Locate,
): Diagnostic {
  const { deployment: id, cluster, index } = placement;
  const declared = deployments.find((one) => qualifiedNameOf(one) === id);
  const paused = pausedDeployments.has(id) ? 'the deployment' : `cluster ${cluster}`;
  const frozen = `${cluster}/${index} is frozen, because ${paused} is paused`;
  const what = `${frozen}, and cannot stay as it is: ${formatEvictionReason(reason)}`;
  const hint = 'Undo the change, or remove the pause to replace the replica';
  if (!declared) return errorAt('frozen', id, what, hint);
  const at = { resource: declared, path: ['spec', 'template', 'spec', 'engines'] };
  return locateOne(errorAt('frozen', at, what, hint), locate);
}
