import { type Locate, locateAll } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { Schedule, SurgeWithoutRoom } from '../../scheduler/schedule-result';

/**
 * Rejects a surge for which there is no room next to what is placed: the room that it reserves would evict replicas.
 *
 * @param held deployments that stay as they are, whatever they declare
 * @throws FleetwrightError with every deployment that declares such a surge
 */
export function refuseCrowdedSurges(
  { deployments }: Fleet,
  { withoutSurge = [] }: Pick<Schedule, 'withoutSurge'>,
  held: ReadonlySet<string>,
  locate: Locate,
): void {
  if (withoutSurge.length === 0) return;
  const crowded = groupBy(withoutSurge, ({ deployment }) => deployment);
  const problems = deployments.flatMap((resource) => {
    const id = qualifiedNameOf(resource);
    const short = held.has(id) ? undefined : crowded.get(id);
    if (!short) return [];
    const at = { resource, path: ['spec', 'rollout', 'surge'] };
    const where = joinNames(sortUnique(short.flatMap((one) => one.pools.map(({ pool }) => `${one.cluster}/${pool}`))));
    const what = `there is no room for the surge on ${where}: the devices that it reserves are those of replicas that run there`;
    const hint = `Remove it, accept downtime with 'rollout: Recreate', or add ${formatNodes(short)} first`;
    return [errorAt('no-surge-room', at, what, hint)];
  });
  if (problems.length > 0) throw new FleetwrightError(locateAll(problems, locate));
}

/** `2 nodes of us/h100`: the most that one of the replicas lacks of each pool. */
function formatNodes(short: readonly SurgeWithoutRoom[]): string {
  const missing = short.flatMap(({ cluster, pools }) =>
    pools.map(({ pool, nodes }) => ({ at: `${cluster}/${pool}`, nodes })),
  );
  const byPool = [...groupBy(missing, ({ at }) => at)];
  const parts = byPool.map(([at, all]) => `${pluralize(Math.max(...all.map(({ nodes }) => nodes)), 'node')} of ${at}`);
  return joinNames(parts, 3, ' and ');
}
