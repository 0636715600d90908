import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Placement } from '../../scheduler/placement';
import { listShortQuotas } from '../short-quotas';

/** Finds queues with less quota than the replicas of their cluster take. */
export function findQuotaWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  placed: { readonly matcher: PodMatcher; readonly placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  return listShortQuotas({ fleet, model, ...placed }).map(({ resource, queue, name, quota, devices }) => {
    const declared = resource.spec.scheduler?.quota ?? {};
    const at = { resource, path: ['spec', 'scheduler', 'quota', ...(name in declared ? [name] : [])] };
    const what = `queue '${queue}' has quota for ${quota} of ${name}, and its replicas take ${pluralize(devices, 'device')}`;
    const hint = 'Raise the quota of the queue, and then this number, or the queue holds pods back';
    return warningAt('over-quota', at, what, hint);
  });
}
