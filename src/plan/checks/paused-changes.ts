import type { Locate } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { Eviction, Schedule } from '../../scheduler/schedule-result';
import { formatEvictionReason } from '../rejection-messages';

/**
 * Refuses declarations with which a frozen replica could not stay as it is: what is paused goes only with its
 * deployment, its cluster or its pool.
 *
 * @throws FleetwrightError with every replica that would go
 */
export function refusePausedChanges(
  fleet: Fleet,
  { clusters: sites, deployments: workloads }: CompiledFleet,
  { evictions }: Pick<Schedule, 'evictions'>,
  locate: Locate,
): void {
  const stopped = new Set(sites.filter(({ paused }) => paused).map(({ name }) => name));
  const frozen = new Set(workloads.filter(({ paused }) => paused).map(({ id }) => id));
  const thawing = evictions.filter(
    ({ placement: { deployment, cluster }, reason }) =>
      CHANGED_DECLARATION_REASONS.has(reason.kind) && (frozen.has(deployment) || stopped.has(cluster)),
  );
  if (thawing.length > 0)
    throw new FleetwrightError(thawing.map((one) => toFrozenProblem(one, fleet, frozen, locate)));
}

/** Reasons that come from what is declared otherwise now, rather than from what is gone. */
const CHANGED_DECLARATION_REASONS: ReadonlySet<Eviction['reason']['kind']> = new Set(['shape', 'rejected']);

function toFrozenProblem(
  { placement, reason }: Eviction,
  { deployments }: Fleet,
  frozen: ReadonlySet<string>,
  locate: Locate,
): Diagnostic {
  const { deployment: id, cluster, index } = placement;
  const declared = deployments.find((one) => qualifiedNameOf(one) === id);
  const paused = frozen.has(id) ? 'the deployment' : `cluster ${cluster}`;
  return errorAt(
    'frozen',
    declared ? locate(declared, ['spec', 'template', 'spec', 'engines']) : id,
    `${cluster}/${index} is frozen, since ${paused} is paused, and could not stay as it is: ${formatEvictionReason(reason)}`,
    'Undo the change, or end the pause to have the replica replaced',
  );
}
