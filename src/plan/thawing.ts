import type { Locate } from '../api/locate';
import { qualifiedName } from '../api/resource';
import { FleetwrightError, type Problem } from '../errors';
import type { Fleet } from '../fleet';
import type { Model } from '../scheduler/model';
import type { Eviction, Schedule } from '../scheduler/types';
import { formatEviction } from './reasons';

/**
 * Refuses declarations with which a frozen replica could not stay as it is: what is paused goes only with its
 * deployment, its cluster or its pool.
 *
 * @throws FleetwrightError with every replica that would go
 */
export function refuseThawing(
  fleet: Fleet,
  { sites, workloads }: Model,
  { evictions }: Pick<Schedule, 'evictions'>,
  locate: Locate,
): void {
  const stopped = new Set(sites.filter(({ paused }) => paused).map(({ name }) => name));
  const frozen = new Set(workloads.filter(({ paused }) => paused).map(({ id }) => id));
  const thawing = evictions.filter(
    ({ placement: { deployment, cluster }, reason }) =>
      ALTERED.has(reason.kind) && (frozen.has(deployment) || stopped.has(cluster)),
  );
  if (thawing.length > 0)
    throw new FleetwrightError(thawing.map((one) => problemOf(one, fleet, frozen, locate)));
}

/** Reasons that come from what is declared otherwise now, rather than from what is gone. */
const ALTERED: ReadonlySet<Eviction['reason']['kind']> = new Set(['shape', 'rejected']);

function problemOf(
  { placement, reason }: Eviction,
  { deployments }: Fleet,
  frozen: ReadonlySet<string>,
  locate: Locate,
): Problem {
  const { deployment: id, cluster, index } = placement;
  const declared = deployments.find((one) => qualifiedName(one) === id);
  const paused = frozen.has(id) ? 'the deployment' : `cluster ${cluster}`;
  return {
    code: 'frozen',
    where: declared ? locate(declared, ['spec', 'template', 'spec', 'engines']) : id,
    what: `${cluster}/${index} is frozen, since ${paused} is paused, and could not stay as it is: ${formatEviction(reason)}`,
    hint: 'Undo the change, or end the pause to have the replica replaced',
  };
}
