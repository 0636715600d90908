import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { countClaimedDevices } from '../../scheduler/devices/pod-fit';
import type { Placement } from '../../scheduler/placement';
import { listPlacedPods } from '../replica-usage';

/**
 * Finds queues with less quota than the replicas of their cluster take, at the most copies and with the pods of a
 * rollout: the cluster would have the room, and the queue would hold pods back.
 */
export function findQuotaWarnings(
  { clusters }: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { readonly matcher: PodMatcher; readonly placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const limited = clusters.filter(({ spec }) => Object.keys(spec.scheduler?.quota ?? {}).length > 0);
  if (limited.length === 0) return [];
  const byCluster = groupBy(placements, ({ cluster }) => cluster);
  return limited.flatMap((resource) => {
    const { queue = '', quota = {} } = resource.spec.scheduler ?? {};
    const taken = countClaimed(model, byCluster.get(resource.metadata.name) ?? [], matcher);
    return [...taken].flatMap(([name, devices]) => {
      const most = quota[name] ?? 0;
      if (devices <= most) return [];
      const at = { resource, path: ['spec', 'scheduler', 'quota', ...(name in quota ? [name] : [])] };
      const what = `queue '${queue}' has quota for ${most} of ${name}, and its replicas take ${pluralize(devices, 'device')}`;
      const hint = 'Raise the quota of the queue, and then this number, or the queue holds pods back';
      return [warningAt('over-quota', at, what, hint)];
    });
  });
}

/** Counts the devices that placed replicas claim, by device class or extended resource, in the order of placements. */
function countClaimed(
  model: CompiledFleet,
  placements: readonly Placement[],
  matcher: PodMatcher,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { member, fit } of listPlacedPods(model, placements, matcher)) {
    for (const [name, count] of Object.entries(countClaimedDevices(fit))) {
      counts.set(name, (counts.get(name) ?? 0) + member.pods * count);
    }
  }
  return counts;
}
